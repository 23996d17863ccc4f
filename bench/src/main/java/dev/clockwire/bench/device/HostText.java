package dev.clockwire.bench.device;

import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.pcie.host.NumaSpec;
import dev.clockwire.pcie.iommu.Iommu;
import java.util.Locale;
import java.util.function.Consumer;

/** What a real machine shows of a host around its NIC: nodes, interrupts, the program's process, the IOMMU. */
final class HostText {
    private final LabHost host;
    private final String device;
    private final String command;

    HostText(LabHost host, String device, String command) {
        this.host = host;
        this.device = device;
        this.command = command;
    }

    void lines(DeviceFormat format, Consumer<String> out) {
        switch (format) {
            case NUMA -> numa(out);
            case INTERRUPTS -> interrupts(out);
            case STATUS -> status(out);
            default -> iommu(out);
        }
    }

    private void title(String typed, Consumer<String> out) {
        out.accept("# " + host.name() + ": " + typed);
    }

    /** The NIC is the first device of its host. */
    private void numa(Consumer<String> out) {
        String file = "/sys/class/infiniband/" + device + "/device/numa_node";
        title("grep -H . " + file, out);
        out.accept(file + ":" + host.host().port(0).node());
        NumaSpec numa = host.host().spec().depth().numa();
        title("numactl --show", out);
        out.accept("policy: bind");
        out.accept("cpubind: " + numa.core());
        out.accept("nodebind: " + numa.core());
        out.accept("membind: " + numa.memory());
    }

    private void interrupts(Consumer<String> out) {
        title("grep mlx5 /proc/interrupts", out);
        if (host.isHardware()) {
            out.accept(String.format(
                    Locale.ROOT,
                    "  64: %10d  PCI-MSIX-0000:%s   0-edge      mlx5_comp0@pci:0000:%s",
                    host.nic().completions().eventInterrupts(),
                    DeviceText.ADDRESS,
                    DeviceText.ADDRESS));
        }
    }

    private void status(Consumer<String> out) {
        title("cat /proc/1/status", out);
        out.accept("Name:\t" + command);
        out.accept("Pid:\t1");
        out.accept("nonvoluntary_ctxt_switches:\t" + host.core().preemptions());
    }

    private void iommu(Consumer<String> out) {
        title("perf stat -a -e dmar0/iotlb_lookup/,dmar0/iotlb_hit/", out);
        Iommu mmu = host.host().iommu();
        if (mmu != null) {
            out.accept(count(mmu.hits() + mmu.misses(), "dmar0/iotlb_lookup/"));
            out.accept(count(mmu.hits(), "dmar0/iotlb_hit/"));
        }
    }

    private static String count(long value, String event) {
        return String.format(Locale.ROOT, "%,19d      %s", value, event);
    }
}
