package dev.clockwire.bench.perftest;

import dev.clockwire.pcie.host.CoreProgram;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.AddressHandle;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.SharedReceiveQueue;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.trace.JourneyLog;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What a core of one side runs. One poll of one queue is one step; a step that finds something goes on with what follows
 * from it, so that no time passes between that is not paid for.
 */
abstract class Program implements CoreProgram {
    /** Completions that one poll takes at most, as in perftest. */
    static final int POLL_BATCH = 16;

    final PerftestSpec spec;
    final Side side;
    final Side peer;
    final WorkCompletion[] wc = WorkCompletion.array(POLL_BATCH);
    private final SendBatch sends;
    private final ReceiveBatch receives = new ReceiveBatch(1, 1);
    private final IdentityHashMap<CompletionQueue, Completion<CompletionQueue>> events = new IdentityHashMap<>();
    private long endPs = -1;
    private Runnable atEnd = () -> {};
    private @Nullable String failure;

    Program(PerftestSpec spec, Side side, Side peer) {
        this.spec = spec;
        this.side = side;
        this.peer = peer;
        sends = new SendBatch(spec.postList(), 1);
    }

    /** One step; see {@link CoreProgram#step}. */
    abstract void turn(CpuCore core);

    /** A completion with an error ends the program, as it ends the real tools. */
    private static final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Failed(String text) {
            super(text);
        }
    }

    @Override
    public final void step(CpuCore core) {
        if (failure != null) {
            return;
        }
        try {
            turn(core);
        } catch (Failed e) {
            failure = e.getMessage();
        }
    }

    /**
     * Records that a message of the peer has been seen now.
     *
     * @param device number of the peer's device
     * @param number of the peer's messages, from 1
     * @param lookedPs when the core looked in vain for the last time: what others took of it since then, the message has lost
     * @param startPs when the look began that saw it
     */
    final void seen(CpuCore core, int device, long number, long lookedPs, long startPs) {
        Sim sim = side.lab.host().sim();
        JourneyLog log = sim.journeys();
        if (log != null) {
            int stage = sim.stages().id("recv_poll");
            long journey = device * MedianOperation.FIRST_JOURNEY + number;
            log.stamp(journey, stage, 0, startPs, core.now(), 0);
            core.delays(log, journey, stage, lookedPs);
        }
    }

    /** Returns with which completion the program failed, null if it did not. */
    final @Nullable String failure() {
        return failure;
    }

    /** Returns when the program had nothing left to do, in ps; -1 before. */
    final long endPs() {
        return endPs;
    }

    /** Sets what is to be looked at when the program is at its end. */
    final void atEnd(Runnable look) {
        atEnd = look;
    }

    final void end(CpuCore core) {
        endPs = core.now();
        atEnd.run();
    }

    /** Tells whether every message is done; a program may be at its end before, when the rest makes no completion that it could poll. */
    boolean isDone() {
        return endPs >= 0;
    }

    /** Starts a list of sends. */
    final void begin() {
        sends.clear();
    }

    /** Adds the tool's operation on a queue pair to the list. */
    final void add(int q, long wrId, boolean signaled) {
        SendEntry wr = sends.add();
        wr.wrId = wrId;
        wr.opcode = switch (spec.tool().verb()) {
            case WRITE -> WrOpcode.RDMA_WRITE;
            case READ -> WrOpcode.RDMA_READ;
            case SEND -> WrOpcode.SEND;
            case ATOMIC ->
                spec.atomic() == AtomicKind.FETCH_AND_ADD ? WrOpcode.ATOMIC_FETCH_AND_ADD : WrOpcode.ATOMIC_CMP_AND_SWP;
        };
        wr.flags = (signaled ? SendFlag.SIGNALED.code() : 0) | (spec.isInlined() ? SendFlag.INLINE.code() : 0);
        if (spec.tool().verb() != Verb.SEND) {
            wr.remoteAddress = peer.recvAddress(q);
            wr.rkey = peer.recvRegion.rkey();
            wr.swapAdd = 1;
        }
        boolean fetches = spec.tool().verb().isRoundTrip();
        if (spec.size() > 0) {
            long from = fetches ? side.recvAddress(q) : side.sendAddress(q);
            wr.sges().add(from, spec.size(), localKey(fetches));
        }
        AddressHandle ah = side.peer;
        if (spec.connection() == QpType.UD && ah != null) {
            wr.ah = ah;
            wr.remoteQpn = peer.qps.get(q).qpn();
            wr.remoteQkey = Testbed.QKEY;
        }
    }

    /** Returns the key of the buffer for what comes or for what is sent. */
    int localKey(boolean receives) {
        return receives ? side.recvRegion.lkey() : side.sendRegion.lkey();
    }

    /** As perftest does: an event that came is acknowledged, the queue is armed again, and then polled. */
    private void takeEvent(CompletionQueue cq) {
        Completion<CompletionQueue> event = events.get(cq);
        if (event == null || event.isDone()) {
            if (event != null) {
                cq.ackEvents(1);
            }
            events.put(cq, cq.channel().cqEvent());
            cq.reqNotify(false);
        }
    }

    /** Posts the list. */
    final void post(int q) {
        side.qps.get(q).postSend(sends);
    }

    /** Posts one receive of a whole message. */
    final void postReceive(int q) {
        receives.clear();
        var wr = receives.add();
        wr.wrId = q;
        int extra = spec.connection() == QpType.UD ? Testbed.GRH_BYTES : 0;
        if (spec.size() + extra > 0) {
            wr.sges().add(side.recvAddress(q), spec.size() + extra, side.recvRegion.lkey());
        }
        SharedReceiveQueue shared = side.shared;
        if (shared == null) {
            side.qps.get(q).postReceive(receives);
        } else {
            shared.postReceive(receives);
        }
    }

    /**
     * Polls a queue. If nothing is there, the core sleeps until an event of the queue comes, or goes on polling: polls that find
     * nothing are skipped. Returns how many completions there were.
     */
    final int poll(CompletionQueue cq) {
        if (spec.events()) {
            takeEvent(cq);
        }
        int n = look(cq);
        if (n == 0 && !spec.events()) {
            side.lab.idleUntil(cq);
        }
        for (int i = 0; i < n; i++) {
            if (wc[i].status != WcStatus.SUCCESS) {
                throw new Failed(wc[i] + " (" + wc[i].status.name() + ") at "
                        + side.lab.core().now() / 1_000_000 + " us");
            }
        }
        return n;
    }

    /** A queue that is broken ends the program as a failed operation does. */
    private int look(CompletionQueue cq) {
        try {
            return cq.poll(wc);
        } catch (VerbsException e) {
            throw new Failed(e.getMessage() + " at " + side.lab.core().now() / 1_000_000 + " us");
        }
    }
}
