package dev.clockwire.storage.nvmf.initiator;

import dev.clockwire.nvme.driver.NvmeDone;
import dev.clockwire.nvme.fabrics.ConnectData;
import dev.clockwire.nvme.fabrics.FabricsCommand;
import dev.clockwire.nvme.fabrics.RdmaPrivateData;
import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.WcFlag;
import dev.clockwire.roce.verbs.WcOpcode;
import dev.clockwire.roce.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A queue of a remote controller: an RDMA connection, capsules and their answers. It is used on its group's thread. A command is done when its
 * send has completed and its answer has come, in whichever order. While there is no connection, commands wait; they are sent anew on the next one.
 */
public final class RemoteQueue {
    private static final int SENT = 1;
    private static final int ANSWERED = 2;
    private static final int BUSY = 4;
    private static final int ABORTING = 8;
    private static final int CONNECTING = 16;
    private static final int RECEIVE = 1 << 31;
    private static final int CONTROLLER = 0xFFFF;
    private static final long MS = 1_000_000_000L;

    private final NvmfHost host;
    private final PollGroup group;
    private final RemoteController controller;
    private final int id;
    private final int number;
    private final int entries;
    private final boolean keeps;
    private final byte[] state;
    private final int[] tags;
    private final int[] results;
    private final long[] wide;
    private final long[] sincePs;
    private final int[] free;
    private final NvmeDone done;
    private final SendBatch sends;
    private final ReceiveBatch receives;
    private final SqEntry entry = new SqEntry();
    private final CqEntry answer = new CqEntry();
    private final Capsules capsules;
    private CommandTap tap = CommandTap.NONE;
    private @Nullable RdmaLink link;
    private @Nullable QueuePair qp;
    private State life = State.CLOSED;
    private int freeCount;
    private final List<Runnable> closers = new ArrayList<>();
    /** Entries that the target is told of. */
    private int ring;

    private int usable;
    private int outstanding;
    private boolean dead;
    private int sqHead;
    private long submitted;
    private long completed;
    private long doorbells;
    private long receiveDoorbells;
    private long unknown;
    private long resent;

    /** Where a queue is in its life. */
    public enum State {
        /** No connection. */
        CLOSED,
        /** The RDMA connection is being made. */
        CONNECTING,
        /** Connect is under way. */
        FABRIC_CONNECT,
        /** Commands go out. */
        CONNECTED,
        /** The connection is lost, its remains are being removed. */
        CLOSING
    }

    RemoteQueue(NvmfHost host, PollGroup group, RemoteController controller, int id, int entries, NvmeDone done) {
        this.host = host;
        this.group = group;
        this.controller = controller;
        this.id = id;
        this.entries = entries;
        this.done = done;
        keeps = id > 0;
        number = group.add(this);
        state = new byte[entries];
        tags = new int[entries];
        results = new int[entries];
        wide = new long[entries];
        capsules = new Capsules(host, group, entries);
        sincePs = new long[entries];
        free = new int[entries];
        ring = entries;
        usable = entries - 1;
        for (int i = usable - 1; i >= 0; i--) {
            free[freeCount++] = i;
        }
        sends = new SendBatch(entries, 2);
        receives = new ReceiveBatch(entries, 1);
    }

    /** Returns its number, 0 for the admin queue. */
    public int id() {
        return id;
    }

    /** Returns the group that polls it. */
    public PollGroup group() {
        return group;
    }

    /** Returns where it is in its life. */
    public State state() {
        return life;
    }

    /** Whether nothing is left of its connection. */
    boolean isClosed() {
        return life == State.CLOSED && link == null;
    }

    /** Returns the commands that may be under way at a time. */
    public int depth() {
        return usable;
    }

    /** Returns the commands that have not ended, those that wait for a connection included. */
    public int outstanding() {
        return outstanding;
    }

