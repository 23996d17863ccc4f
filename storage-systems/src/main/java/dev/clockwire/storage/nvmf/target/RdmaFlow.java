package dev.clockwire.storage.nvmf.target;

import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.storage.nvmf.subsystem.TransportSpec;
import java.util.ArrayDeque;

/** Takes a command from state to state, as far as it comes without waiting. Order and conditions: SPDK's {@code nvmf_rdma_request_process}. */
final class RdmaFlow {
    private static final int FIRST = 1;
    private static final int SECOND = 2;
    /** Where a command has its metadata pointer, which means nothing over a fabric. */
    private static final int METADATA = 16;

    private final RdmaPoller poller;
    private final TransportSpec limits;
    private final CapsuleParser parser;
    private final boolean linux;
    private final ArrayDeque<RdmaRequest> needDataWr = new ArrayDeque<>();
    private final ArrayDeque<RdmaRequest> needBuffer = new ArrayDeque<>();
    private int dataWrs;

    RdmaFlow(RdmaPoller poller) {
        this.poller = poller;
        limits = poller.target().limits();
        linux = poller.target().isLinux();
        parser = new CapsuleParser(limits, linux);
        dataWrs = limits.dataWrs();
    }

    boolean hasWaiting() {
        return !needDataWr.isEmpty() || !needBuffer.isEmpty();
    }

    /** Goes on with a command until it waits. */
    void advance(RdmaRequest r) {
        RequestState before;
        do {
            before = r.state();
            if (r.qpair().state == NvmfQpair.State.DEACTIVATING) {
                giveUp(r);
            }
            switch (r.state()) {
                case NEW -> begin(r);
                case NEED_DATA_WR -> takeDataWrs(r);
                case NEED_BUFFER -> takeBuffer(r);
                case HAVE_BUFFER -> haveBuffer(r);
                case DATA_TRANSFER_TO_CONTROLLER_PENDING -> read(r);
                case READY_TO_EXECUTE -> execute(r);
                case EXECUTED -> executed(r);
                case DATA_TRANSFER_TO_HOST_PENDING -> writePending(r);
                case READY_TO_COMPLETE_PENDING -> completePending(r);
                case READY_TO_COMPLETE -> complete(r);
                case COMPLETED -> free(r);
                default -> {}
            }
        } while (r.state() != before && r.state() != RequestState.FREE);
    }

    /** A command of a queue that is being taken down ends where it is, unless the device or the block device still has it. */
    private void giveUp(RdmaRequest r) {
        switch (r.state()) {
            case EXECUTING, TRANSFERRING_CONTROLLER_TO_HOST, COMPLETING, COMPLETED, FREE -> {}
            case TRANSFERRING_HOST_TO_CONTROLLER, DATA_TRANSFER_TO_CONTROLLER_PENDING -> {
                if (r.outstanding == 0) {
                    leave(r);
                }
            }
            default -> leave(r);
        }
    }

    private void leave(RdmaRequest r) {
        RdmaQpair q = r.qpair();
        needDataWr.remove(r);
        needBuffer.remove(r);
        q.reading.remove(r);
        q.writing.remove(r);
        q.completing.remove(r);
        r.go(RequestState.COMPLETED);
    }

