package dev.clockwire.roce.verbs;

/**
 * What a device can do ({@code ibv_device_attr}).
 *
 * @param nodeGuid global identifier of the device
 * @param firmwareVersion as text
 * @param vendorId PCI vendor
 * @param vendorPartId PCI device
 * @param maxMrSize bytes of a memory region
 * @param maxQp queue pairs
 * @param maxQpWr work requests of a queue
 * @param maxSge scatter/gather entries of a work request
 * @param maxSgeRead scatter/gather entries of a READ
 * @param maxInlineData bytes of inline data
 * @param maxCq completion queues
 * @param maxCqe entries of a completion queue
 * @param maxMr memory regions
 * @param maxPd protection domains
 * @param maxQpRdAtomic READs and atomics that a responder keeps
 * @param maxQpInitRdAtomic READs and atomics that a requester has outstanding
 * @param maxAh address handles
 * @param maxSrq shared receive queues
 * @param maxSrqWr work requests of a shared receive queue
 * @param maxSrqSge scatter/gather entries of its work requests
 * @param maxMw memory windows
 * @param maxDmSize bytes of device memory; 0 if there is none
 * @param maxPkeys entries of a port's partition table
 * @param ports physical ports
 */
public record DeviceAttributes(
        long nodeGuid,
        String firmwareVersion,
        int vendorId,
        int vendorPartId,
        long maxMrSize,
        int maxQp,
        int maxQpWr,
        int maxSge,
        int maxSgeRead,
        int maxInlineData,
        int maxCq,
        int maxCqe,
        int maxMr,
        int maxPd,
        int maxQpRdAtomic,
        int maxQpInitRdAtomic,
        int maxAh,
        int maxSrq,
        int maxSrqWr,
        int maxSrqSge,
        int maxMw,
        long maxDmSize,
        int maxPkeys,
        int ports) {

    /** Returns a copy with another size of the device memory. */
    public DeviceAttributes withDeviceMemory(long bytes) {
        return new DeviceAttributes(
                nodeGuid,
                firmwareVersion,
                vendorId,
                vendorPartId,
                maxMrSize,
                maxQp,
                maxQpWr,
                maxSge,
                maxSgeRead,
                maxInlineData,
                maxCq,
                maxCqe,
                maxMr,
                maxPd,
                maxQpRdAtomic,
                maxQpInitRdAtomic,
                maxAh,
                maxSrq,
                maxSrqWr,
                maxSrqSge,
                maxMw,
                bytes,
                maxPkeys,
                ports);
    }

    /** Returns the limits of a ConnectX-like device with these names. */
    public static DeviceAttributes connectX(long nodeGuid, String firmwareVersion, int vendorPartId) {
        return new DeviceAttributes(
                nodeGuid,
                firmwareVersion,
                0x2C9,
                vendorPartId,
                Long.MAX_VALUE,
                1 << 17,
                1 << 15,
                30,
                30,
                956,
                1 << 24,
                (1 << 22) - 1,
                1 << 24,
                1 << 23,
                16,
                16,
                Integer.MAX_VALUE,
                1 << 23,
                (1 << 15) - 1,
                31,
                1 << 24,
                128 << 10,
                128,
                1);
    }
}