    /** Returns how many commands may be submitted now. */
    public int free() {
        return dead ? 0 : Math.max(0, usable - outstanding);
    }

    /** Whether commands fail at once: no further connection will be tried, or waiting has taken too long. */
    public boolean isDead() {
        return dead;
    }

    /** Sets the one observer of commands. */
    public void observe(CommandTap observer) {
        tap = observer;
    }

    /** Begins a connection; memory is registered before the first. */
    void connect() {
        life = State.CONNECTING;
        Completion<MemoryRegion> registered = capsules.allocate("nvmf.queue" + id);
        if (registered == null) {
            connectRdma();
            return;
        }
        registered.whenDone(r -> host.on(group.thread(), this::connectRdma));
        registered.whenFailed(
                why -> host.on(group.thread(), () -> lost("its memory is not registered, " + why.getMessage())));
    }

    private void connectRdma() {
        RdmaPrivateData.Request request =
                new RdmaPrivateData.Request(id, ring, ring, id == 0 ? 0 : controller.controllerId());
        RdmaLink made = new RdmaLink(host, group, controller.where(), request, new Linked());
        link = made;
        made.open();
    }

    /** What the connection tells. */
    private final class Linked implements RdmaLink.Events {
        @Override
        public void ready(QueuePair made) {
            qp = made;
            sends.clear();
            receives.clear();
            for (int i = 0; i < ring; i++) {
                addReceive(i);
            }
            flushReceives();
        }

        @Override
        public void up(int commands) {
            life = State.FABRIC_CONNECT;
            limit(commands);
            fabricConnect();
        }

        @Override
        public void down(String why) {
            lost(why);
        }
    }

    /** A target that takes fewer commands than the queue has entries would have no receive for some: they are not sent. */
    private void limit(int commands) {
        usable = Math.min(ring - 1, commands);
    }

    private void fabricConnect() {
        long at = capsules.putConnectData(controller.connectData(id));
        int keepAlive = id == 0 ? host.spec().keepAliveMs() : 0;
        FabricsCommand.connect(entry, 0, id, ring, true, keepAlive);
        int cid = entries - 1; // beyond those of other commands: these may be waiting
        begin(cid, 0, CONNECTING);
        capsules.put(entry, cid, at, ConnectData.BYTES);
        post(cid);
        group.hurry();
        flush();
    }

    private CpuCore cpu() {
        return group.thread().reactor().core();
    }

    /** The controller's queues have at most so many entries. */
    void limitEntries(int most) {
        ring = Math.min(entries, most);
        usable = ring - 1;
    }

    /** Sets how many bytes of data a capsule has room for; 0 = none. */
    void setInCapsule(int room) {
        capsules.setInCapsule(room);
    }

    /**
     * Submits a command; its data pointer and identifier are set here.
     *
     * @param va address of the data, in memory registered with the group
     * @param size bytes of the data, 0 = none
     * @param tag comes back when it ends
     * @return false if the queue is full or dead
     */
    public boolean submit(SqEntry command, long va, int size, int tag) {
        if (outstanding >= usable || dead) {
            return false;
        }
        int cid = free[--freeCount];
        cpu().charge(host.spec().buildPs());
        begin(cid, tag, BUSY);
        outstanding++;
        submitted++;
        tap.submitted(id, cid, sincePs[cid]);
        capsules.put(command, cid, va, size);
        if (life == State.CONNECTED) {
            post(cid);
            if (!host.spec().batching()) {
                flush();
            }
        }
        return true;
    }

    /** Submits a read, write or compare; see {@link #submit}. */
    public boolean transfer(int opcode, int nsid, long slba, int blocks, long va, int size, int tag) {
        return submit(entry.clear().command(opcode, 0, nsid).blocks(slba, blocks), va, size, tag);
    }

    private void begin(int cid, int tag, int how) {
        state[cid] = (byte) how;
        tags[cid] = tag;
        sincePs[cid] = cpu().now();
    }