    private void begin(RdmaRequest r) {
        r.cpu().charge(HostCost.CACHE_MISS, 1);
        r.cpu().charge(poller.target().spec().parsePs());
        r.cpu().memory().getBytes(r.resources.command(r.receive), r.cmd.bytes(), 0, SqEntry.BYTES);
        if (r.qpair().offload != null) { // the NIC has left the head there
            r.head = LittleEndian.get16(r.cmd.bytes(), METADATA);
            LittleEndian.put16(r.cmd.bytes(), METADATA, 0);
        }
        if (mayFuse(r)) {
            pair(r);
        }
        int kind = r.kind() & 3;
        if (r.cmd.dataKind() != SqEntry.SGL) {
            respond(r, NvmeStatus.INVALID_FIELD);
        } else if (kind == 0) {
            r.go(RequestState.READY_TO_EXECUTE);
        } else if (kind == 3) {
            respond(r, NvmeStatus.INVALID_OPCODE);
        } else {
            int bad = parser.parse(r);
            if (bad != 0) {
                r.descriptors = 0;
                r.status = bad;
                r.go(RequestState.READY_TO_COMPLETE_PENDING);
                r.qpair().completing.add(r);
            } else if (r.descriptors > 1) {
                r.go(RequestState.NEED_DATA_WR);
                needDataWr.add(r);
            } else if (r.descriptors == 1) {
                r.go(RequestState.NEED_BUFFER);
                needBuffer.add(r);
            } else {
                r.go(RequestState.READY_TO_EXECUTE);
            }
        }
    }

    private boolean mayFuse(RdmaRequest r) {
        return !linux && !r.qpair().isAdmin();
    }

    /** A second belongs to the first right before it; any other command leaves that alone. */
    private void pair(RdmaRequest r) {
        RdmaQpair q = r.qpair();
        RdmaRequest before = q.fused;
        q.fused = r.cmd.fuse() == FIRST ? r : null;
        if (r.cmd.fuse() == SECOND) {
            r.alone = before == null;
            r.partner = before;
            if (before != null) {
                before.partner = r;
            }
        } else if (before != null) {
            before.alone = true;
            if (before.state() == RequestState.READY_TO_EXECUTE) {
                advance(before);
            }
        }
    }

    private static void respond(RdmaRequest r, NvmeStatus how) {
        r.status = how.code() | NvmeStatus.DO_NOT_RETRY;
        r.go(RequestState.READY_TO_COMPLETE_PENDING);
        r.qpair().completing.add(r);
    }

    /** The first work request is the request's own; more come from a stock, in order. */
    private void takeDataWrs(RdmaRequest r) {
        int more = r.descriptors - 1;
        if (needDataWr.peek() == r && dataWrs >= more) {
            needDataWr.remove();
            dataWrs -= more;
            r.dataWrs = more;
            r.go(RequestState.NEED_BUFFER);
            needBuffer.add(r);
        }
    }

    private void takeBuffer(RdmaRequest r) {
        long va = needBuffer.peek() == r ? poller.buffers().take(r.length) : 0;
        if (va == 0) {
            poller.counters().pendingDataBuffer++;
            return;
        }
        needBuffer.remove();
        r.va = va;
        r.hasBuffer = true;
        r.go(RequestState.HAVE_BUFFER);
    }

    private void haveBuffer(RdmaRequest r) {
        if (r.toController()) {
            r.qpair().reading.add(r);
            r.go(RequestState.DATA_TRANSFER_TO_CONTROLLER_PENDING);
        } else {
            r.go(RequestState.READY_TO_EXECUTE);
        }
    }

    /** READs what there is room for; the rest when others have ended. */
    private void read(RdmaRequest r) {
        RdmaQpair q = r.qpair();
        if (q.state == NvmfQpair.State.DEACTIVATING) {
            return; // waits for those that were posted
        }
        if (q.reading.peek() != r) {
            poller.counters().pendingRdmaRead++;
            return;
        }
        while (r.issued < r.descriptors && q.readDepth < q.maxReads && q.sendDepth < q.maxSends) {
            SendEntry wr = data(r, r.issued, WrOpcode.RDMA_READ);
            wr.flags = SendFlag.SIGNALED.code();
            r.issued++;
            r.outstanding++;
            q.readDepth++;
            q.sendDepth++;
        }
        if (r.issued == r.descriptors) {
            q.reading.remove();
            r.go(RequestState.TRANSFERRING_HOST_TO_CONTROLLER);
        } else {
            poller.counters().pendingRdmaRead++;
        }
    }

