package dev.clockwire.bench.perftest;

import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.AddressHandle;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.SharedReceiveQueue;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One host of a run with what its program uses: queues, buffers and keys. Queue pairs are numbered from 0 here. */
final class Side {
    /** Remote rights: what the tools ask of the peer. */
    static final Set<AccessFlag> ACCESS = EnumSet.of(
            AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);

    private static final int PATTERN_BYTES = 1 << 16;

    final LabHost lab;
    final ProtectionDomain pd;
    final CompletionQueue sendCq;
    final CompletionQueue recvCq;
    final MemoryRegion sendRegion;
    final MemoryRegion recvRegion;
    final Buffers buffers;
    final List<QueuePair> qps = new ArrayList<>();
    final List<Integer> psns = new ArrayList<>();

    /** Receives of all queue pairs, null if each has its own. */
    @Nullable
    SharedReceiveQueue shared;

    /** The way to the peer, for datagrams. */
    @Nullable
    AddressHandle peer;

    Side(
            LabHost lab,
            ProtectionDomain pd,
            CompletionQueue sendCq,
            CompletionQueue recvCq,
            MemoryRegion sendRegion,
            MemoryRegion recvRegion,
            Buffers buffers) {
        this.lab = lab;
        this.pd = pd;
        this.sendCq = sendCq;
        this.recvCq = recvCq;
        this.sendRegion = sendRegion;
        this.recvRegion = recvRegion;
        this.buffers = buffers;
    }

    /**
     * Sizes of the buffers: one of each kind for each queue pair.
     *
     * @param sendBytes distance of two send buffers
     * @param recvBytes distance of two receive buffers
     * @param kind whether programs look into them
     */
    record Buffers(long sendBytes, long recvBytes, Allocation.Kind kind) {}

    long sendAddress(int qp) {
        return sendRegion.address() + qp * buffers.sendBytes();
    }

    long recvAddress(int qp) {
        return recvRegion.address() + qp * buffers.recvBytes();
    }

    AddressSpace memory() {
        return lab.host().memory();
    }

    /** Puts something recognisable into the send buffers, where they hold bytes. */
    void fill() {
        AddressSpace memory = memory();
        if (buffers.kind() == Allocation.Kind.BULK && memory.mode() == PayloadMode.SIZES) {
            return;
        }
        byte[] pattern = new byte[(int) Math.min(PATTERN_BYTES, buffers.sendBytes())];
        for (int q = 0; q < qps.size(); q++) {
            for (int i = 0; i < pattern.length; i++) {
                pattern[i] = (byte) (i * 7 + q + (i >> 8));
            }
            memory.putBytes(sendAddress(q), pattern, 0, pattern.length);
        }
    }

    EndPoint endPoint(int qp, boolean ipv6) {
        var gid = ipv6 ? lab.gid6() : lab.gid();
        return new EndPoint(qps.get(qp).qpn(), psns.get(qp), recvRegion.rkey(), recvAddress(qp), gid.hi(), gid.lo());
    }
}
