package dev.clockwire.storage.threefs.lane;

import dev.clockwire.nic.lab.MessageName;
import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.roce.cm.CmEvent;
import dev.clockwire.roce.cm.CmId;
import dev.clockwire.roce.cm.CmParameters;
import dev.clockwire.roce.cm.PrivateData;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.storage.cluster.CqSource;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.threefs.net.RdmaDone;
import dev.clockwire.storage.threefs.net.RdmaRange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The end of a lane that writes: message n goes into slot (n - 1) mod slots of the other side, and takes a receive there. Either a core writes them, or they are posted beforehand
 * behind a wait for what is to be passed on, and the NIC sends them when that has come.
 */
public final class LaneStart {
    /** Where nodes listen for lanes. */
    public static final int PORT = 8001;
    /** Most slots of a lane: their addresses come with the answer to its wish. */
    public static final int MOST_SLOTS = 16;

    private static final EnumSet<AccessFlag> ACCESS = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    private static final long RELEASE_PS = 1_000_000_000L;
    private static final int HEAD = 8;
    private static final int MASK = 0xFF_FFFF;
    private static final int SGES = 2;

    private static final MessageName WRITTEN = MessageName.of("PUSH");

    private final Node node;
    private final WireCount wire;
    private final int incarnation;
    private final int timeoutRetries;
    private final Consumer<Boolean> then;
    private final List<Long> remote = new ArrayList<>();
    private final Deque<RdmaDone> underWay = new ArrayDeque<>();
    private final SendBatch batch = new SendBatch(1, SGES);
    private @Nullable CmId id;
    private @Nullable QueuePair qp;
    private @Nullable CompletionQueue cq;
    private @Nullable CqSource source;
    private int rkey;
    private boolean open;
    private boolean dead;

    /**
     * Opens a lane to another node.
     *
     * @param then hears once whether it can be used, and again with false when it cannot any more
     */
    public LaneStart(Node node, WireCount wire, Node to, LaneTag tag, int retries, Consumer<Boolean> then) {
        this.node = node;
        this.wire = wire;
        this.then = then;
        timeoutRetries = retries;
        incarnation = node.incarnation();
        CmId end = node.connector().client(this::happened);
        id = end;
        node.context(0).createCq(4 * MOST_SLOTS).whenDone(queue -> {
            cq = queue;
            QpCapabilities sizes = new QpCapabilities(3 * MOST_SLOTS, 1, SGES, 1, 0);
            end.createQp(node.pd(), QpInit.of(QpType.RC, queue, sizes), ACCESS).whenDone(made -> {
                if (node.isStill(incarnation)) {
                    qp = made;
                    end.connect(to.gid(), PORT, new CmParameters(1, 1, false, timeoutRetries, 0, tag.encode()));
                }
            });
        });
    }

    /** Returns what the node that takes a lane up says of its slots. */
    public static PrivateData slots(List<Long> addresses, int rkey) {
        byte[] b = new byte[HEAD + Long.BYTES * addresses.size()];
        LittleEndian.put32(b, 0, addresses.size());
        LittleEndian.put32(b, 4, rkey);
        for (int i = 0; i < addresses.size(); i++) {
            LittleEndian.put64(b, HEAD + Long.BYTES * i, addresses.get(i));
        }
        return PrivateData.of(b);
    }

    private void happened(CmEvent e) {
        switch (e.type()) {
            case CONNECT_RESPONSE -> learn(e.privateData());
            case ESTABLISHED -> {
                if (remote.isEmpty()) {
                    learn(e.privateData());
                }
                if (!dead && !remote.isEmpty()) {
                    open = true;
                    source = new CqSource(node.worker(0), Objects.requireNonNull(cq), MOST_SLOTS, this::completed);
                    node.worker(0).add(source);
                    then.accept(true);
                }
            }
            case CONNECT_REQUEST -> {}
            default -> close();
        }
    }

    private void learn(PrivateData data) {
        byte[] b = data.bytes(HEAD + Long.BYTES * MOST_SLOTS);
        int n = Math.min(LittleEndian.get32(b, 0), MOST_SLOTS);
        rkey = LittleEndian.get32(b, 4);
        for (int i = 0; i < n; i++) {
            remote.add(LittleEndian.get64(b, HEAD + Long.BYTES * i));
        }
    }

    /** Returns whether messages can go. */
    public boolean isOpen() {
        return open && !dead;
    }

    /** Returns whether it has ended. */
    public boolean isDead() {
        return dead;
    }

    /** Returns the slots at the other side. */
    public int slots() {
        return remote.size();
    }

    /** Has the NIC wait until a completion queue has had n completions, then write message n. */
    public void forward(long n, CompletionQueue after, RdmaRange from, int head) {
        if (isOpen()) {
            Objects.requireNonNull(qp).postWait(n, after, n);
            RdmaRange whole = new RdmaRange(from.va() - head, from.length() + head, from.lkey(), 0, 0);
            write(n, List.of(whole), head, MessageName.PASSED_ON, ok -> {});
        }
    }

    /**
     * Writes message n.
     *
     * @param parts that lie behind each other in the slot
     * @param head bytes of them before the slot
     */
    public void write(long n, List<RdmaRange> parts, int head, RdmaDone done) {
        if (isOpen()) {
            write(n, parts, head, WRITTEN, done);
        } else {
            done.done(false);
        }
    }

    private void write(long n, List<RdmaRange> parts, int head, MessageName name, RdmaDone done) {
        batch.clear();
        SendEntry e = batch.add();
        e.opcode = WrOpcode.RDMA_WRITE_WITH_IMM;
        e.wrId = n;
        e.flags = SendFlag.SIGNALED.code();
        e.immOrKey = (int) (n & MASK);
        e.remoteAddress = remote.get((int) ((n - 1) % remote.size())) - head;
        e.rkey = rkey;
        parts.forEach(p -> e.sges().add(p.va(), p.length(), p.lkey()));
        underWay.add(done);
        QueuePair pair = Objects.requireNonNull(qp);
        wire.posted(node.number(), pair.qpn(), name);
        pair.postSend(batch);
    }

    private void completed(WorkCompletion wc) {
        boolean ok = wc.status == WcStatus.SUCCESS;
        if (!underWay.isEmpty()) {
            underWay.remove().done(ok);
        }
        if (!ok) {
            close();
        }
    }

    /** Ends it: what waits is never sent. */
    public void close() {
        if (dead) {
            return;
        }
        dead = true;
        boolean was = open; // while it is being connected its state changes: it is left to be destroyed
        open = false;
        CqSource s = source;
        if (s != null) {
            node.worker(0).remove(s);
        }
        CmId end = id;
        QueuePair pair = qp;
        if (pair == null) {
            ended();
            return;
        }
        qp = null;
        if (end != null && was) {
            end.disconnect();
        }
        node.worker(0)
                .after(
                        RELEASE_PS,
                        (x, y) -> pair.destroy().whenDone(gone -> node.worker(0).post((a, b) -> ended(), 0, 0)),
                        0,
                        0);
    }

    private void ended() {
        while (!underWay.isEmpty()) {
            underWay.remove().done(false);
        }
        then.accept(false);
    }
}
