package dev.clockwire.storage.perf;

import dev.clockwire.storage.nvmf.initiator.CommandTap;
import dev.clockwire.storage.nvmf.target.NvmfTarget;
import dev.clockwire.storage.nvmf.target.RequestState;
import java.util.Arrays;
import java.util.List;

/**
 * Stamps the stages of commands: capsule posted; at the target's core; handed to the block device; its data fetched before that, if they are; done
 * there; response posted; the rest is until the host has it.
 */
final class FabricStages implements CommandTap, NvmfTarget.StateTap {
    static final List<String> NAMES =
            List.of("post", "request", "parse", "fetch_data", "execute", "device", "respond", "response");
    private static final int POST = 0;
    private static final int REQUEST = 1;
    private static final int PARSE = 2;
    private static final int FETCH = 3;
    private static final int EXECUTE = 4;
    private static final int DEVICE = 5;
    private static final int RESPOND = 6;

    private final StageTimes times;
    private final int entries;
    /** When each request of each queue arrived at the target's core; what it is, is known a step later. */
    private final long[][] arrivedPs;

    private int ending;

    FabricStages(int queues, int entries) {
        this.entries = entries;
        times = new StageTimes((queues + 1) * entries, NAMES);
        arrivedPs = new long[queues + 1][0];
    }

    StageTimes times() {
        return times;
    }

    private int at(int queue, int cid) {
        return queue * entries + cid;
    }

    @Override
    public void submitted(int queue, int cid, long ps) {
        times.begin(at(queue, cid));
    }

    @Override
    public void posted(int queue, int cid, long ps) {
        times.stamp(POST, at(queue, cid), ps);
    }

    @Override
    public void ended(int queue, int cid, long ps) {
        ending = at(queue, cid);
    }

    @Override
    public void changed(int queue, int slot, int cid, RequestState from, RequestState to, long ps) {
        if (queue == 0 || queue >= arrivedPs.length) {
            return;
        }
        if (to == RequestState.NEW) {
            arrived(queue, slot, ps);
            return;
        }
        int tag = at(queue, Math.min(cid, entries - 1));
        if (from == RequestState.NEW) {
            times.stamp(REQUEST, tag, arrivedPs[queue][slot]);
        }
        switch (to) {
            case TRANSFERRING_HOST_TO_CONTROLLER -> times.stamp(PARSE, tag, ps);
            case READY_TO_EXECUTE ->
                times.stamp(from == RequestState.TRANSFERRING_HOST_TO_CONTROLLER ? FETCH : PARSE, tag, ps);
            case EXECUTING -> times.stamp(EXECUTE, tag, ps);
            case EXECUTED -> times.stamp(DEVICE, tag, ps);
            case TRANSFERRING_CONTROLLER_TO_HOST, COMPLETING -> times.stamp(RESPOND, tag, ps);
            default -> {}
        }
    }

    private void arrived(int queue, int slot, long ps) {
        if (slot >= arrivedPs[queue].length) {
            arrivedPs[queue] = Arrays.copyOf(arrivedPs[queue], Math.max(slot + 1, 2 * arrivedPs[queue].length));
        }
        arrivedPs[queue][slot] = ps;
    }

    void count(long fromPs, long toPs) {
        times.count(ending, fromPs, toPs);
    }
}
