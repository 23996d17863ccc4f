package dev.clockwire.storage.nvmf.target;

import dev.clockwire.nvme.format.NvmeStatus;
import java.util.Arrays;

/** What a host has set with Set Features; none can be saved. */
final class SessionFeatures {
    private static final int TEMPERATURE = 0x04;
    static final int WRITE_CACHE = 0x06;
    static final int QUEUES = 0x07;
    static final int EVENTS = 0x0B;
    static final int KEEP_ALIVE = 0x0F;
    static final int HOST_ID = 0x81;
    /** Arbitration, power, temperature, error recovery, write atomicity, host behaviour: kept and told, nothing else. */
    private static final int[] KEPT = {0x01, 0x02, 0x04, 0x05, WRITE_CACHE, QUEUES, 0x0A, EVENTS, KEEP_ALIVE, 0x16};

    private static final int COUNT = 0x20;
    private static final int SAVE = 1 << 31;
    private static final int FID = 0xFF;
    private static final int LOWER = 0xFFFF;
    private static final int HOST_ID_BYTES = 16;

    private final int[] values = new int[COUNT];
    private final NvmfTarget target;

    SessionFeatures(NvmfTarget target) {
        this.target = target;
        values[TEMPERATURE] = LOWER; // no threshold
        values[WRITE_CACHE] = 1;
        values[QUEUES] = queues();
    }

    private int queues() {
        int most = target.limits().maxIoQpairs() - 1;
        return (most << 16) | most;
    }

    void keepAlive(long ms) {
        values[KEEP_ALIVE] = (int) ms;
    }

    int keepAlive() {
        return values[KEEP_ALIVE];
    }

    /** Returns which notices the host wants. */
    int events() {
        return values[EVENTS];
    }

    private static boolean isKept(int fid) {
        return Arrays.binarySearch(KEPT, fid) >= 0;
    }

    /** Set Features. */
    void set(NvmfRequest r, Controller c) {
        int fid = r.cmd.dword(10) & FID;
        int value = r.cmd.dword(11);
        if ((r.cmd.dword(10) & SAVE) != 0) {
            r.refuse(NvmeStatus.FEATURE_NOT_SAVEABLE);
        } else if (!isKept(fid)) {
            r.refuse(fid == HOST_ID ? NvmeStatus.SEQUENCE_ERROR : NvmeStatus.INVALID_FIELD);
        } else if (fid == QUEUES) {
            setQueues(r, c, value);
        } else if (fid == KEEP_ALIVE) {
            c.setKeepAlive(value & 0xFFFF_FFFFL);
            r.result = target.spec().profile() == TargetProfile.LINUX ? 0 : values[KEEP_ALIVE] & 0xFFFF_FFFFL;
            r.end(0);
        } else {
            values[fid] = value;
            // Linux answers what was set; of the events it was seen
            r.result = target.spec().profile() == TargetProfile.LINUX && fid == EVENTS ? value : 0;
            r.end(0);
        }
    }

    /** All queues there are, however many are asked for. They cannot be changed once one is in use. */
    private void setQueues(NvmfRequest r, Controller c, int value) {
        boolean used = false;
        for (int i = 1; i < c.maxQueues(); i++) {
            used |= c.queue(i) != null;
        }
        if (used) {
            r.refuse(NvmeStatus.SEQUENCE_ERROR);
        } else if ((value & LOWER) == LOWER || value >>> 16 == LOWER) {
            r.refuse(NvmeStatus.INVALID_FIELD);
        } else {
            r.result = values[QUEUES] & 0xFFFF_FFFFL;
            r.end(0);
        }
    }

    /** Get Features: the value, or with SEL 3 that it can be changed. */
    void get(NvmfRequest r, byte[] hostId) {
        int fid = r.cmd.dword(10) & FID;
        if (fid == HOST_ID) {
            if ((r.cmd.dword(11) & 1) == 0 || r.length < HOST_ID_BYTES) {
                r.refuse(NvmeStatus.INVALID_FIELD); // only 16 bytes are known in fabrics
            } else {
                r.answer(hostId, 0);
            }
        } else if (!isKept(fid)) {
            r.refuse(NvmeStatus.INVALID_FIELD);
        } else {
            boolean capabilities = ((r.cmd.dword(10) >>> 8) & 7) == 3;
            r.result = capabilities ? 4 : values[fid] & 0xFFFF_FFFFL;
            r.end(0);
        }
    }
}
