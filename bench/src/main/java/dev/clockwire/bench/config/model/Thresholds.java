package dev.clockwire.bench.config.model;

/** What follows from several settings of a port. */
public final class Thresholds {
    /** Weight of the averaged queue on Comware where nobody set it. */
    private static final int COMWARE_AVERAGE = 9;

    private Thresholds() {}

    /** Returns n of the weight 2^-n with which a queue is averaged. */
    public static long average(DeviceConfig device, PortConfig port, int queue) {
        return port.whole(ClassKey.AVERAGE, queue, device.kind() == DeviceConfig.Kind.COMWARE ? COMWARE_AVERAGE : 0);
    }

    /**
     * Returns the shared bytes at which the sender of a priority is paused if nobody else takes any: the fixed threshold, or alpha B / (1 + alpha);
     * -1 if the files do not say enough.
     */
    public static long xoff(DeviceConfig device, PortConfig port, int c) {
        Setting fixed = port.get(ClassKey.XOFF, c);
        if (fixed != null) {
            return fixed.whole();
        }
        Setting alpha = port.get(ClassKey.ALPHA_LOG2, c);
        Setting pool = port.get(PortKey.POOL);
        if (alpha == null || pool == null) {
            return -1;
        }
        double a = Math.pow(2, alpha.value());
        return Math.round(a * pool.value() / (1 + a));
    }
}
