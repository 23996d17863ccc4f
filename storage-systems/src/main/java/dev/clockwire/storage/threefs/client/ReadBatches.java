package dev.clockwire.storage.threefs.client;

import dev.clockwire.storage.cluster.Task;
import dev.clockwire.storage.cluster.Worker;
import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.ReadList;
import dev.clockwire.storage.threefs.rpc.RpcPeer;
import dev.clockwire.storage.threefs.rpc.RpcReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads that are submitted together and go to the same node are asked for together: up to so many, and 4 MiB. */
final class ReadBatches {
    private static final int MOST_BYTES = 4 << 20;

    private final Worker worker;
    private final int most;
    private final Transmissions permits;
    private final Map<Integer, Batch> open = new TreeMap<>();
    private final Task flush = (a, b) -> flush();
    private boolean gathering;
    private boolean posted;

    /** Reads of one node that are not asked for yet. */
    private static final class Batch {
        final RpcPeer to;
        final List<Message> reads = new ArrayList<>();
        final List<RpcReply> replies = new ArrayList<>();
        long bytes;
        long timeoutPs;

        Batch(RpcPeer to) {
            this.to = to;
        }

        void ask(Transmissions permits) {
            int n = reads.size();
            Message m = ReadList.request(reads);
            m.request = permits.begin();
            to.call(m, timeoutPs, answer -> {
                permits.end(m.request);
                for (int i = 0; i < n; i++) {
                    replies.get(i).answered(ReadList.answerOf(answer, i, n));
                }
            });
        }
    }

    /**
     * Creates an empty set.
     *
     * @param most reads of a request
     * @param permits of those who send what was read
     */
    ReadBatches(Worker worker, int most, Transmissions permits) {
        this.worker = worker;
        this.most = most;
        this.permits = permits;
    }

    /** Asks for a read, with others of its node. */
    void ask(int node, RpcPeer to, Message read, long timeoutPs, RpcReply reply) {
        Batch b = open.get(node);
        if (b != null && (b.to != to || b.bytes + read.length > MOST_BYTES)) {
            open.remove(node);
            b.ask(permits);
            b = null;
        }
        if (b == null) {
            b = new Batch(to);
            open.put(node, b);
        }
        b.reads.add(read);
        b.replies.add(reply);
        b.bytes += read.length;
        b.timeoutPs = Math.max(b.timeoutPs, timeoutPs);
        if (b.reads.size() == most) {
            open.remove(node);
            b.ask(permits);
        } else if (!gathering && !posted) {
            posted = true;
            worker.post(flush, 0, 0); // behind what else is submitted in this step
        }
    }

    /** Runs what submits reads: they are asked for when it ends. */
    void together(Runnable submits) {
        gathering = true;
        submits.run();
        gathering = false;
        flush();
    }

    private void flush() {
        posted = false;
        List<Batch> all = new ArrayList<>(open.values());
        open.clear();
        all.forEach(b -> b.ask(permits));
    }
}
