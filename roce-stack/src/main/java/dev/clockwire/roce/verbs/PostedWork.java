package dev.clockwire.roce.verbs;

import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.sim.mem.Hold;
import dev.clockwire.sim.mem.Ownership;
import dev.clockwire.sim.mem.Release;
import dev.clockwire.sim.mem.RemoteMemory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** What the work requests of one queue pair own. */
final class PostedWork {
    private final PostedMemory memory;
    private final QueuePairProvider provider;
    private final QpInit init;
    private final int maxSends;
    private final PostedReceives receives;
    private final Deque<Send> sends = new ArrayDeque<>();
    /** Memory at the other end of a reliable connection, null if it is not watched. */
    private @Nullable RemoteMemory peer;

    private int peerQpn;
    /** Whether the device starts sends later than they are posted. */
    private boolean prepared;

    /** A send: which key goes when it succeeds, 0 for none. */
    private record Send(long wrId, boolean signaled, Ownership owner, int removes) {}

    PostedWork(PostedMemory memory, QueuePairProvider provider, QpInit init, PostedReceives receives) {
        this.memory = memory;
        this.provider = provider;
        this.init = init;
        maxSends = init.capabilities().maxSendWr();
        this.receives = receives;
        prepared = init.managedSends();
    }

    /** The queue pair has a peer, each of the two posting to the other. */
    void connected(QpAttributes now) {
        AddressVector way = now.addressVector();
        if (init.type() != QpType.RC || way == null) {
            return;
        }
        peerQpn = now.destQpn();
        peer = memory.sanitizer().behind(way.dgid().hi(), way.dgid().lo());
        if (peer != null) {
            memory.sanitizer().connected(memory.device(), provider.qpn(), peer, peerQpn);
        }
    }

    private void written(SendEntry wr, Ownership owner) {
        if (peer != null && (wr.opcode == WrOpcode.RDMA_WRITE || wr.opcode == WrOpcode.RDMA_WRITE_WITH_IMM)) {
            long length = wr.sges().totalLength();
            peer.memory()
                    .written(
                            owner, memory.place(), peer.device(), peerQpn, wr.remoteAddress, length, wr.rkey, prepared);
        }
    }

    /** A send is posted; the device does not know yet. */
    void sent(SendEntry wr) {
        Hold hold = wr.opcode.needsResponse() ? Hold.DEVICE_WRITES : Hold.DEVICE_READS;
        Ownership owner =
                memory.sanitizer().post(hold, memory.device(), provider.qpn(), false, wr.opcode.name(), wr.wrId);
        MwBind bind = wr.bind;
        boolean local = bind != null || wr.opcode == WrOpcode.LOCAL_INV;
        if (!local && !wr.has(SendFlag.INLINE)) {
            memory.cover(owner, wr.sges());
        }
        int removes = bind != null ? bind.window().rkey() : wr.opcode == WrOpcode.LOCAL_INV ? wr.immOrKey : 0;
        sends.add(new Send(wr.wrId, wr.has(SendFlag.SIGNALED), owner, removes));
        written(wr, owner);
    }

    /** A work request without memory is posted that has no completion unless it fails. */
    void sent(long wrId, String what) {
        Ownership owner =
                memory.sanitizer().post(Hold.DEVICE_READS, memory.device(), provider.qpn(), false, what, wrId);
        sends.add(new Send(wrId, false, owner, 0));
        prepared = true;
    }

    void received(ReceiveEntry wr) {
        receives.post(wr);
    }

    /** The program was given a completion. */
    void completed(WorkCompletion wc) {
        if (wc.opcode == WcOpcode.RECV || wc.opcode == WcOpcode.RECV_RDMA_WITH_IMM) {
            receives.completed(wc);
            if (wc.status == WcStatus.SUCCESS && WcFlag.WITH_INV.in(wc.flags)) {
                memory.sanitizer().keyRemoved(wc.immOrKey);
            }
        } else {
            sendCompleted(wc);
        }
        if (wc.status == WcStatus.WR_FLUSH_ERR) {
            checkDrained();
        }
    }

    /** Those before it are complete too, and no more than the provider has freed. */
    private void sendCompleted(WorkCompletion wc) {
        int freed = sends.size() - (maxSends - provider.sendSpace());
        int through = 0;
        int n = 0;
        for (Iterator<Send> i = sends.iterator(); i.hasNext() && n < freed && through == 0; ) {
            Send s = i.next();
            n++;
            if (s.wrId == wc.wrId && (s.signaled || wc.status != WcStatus.SUCCESS)) {
                through = n;
            }
        }
        Release how = wc.status == WcStatus.SUCCESS ? Release.COMPLETED : Release.FAILED;
        for (int i = 0; i < through; i++) {
            Send s = sends.remove();
            memory.sanitizer().release(s.owner, i == through - 1 ? how : Release.COMPLETED);
            if (how == Release.COMPLETED && s.removes != 0) {
                memory.sanitizer().keyRemoved(s.removes);
            }
        }
    }

    /**
     * In ERR nobody gets in any more, and a flushed completion comes behind what was under way. That of the last work request says so, which is
     * why programs post one for this purpose ({@code ib_drain_qp}).
     */
    private void checkDrained() {
        if (provider.state() == QpState.ERR && sends.isEmpty() && (receives.isShared() || receives.isEmpty())) {
            memory.sanitizer().drained(provider.qpn());
        }
    }

    /** Both queues have been emptied. */
    void reset() {
        sends.forEach(s -> memory.sanitizer().release(s.owner, Release.RESET));
        sends.clear();
        if (!receives.isShared()) {
            receives.reset();
        }
        memory.sanitizer().drained(provider.qpn());
        memory.sanitizer().disconnected(memory.device(), provider.qpn());
        if (peer != null) {
            peer.memory().unwritten(memory.place(), provider.qpn(), peer.device(), peerQpn);
            peer = null;
        }
        prepared = init.managedSends();
    }

    void destroyed() {
        reset();
        memory.gone(provider.qpn(), init);
    }
}
