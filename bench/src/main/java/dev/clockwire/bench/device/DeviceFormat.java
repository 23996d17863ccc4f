package dev.clockwire.bench.device;

/** What of a device is to be shown, by the tool or the place where a real machine shows it. */
public enum DeviceFormat {
    /** {@code /sys/class/infiniband/DEV/ports/1/counters}. */
    COUNTERS,
    /** {@code /sys/class/infiniband/DEV/ports/1/hw_counters}. */
    HW_COUNTERS,
    /** {@code ethtool -S}. */
    ETHTOOL_S,
    /** {@code ethtool -c}. */
    ETHTOOL_C,
    /** {@code lspci -vvv}. */
    LSPCI,
    /** {@code lspci -xxxx}, which {@code lspci -F} reads. */
    LSPCI_DUMP,
    /** {@code rdma resource show qp}. */
    RDMA,
    /** {@code /sys/kernel/debug/mlx5/ADDRESS/QPs}. */
    QPS,
    /** The NIC's NUMA node in sysfs, and {@code numactl --show} of the program. */
    NUMA,
    /** {@code /proc/interrupts}. */
    INTERRUPTS,
    /** {@code /proc/PID/status}. */
    STATUS,
    /** {@code perf stat} of the IOMMU's translation cache. */
    IOMMU
}