    private void post(int cid) {
        SendEntry wr = sends.add();
        wr.wrId = PollGroup.wrId(number, cid);
        wr.flags = SendFlag.SIGNALED.code();
        capsules.fill(wr, cid);
    }

    private void addReceive(int i) {
        var wr = receives.add();
        wr.wrId = PollGroup.wrId(number, RECEIVE | i);
        capsules.fill(wr, i);
    }

    /** Posts what has gathered, with one doorbell; returns how many sends these were. */
    int flush() {
        flushReceives();
        int n = sends.size();
        QueuePair pair = qp;
        if (n == 0 || pair == null) {
            return 0;
        }
        pair.postSend(sends);
        doorbells++;
        long now = cpu().now();
        for (int i = 0; i < n; i++) {
            tap.posted(id, (int) sends.get(i).wrId, now);
        }
        sends.clear();
        return n;
    }

    private void flushReceives() {
        QueuePair pair = qp;
        if (receives.size() > 0 && pair != null) {
            pair.postReceive(receives);
            receiveDoorbells++;
            receives.clear();
        }
    }

    /** A send has completed or an answer has come. */
    void completed(WorkCompletion wc) {
        if (life != State.CONNECTED && life != State.FABRIC_CONNECT) {
            return;
        }
        int low = (int) wc.wrId;
        if (wc.status != WcStatus.SUCCESS) {
            lost("completion with " + wc.status.text());
        } else if (wc.opcode == WcOpcode.RECV) {
            received(low & ~RECEIVE, wc);
        } else {
            mark(low, SENT);
        }
    }

    private void received(int i, WorkCompletion wc) {
        capsules.read(i, answer);
        addReceive(i);
        int cid = answer.cid();
        boolean known = cid < entries && (state[cid] & (BUSY | CONNECTING)) != 0 && (state[cid] & ANSWERED) == 0;
        if (!known || wc.byteLength != CqEntry.BYTES || WcFlag.WITH_INV.in(wc.flags)) {
            unknown++;
            lost(wrong(known, wc));
            return;
        }
        sqHead = answer.sqHead();
        results[cid] = answer.status() | (answer.doNotRetry() ? NvmeStatus.DO_NOT_RETRY : 0);
        wide[cid] = answer.result();
        mark(cid, ANSWERED);
    }

    private static String wrong(boolean known, WorkCompletion wc) {
        if (wc.byteLength != CqEntry.BYTES) {
            return "an answer of " + wc.byteLength + " B";
        }
        return known ? "an answer that ends a key" : "an answer to no command";
    }

    private void mark(int cid, int what) {
        if ((state[cid] & (BUSY | CONNECTING)) == 0) {
            return;
        }
        state[cid] |= (byte) what;
        if ((state[cid] & (SENT | ANSWERED)) == (SENT | ANSWERED)) {
            end(cid, results[cid], wide[cid]);
        }
    }

    private void end(int cid, int status, long result) {
        boolean connect = (state[cid] & CONNECTING) != 0;
        state[cid] = 0;
        if (connect) {
            group.relax();
            connected(status, result);
            return;
        }
        cpu().charge(host.spec().finishPs());
        free[freeCount++] = cid;
        outstanding--;
        completed++;
        tap.ended(id, cid, cpu().now());
        done.done(tags[cid], status, result);
    }

    private void connected(int status, long result) {
        if (status != 0) {
            lost("Connect: " + RemoteController.words(status) + wrongField(status, result));
            return;
        }
        life = State.CONNECTED;
        for (int cid = 0; cid < entries; cid++) {
            if ((state[cid] & BUSY) != 0) {
                state[cid] &= BUSY;
                sincePs[cid] = cpu().now();
                capsules.renew(cid);
                post(cid);
                resent++;
            }
        }
        int cntlid = (int) result & CONTROLLER;
        host.on(host.main(), () -> controller.queueUp(this, cntlid));
    }

