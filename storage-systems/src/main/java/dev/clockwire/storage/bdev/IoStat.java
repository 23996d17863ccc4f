package dev.clockwire.storage.bdev;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/**
 * What {@code bdev_get_iostat} tells of a device; a tick is a picosecond. Reads, writes and unmaps count when they have succeeded, other
 * I/Os not at all, failures of all kinds as errors.
 */
public final class IoStat implements State {
    private final Kind read = new Kind();
    private final Kind write = new Kind();
    private final Kind unmap = new Kind();
    private long errors;

    /** Creates a record of nothing. */
    public IoStat() {}

    /** Returns what there is of reads. */
    public Kind read() {
        return read;
    }

    /** Returns what there is of writes. */
    public Kind write() {
        return write;
    }

    /** Returns what there is of unmaps. */
    public Kind unmap() {
        return unmap;
    }

    /** Returns the number of I/Os that did not succeed. */
    public long errors() {
        return errors;
    }

    void count(IoType type, BdevStatus status, long bytes, long ticks) {
        if (status != BdevStatus.SUCCESS) {
            errors++;
            return;
        }
        switch (type) {
            case READ -> read.count(bytes, ticks);
            case WRITE -> write.count(bytes, ticks);
            case UNMAP -> unmap.count(bytes, ticks);
            default -> {}
        }
    }

    void add(IoStat other) {
        read.add(other.read);
        write.add(other.write);
        unmap.add(other.unmap);
        errors += other.errors;
    }

    @Override
    public void save(Snapshot out) {
        read.save(out);
        write.save(out);
        unmap.save(out);
        out.putLong(errors);
    }

    @Override
    public void load(Snapshot in) {
        read.load(in);
        write.load(in);
        unmap.load(in);
        errors = in.getLong();
    }

    /** I/Os of one kind. */
    public static final class Kind implements State {
        private long ops;
        private long bytes;
        private long latencyTicks;
        private long maxTicks;
        private long minTicks;

        private Kind() {}

        private void count(long n, long ticks) {
            minTicks = ops == 0 ? ticks : Math.min(minTicks, ticks);
            maxTicks = Math.max(maxTicks, ticks);
            ops++;
            bytes += n;
            latencyTicks += ticks;
        }

        private void add(Kind other) {
            if (other.ops > 0) {
                minTicks = ops == 0 ? other.minTicks : Math.min(minTicks, other.minTicks);
                maxTicks = Math.max(maxTicks, other.maxTicks);
                ops += other.ops;
                bytes += other.bytes;
                latencyTicks += other.latencyTicks;
            }
        }

        /** Returns their number. */
        public long ops() {
            return ops;
        }

        /** Returns their bytes. */
        public long bytes() {
            return bytes;
        }

        /** Returns the sum of their latencies. */
        public long latencyTicks() {
            return latencyTicks;
        }

        /** Returns the longest, 0 if there is none. */
        public long maxTicks() {
            return maxTicks;
        }

        /** Returns the shortest, 0 if there is none. */
        public long minTicks() {
            return minTicks;
        }

        @Override
        public void save(Snapshot out) {
            out.putLong(ops);
            out.putLong(bytes);
            out.putLong(latencyTicks);
            out.putLong(maxTicks);
            out.putLong(minTicks);
        }

        @Override
        public void load(Snapshot in) {
            ops = in.getLong();
            bytes = in.getLong();
            latencyTicks = in.getLong();
            maxTicks = in.getLong();
            minTicks = in.getLong();
        }
    }
}