    private SendEntry data(RdmaRequest r, int i, WrOpcode opcode) {
        SendEntry wr = poller.send(r.qpair());
        wr.wrId = RdmaPoller.DATA | r.slot;
        wr.opcode = opcode;
        wr.remoteAddress = r.remote[i];
        wr.rkey = r.keys[i];
        long va = r.va;
        for (int k = 0; k < i; k++) {
            va += r.bytes[k];
        }
        wr.sges().add(va, r.bytes[i], poller.bufferKey(r.length));
        return wr;
    }

    /** A READ has ended. */
    void readDone(RdmaRequest r) {
        RdmaQpair q = r.qpair();
        q.readDepth--;
        q.sendDepth--;
        r.outstanding--;
        if (r.outstanding == 0 && r.state() == RequestState.TRANSFERRING_HOST_TO_CONTROLLER) {
            if (q.state != NvmfQpair.State.DEACTIVATING) {
                r.go(RequestState.READY_TO_EXECUTE);
            }
            advance(r);
        } else if (r.outstanding == 0) {
            advance(r);
        }
    }

    private void execute(RdmaRequest r) {
        RdmaRequest other = r.partner;
        if (r.cmd.fuse() == 0 || !mayFuse(r)) {
            run(r);
        } else if (r.alone || r.partnerFailed) {
            respond(r, r.alone ? NvmeStatus.ABORTED_FUSED_MISSING : NvmeStatus.ABORTED_FUSED_FAILED);
        } else if (other != null && other.state() == RequestState.READY_TO_EXECUTE) {
            r.partner = null;
            other.partner = null;
            run(r.cmd.fuse() == FIRST ? r : other);
            run(r.cmd.fuse() == FIRST ? other : r);
        }
    }

    private void run(RdmaRequest r) {
        r.go(RequestState.EXECUTING);
        poller.target().execute(r);
    }

    /** One of a pair is over before the other was executed. */
    private void parted(RdmaRequest r) {
        RdmaRequest other = r.partner;
        r.partner = null;
        if (r.qpair().fused == r) {
            r.qpair().fused = null;
        }
        if (other != null) {
            other.partner = null;
            other.partnerFailed = true;
            if (other.state() == RequestState.READY_TO_EXECUTE) {
                advance(other);
            }
        }
    }

    private static void executed(RdmaRequest r) {
        boolean hasData = r.toHost() && (r.status & ~NvmeStatus.DO_NOT_RETRY) == 0 && r.descriptors > 0;
        if (hasData) {
            r.go(RequestState.DATA_TRANSFER_TO_HOST_PENDING);
            r.qpair().writing.add(r);
        } else {
            r.go(RequestState.READY_TO_COMPLETE_PENDING);
            r.qpair().completing.add(r);
        }
    }

    private void writePending(RdmaRequest r) {
        RdmaQpair q = r.qpair();
        if (q.writing.peek() == r && q.sendDepth + r.descriptors < q.maxSends) {
            q.writing.remove();
            r.go(RequestState.READY_TO_COMPLETE);
        } else {
            poller.counters().pendingRdmaWrite++;
        }
    }

    private void completePending(RdmaRequest r) {
        RdmaQpair q = r.qpair();
        if (q.completing.peek() == r && q.sendDepth < q.maxSends) {
            q.completing.remove();
            r.descriptors = 0;
            r.go(RequestState.READY_TO_COMPLETE);
        } else {
            poller.counters().pendingRdmaSend++;
        }
    }

