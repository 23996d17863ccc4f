package dev.clockwire.bench.replay;

import dev.clockwire.roce.transport.Psn;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Tells the first transmissions of one queue pair's packets from repetitions, which need not be alike. */
final class FirstSent {
    private final int mtu;
    private final Set<Integer> seen = new HashSet<>();
    private final List<RocePacket> reads = new ArrayList<>();

    FirstSent(int mtu) {
        this.mtu = mtu;
    }

    /** Tells whether a packet is sent for the first time; a READ that asks for the rest of another is not. */
    boolean isFirst(RocePacket p) {
        boolean read = p.opcode == Opcode.RC_RDMA_READ_REQUEST.code();
        if (seen.contains(p.psn) || (read && isRestart(p.psn))) {
            return false;
        }
        seen.add(p.psn);
        if (read) {
            reads.add(p);
        }
        return true;
    }

    private boolean isRestart(int psn) {
        return reads.stream().anyMatch(r -> psn != r.psn && Psn.inRange(psn, r.psn, Psn.count(r.dmaLen, mtu)));
    }
}
