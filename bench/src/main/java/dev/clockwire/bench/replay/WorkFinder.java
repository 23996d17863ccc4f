package dev.clockwire.bench.replay;

import dev.clockwire.roce.transport.Psn;
import dev.clockwire.roce.transport.SendWork;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Infers the send work requests of a queue pair from the packets that it sent, each as it was sent first. */
final class WorkFinder {
    private static final int MAX_PAYLOAD = 1 << 30;
    /** Nobody can post more. */
    private static final long MAX_MESSAGE = 1L << 31;

    private final Endpoint to;
    private final Map<Integer, Captured> first = new HashMap<>();
    private int newest;

    private WorkFinder(Endpoint to) {
        this.to = to;
        newest = to.startPsn;
        for (Captured r : to.requests) {
            first.putIfAbsent(r.packet().psn, r);
            newest = Psn.compare(r.packet().psn, newest) > 0 ? r.packet().psn : newest;
        }
    }

    /** Returns the work requests whose packets went to a queue pair, in order; they end where a first packet is missing. */
    static List<Work> find(Endpoint to) {
        return new WorkFinder(to).all();
    }

    private List<Work> all() {
        List<Work> all = new ArrayList<>();
        int psn = to.startPsn;
        while (Psn.compare(psn, newest) <= 0) {
            Captured start = first.get(psn);
            if (start == null || !start.opcode().startsMessage() || start.packet().dmaLen > MAX_MESSAGE) {
                break;
            }
            Work work = work(start);
            all.add(work);
            psn = Psn.plus(psn, work.packets());
        }
        return all;
    }

    private Work work(Captured start) {
        RocePacket p = start.packet();
        SendWork work = new SendWork();
        work.signaled = true;
        work.remoteVa = p.va;
        work.rkey = p.rkey;
        work.swapAdd = p.swapAdd;
        work.compare = p.compare;
        int packets = start.opcode().endsMessage() && !start.isRead() ? 1 : packets(start);
        Captured last = start.isRead() ? start : first.get(Psn.plus(p.psn, packets - 1));
        boolean whole = last != null && last.opcode().endsMessage();
        work.opcode = operation(start, whole ? last : null);
        if (last != null) {
            work.solicited = last.packet().solicited;
            work.immOrKey = last.opcode().hasIeth() ? last.packet().invalidateKey : last.packet().imm;
        }
        work.length =
                start.opcode().hasReth() ? p.dmaLen : start.opcode().hasAtomicEth() ? Long.BYTES : sum(p.psn, packets);
        return new Work(p.psn, packets, work, payload(work, p.psn, packets), whole);
    }

    /** The RETH says how many; a SEND goes on until its LAST, or until the next message begins. */
    private int packets(Captured start) {
        if (start.opcode().hasReth()) {
            return Psn.count(start.packet().dmaLen, to.mtu);
        }
        int psn = Psn.plus(start.packet().psn, 1);
        for (; Psn.compare(psn, newest) <= 0; psn = Psn.plus(psn, 1)) {
            Captured next = first.get(psn);
            if (next != null && next.opcode().startsMessage()) {
                break;
            }
            if (next != null && next.opcode().endsMessage()) {
                return Psn.distance(start.packet().psn, psn) + 1;
            }
        }
        return Psn.distance(start.packet().psn, psn);
    }

    private long sum(int psn, int packets) {
        Captured last = first.get(Psn.plus(psn, packets - 1));
        return (long) (packets - 1) * to.mtu + (last == null ? to.mtu : last.packet().payloadLength);
    }

    private static WrOpcode operation(Captured start, @Nullable Captured last) {
        Opcode opcode = last == null ? start.opcode() : last.opcode();
        int code = start.opcode().code() & 0x1F;
        if (opcode.hasAtomicEth()) {
            return opcode == Opcode.RC_COMPARE_SWAP ? WrOpcode.ATOMIC_CMP_AND_SWP : WrOpcode.ATOMIC_FETCH_AND_ADD;
        }
        if (start.isRead()) {
            return WrOpcode.RDMA_READ;
        }
        if (code >= Opcode.RC_RDMA_WRITE_FIRST.code() && code <= Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE.code()) {
            return opcode.hasImm() ? WrOpcode.RDMA_WRITE_WITH_IMM : WrOpcode.RDMA_WRITE;
        }
        return opcode.hasImm() ? WrOpcode.SEND_WITH_IMM : opcode.hasIeth() ? WrOpcode.SEND_WITH_INV : WrOpcode.SEND;
    }

    private byte[] payload(SendWork work, int psn, int packets) {
        if (!work.opcode.carriesPayload() || work.length > MAX_PAYLOAD) {
            return new byte[0];
        }
        byte[] all = new byte[(int) work.length];
        for (int i = 0; i < packets; i++) {
            Captured p = first.get(Psn.plus(psn, i));
            int at = i * to.mtu;
            if (p != null && at + p.packet().payloadLength <= all.length) {
                p.packet().payload.copyTo(0, all, at, p.packet().payloadLength);
            }
        }
        return all;
    }
}