    private static String wrongField(int status, long result) {
        if ((status & NvmeStatus.MORE - 1) != NvmeStatus.CONNECT_INVALID.code()) {
            return "";
        }
        String where = (result >>> Short.SIZE & 1) == 1 ? " of the data" : " of the command";
        return ", byte " + (result & CONTROLLER) + where;
    }

    /** The connection is of no use any more. */
    void lost(String why) {
        if (life == State.CLOSED || life == State.CLOSING) {
            return;
        }
        close(() -> host.on(host.main(), () -> controller.queueDown(this, why)));
    }

    /** Ends the connection; commands that have not ended wait, or fail if the queue does not keep them. */
    void close(Runnable then) {
        RdmaLink l = link;
        if (l == null || life == State.CLOSED) {
            life = State.CLOSED;
            then.run();
            return;
        }
        closers.add(then);
        if (life == State.CLOSING) {
            return;
        }
        life = State.CLOSING;
        qp = null;
        sends.clear();
        receives.clear();
        if ((state[entries - 1] & CONNECTING) != 0) {
            state[entries - 1] = 0;
            group.relax();
        }
        l.close(() -> {
            link = null;
            life = State.CLOSED;
            if (!keeps) {
                failAll(NvmeStatus.ABORTED_SQ_DELETED.code());
            }
            List<Runnable> told = List.copyOf(closers);
            closers.clear();
            told.forEach(Runnable::run);
        });
    }

    /** Ends all commands with a status. */
    void failAll(int status) {
        for (int cid = 0; cid < entries; cid++) {
            if ((state[cid] & BUSY) != 0) {
                end(cid, status, 0);
            }
        }
    }

    /** From now on commands are refused, or taken again. */
    void setDead(boolean now) {
        dead = now;
        if (now) {
            failAll(NvmeStatus.HOST_PATH.code());
        }
    }

    /** Looks whether Connect has taken too long. */
    void checkConnect(long limitPs) {
        if (life == State.FABRIC_CONNECT && cpu().now() - sincePs[entries - 1] > limitPs) {
            lost("Connect was not answered within " + limitPs / MS + " ms");
        }
    }

    /** Looks for commands that have taken too long: each is aborted once; one that survives this costs the connection. */
    void checkTimes(long limitPs) {
        long now = cpu().now();
        for (int cid = 0; cid < entries && life == State.CONNECTED; cid++) {
            if ((state[cid] & BUSY) != 0 && now - sincePs[cid] > limitPs) {
                if ((state[cid] & ABORTING) != 0) {
                    lost("command " + cid + " has not ended within " + 2 * limitPs / MS + " ms");
                } else {
                    state[cid] |= ABORTING;
                    sincePs[cid] = now;
                    int which = cid;
                    host.on(host.main(), () -> controller.abort(id, which, (tag, status, result) -> {}));
                }
            }
        }
    }

    /** Returns the identifier of the command with a tag, -1 if there is none under way. */
    public int cidOf(int tag) {
        for (int cid = 0; cid < entries; cid++) {
            if ((state[cid] & BUSY) != 0 && tags[cid] == tag) {
                return cid;
            }
        }
        return -1;
    }

    /** Returns how far the target has come, as its last answer says. */
    public int sqHead() {
        return sqHead;
    }

    /** Returns the commands submitted. */
    public long submitted() {
        return submitted;
    }

    /** Returns the commands that have ended. */
    public long completed() {
        return completed;
    }

    /** Returns how often the doorbell of sends was rung. */
    public long sendDoorbells() {
        return doorbells;
    }

    /** Returns how often receives were posted. */
    public long receiveDoorbells() {
        return receiveDoorbells;
    }

    /** Returns answers that no command has asked for. */
    public long unknown() {
        return unknown;
    }

    /** Returns commands that were sent again on a new connection. */
    public long resent() {
        return resent;
    }
}
