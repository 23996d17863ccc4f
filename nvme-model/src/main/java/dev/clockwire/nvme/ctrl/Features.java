package dev.clockwire.nvme.ctrl;

import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/** What Set Features and Get Features know. Values hold until the controller is disabled; none can be saved. */
final class Features implements State {
    static final int ARBITRATION = 0x01;
    static final int QUEUES = 0x07;
    static final int COALESCING = 0x08;
    static final int VECTOR = 0x09;
    static final int EVENTS = 0x0B;
    static final int KEEP_ALIVE = 0x0F;
    /** Power, temperature, error recovery, write cache, write atomicity: kept and told, nothing else. */
    private static final int[] KEPT = {ARBITRATION, 0x02, 0x04, 0x05, 0x06, QUEUES, COALESCING, 0x0A, EVENTS, KEEP_ALIVE
    };

    private static final int COUNT = 0x20;
    private static final int TEMPERATURE = 0x04;
    private static final int ERROR_RECOVERY = 0x05;
    private static final int WRITE_CACHE = 0x06;
    /** Error recovery, DULBE. */
    private static final int UNWRITTEN_ERROR = 1 << 16;

    private static final int SAVE = 1 << 31;
    private static final int BOTH = 0xFFFF;
    /** Get Features, SEL: what is supported. */
    private static final int CAPABILITIES = 3;

    private static final int CHANGEABLE = 4;
    private static final int DEFAULT = 1;

    private final int[] value = new int[COUNT];
    private final int ioQueues;
    private final int namespaces;
    private final boolean writeCache;
    private final Arbiter arbiter;
    private final Interrupts interrupts;
    private final Queues queues;

    Features(NvmeSpec spec, Queues queues, Arbiter arbiter, Interrupts interrupts) {
        ioQueues = spec.ioQueues();
        namespaces = spec.namespaces().size();
        writeCache = spec.media().buffer().bytes() > 0;
        this.queues = queues;
        this.arbiter = arbiter;
        this.interrupts = interrupts;
        reset();
    }

    void reset() {
        Arrays.fill(value, 0);
        value[ARBITRATION] = 7;
        value[TEMPERATURE] = 343;
        value[WRITE_CACHE] = writeCache ? 1 : 0;
        arbiter.feature(value[ARBITRATION]);
        interrupts.reset();
    }

    int value(int feature) {
        return value[feature];
    }

    private static boolean kept(int feature) {
        for (int k : KEPT) {
            if (k == feature) {
                return true;
            }
        }
        return feature == VECTOR;
    }

    /** Sets a feature; the command's result may change. Returns 0 or a status. */
    int set(Command c) {
        int feature = c.entry.dword(10) & 0xFF;
        int wanted = c.entry.dword(11);
        if (!kept(feature)) {
            return NvmeStatus.INVALID_FIELD.code() | NvmeStatus.DO_NOT_RETRY;
        }
        if ((c.entry.dword(10) & SAVE) != 0) {
            return NvmeStatus.FEATURE_NOT_SAVEABLE.code() | NvmeStatus.DO_NOT_RETRY;
        }
        int nsid = c.entry.nsid();
        if (nsid != 0 && nsid != SqEntry.ALL_NAMESPACES) { // all features are of the controller
            boolean exists = nsid > 0 && nsid <= namespaces;
            return (exists ? NvmeStatus.FEATURE_NOT_OF_NAMESPACE : NvmeStatus.INVALID_NAMESPACE).code()
                    | NvmeStatus.DO_NOT_RETRY;
        }
        switch (feature) {
            case QUEUES -> {
                return queues(c, wanted);
            }
            case VECTOR -> {
                int vector = wanted & BOTH;
                if (vector >= interrupts.vectors()) {
                    return NvmeStatus.INVALID_FIELD.code() | NvmeStatus.DO_NOT_RETRY;
                }
                interrupts.vector(vector, (wanted >>> 16 & 1) != 0);
                return 0;
            }
            case ERROR_RECOVERY -> {
                if ((wanted & UNWRITTEN_ERROR) != 0) { // NSFEAT: no namespace can tell deallocated blocks
                    return NvmeStatus.INVALID_FIELD.code() | NvmeStatus.DO_NOT_RETRY;
                }
            }
            case ARBITRATION -> arbiter.feature(wanted);
            case COALESCING -> interrupts.feature(wanted);
            case WRITE_CACHE -> {
                if (!writeCache) {
                    return NvmeStatus.INVALID_FIELD.code() | NvmeStatus.DO_NOT_RETRY;
                }
            }
            default -> {
                // kept
            }
        }
        value[feature] = wanted;
        return 0;
    }

    private int queues(Command c, int wanted) {
        int sqs = wanted & BOTH;
        int cqs = wanted >>> 16;
        if (sqs == BOTH || cqs == BOTH) {
            return NvmeStatus.INVALID_FIELD.code() | NvmeStatus.DO_NOT_RETRY;
        }
        if (queues.anyIo()) {
            return NvmeStatus.SEQUENCE_ERROR.code() | NvmeStatus.DO_NOT_RETRY;
        }
        value[QUEUES] = both();
        c.result = value[QUEUES] & 0xFFFF_FFFFL;
        return 0;
    }

    /** Tells a feature in the command's result. Returns 0 or a status. */
    int get(Command c) {
        int feature = c.entry.dword(10) & 0xFF;
        int select = c.entry.dword(10) >>> 8 & 7;
        if (!kept(feature) || select > CAPABILITIES) {
            return NvmeStatus.INVALID_FIELD.code() | NvmeStatus.DO_NOT_RETRY;
        }
        if (select == CAPABILITIES) {
            c.result = CHANGEABLE;
            return 0;
        }
        if (feature == VECTOR) {
            int vector = c.entry.dword(11) & BOTH;
            if (vector >= interrupts.vectors()) {
                return NvmeStatus.INVALID_FIELD.code() | NvmeStatus.DO_NOT_RETRY;
            }
            c.result = vector | (interrupts.isImmediate(vector) ? 1 << 16 : 0);
            return 0;
        }
        int now = feature == QUEUES ? both() : value[feature];
        c.result = (select == DEFAULT ? defaultOf(feature) : now) & 0xFFFF_FFFFL;
        return 0;
    }

    /** Returns the queues of both kinds, 0's based, as the feature tells them. */
    private int both() {
        return (ioQueues - 1) << 16 | (ioQueues - 1);
    }

    private int defaultOf(int feature) {
        return switch (feature) {
            case ARBITRATION -> 7;
            case TEMPERATURE -> 343;
            case WRITE_CACHE -> writeCache ? 1 : 0;
            case QUEUES -> both();
            default -> 0;
        };
    }

    @Override
    public void save(Snapshot out) {
        for (int v : value) {
            out.putInt(v);
        }
    }

    @Override
    public void load(Snapshot in) {
        for (int i = 0; i < COUNT; i++) {
            value[i] = in.getInt();
        }
    }
}