    /** Gives the receive back, then posts the data, if there are any, and the response behind them. */
    private void complete(RdmaRequest r) {
        RdmaQpair q = r.qpair();
        boolean hasData = r.descriptors > 0;
        r.cpu().charge(poller.target().spec().respondPs());
        giveReceive(r);
        for (int i = 0; i < r.descriptors; i++) {
            data(r, i, WrOpcode.RDMA_WRITE);
        }
        q.sendDepth += r.descriptors;
        r.outstanding = r.descriptors;
        long at = r.resources.response(r.slot);
        int head = q.offload == null || r.head == NvmfQpair.NO_HEAD ? q.advanceHead() : r.head;
        r.rsp.set(r.result, head, q.qid, r.cmd.cid(), r.status, 0);
        r.cpu().memory().putBytes(at, r.rsp.bytes(), 0, CqEntry.BYTES);
        SendEntry wr = poller.send(q);
        wr.wrId = RdmaPoller.SEND | r.slot;
        wr.opcode = r.invalidates ? WrOpcode.SEND_WITH_INV : WrOpcode.SEND;
        wr.immOrKey = r.invalidates ? r.invalidKey : 0;
        wr.flags = SendFlag.SIGNALED.code();
        wr.sges().add(at, CqEntry.BYTES, r.resources.entryKey());
        q.sendDepth++;
        r.go(hasData ? RequestState.TRANSFERRING_CONTROLLER_TO_HOST : RequestState.COMPLETING);
        poller.posted(q);
    }

    private void giveReceive(RdmaRequest r) {
        if (r.receive != RdmaRequest.NONE) {
            int slot = r.receive;
            r.receive = RdmaRequest.NONE;
            r.qpair().unanswered--;
            poller.repost(r.qpair(), slot);
        }
    }

    /** The response has left, or never will; so have the WRITEs before it. */
    void responseDone(RdmaRequest r, long now) {
        RdmaQpair q = r.qpair();
        q.sendDepth -= 1 + r.outstanding;
        r.outstanding = 0;
        poller.counters().requestLatencyPs += now - r.receivedPs;
        r.go(RequestState.COMPLETED);
        advance(r);
    }

    /** A WRITE has failed; the response behind it will, too. */
    void writeFailed(RdmaRequest r) {
        if (r.outstanding > 0) {
            r.outstanding--;
            r.qpair().sendDepth--;
        }
    }

    private void free(RdmaRequest r) {
        giveReceive(r);
        if (r.hasBuffer) {
            poller.buffers().give(r.va, r.length);
            r.hasBuffer = false;
        }
        dataWrs += r.dataWrs;
        r.dataWrs = 0;
        parted(r);
        r.go(RequestState.FREE);
        poller.freed(r);
    }

    /** Aborts a command that nothing outside has; returns whether it did. Block devices cannot give an I/O back. */
    boolean abort(RdmaRequest r) {
        boolean waits = switch (r.state()) {
            case NEED_DATA_WR, NEED_BUFFER -> true;
            case DATA_TRANSFER_TO_CONTROLLER_PENDING -> r.outstanding == 0;
            default -> false;
        };
        if (!waits) {
            return false;
        }
        needDataWr.remove(r);
        needBuffer.remove(r);
        r.qpair().reading.remove(r);
        r.status = NvmeStatus.ABORTED.code();
        r.go(RequestState.READY_TO_COMPLETE_PENDING);
        r.qpair().completing.add(r);
        advance(r);
        return true;
    }

    /** Tries those again that wait for something of the poll group: work requests, then buffers. */
    void retry() {
        while (!needDataWr.isEmpty() && dataWrs >= needDataWr.element().descriptors - 1) {
            advance(needDataWr.element());
        }
        boolean served = true;
        while (served && !needBuffer.isEmpty()) {
            RdmaRequest first = needBuffer.element();
            advance(first);
            served = needBuffer.peek() != first;
        }
    }

    /** Tries those again that wait for room in a queue, in SPDK's order. */
    void retry(RdmaQpair q) {
        again(q.completing);
        again(q.reading);
        again(q.writing);
    }

    private void again(ArrayDeque<RdmaRequest> waiting) {
        boolean served = true;
        while (served && !waiting.isEmpty()) {
            RdmaRequest first = waiting.element();
            advance(first);
            served = waiting.peek() != first;
        }
    }
}
