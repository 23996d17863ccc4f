package dev.clockwire.examples;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.AddressVector;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.sim.mem.Allocation;
import java.util.EnumSet;
import java.util.Set;

/** One side of an RC connection: a buffer, its memory region, a completion queue and a queue pair. */
public final class Peer {
    private static final Set<AccessFlag> ACCESS =
            EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);
    private static final int START_PSN = 0x1000;

    private final Lab lab;
    private final LabHost host;
    private final Allocation buffer;
    private final CompletionQueue cq;
    private final MemoryRegion region;
    private final QueuePair qp;

    /** Makes the parts of one side; {@code bytes} is the length of its buffer. */
    public Peer(Lab lab, LabHost host, int bytes) {
        this.lab = lab;
        this.host = host;
        buffer = host.host().memory().allocate("buffer", bytes, Allocation.Kind.BULK, 4096);
        ProtectionDomain pd = lab.await(host.context().allocPd());
        cq = lab.await(host.context().createCq(64));
        region = lab.await(pd.regMr(buffer.address(), bytes, ACCESS));
        qp = lab.await(pd.createQp(QpInit.of(QpType.RC, cq, new QpCapabilities(16, 16, 1, 1, 0))));
    }

    /** Takes the queue pair to RTS; both sides do this. */
    public void connect(Peer other) {
        lab.await(qp.modify(new QpAttributes()
                .state(QpState.INIT)
                .pkeyIndex(0)
                .port(1)
                .access(EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ))));
        lab.await(qp.modify(new QpAttributes()
                .state(QpState.RTR)
                .addressVector(AddressVector.to(other.host.gid()))
                .pathMtu(Mtu.MTU_4096)
                .destQpn(other.qp.qpn())
                .rqPsn(START_PSN)
                .maxDestRdAtomic(16)
                .minRnrTimer(12)));
        lab.await(qp.modify(new QpAttributes()
                .state(QpState.RTS)
                .sqPsn(START_PSN)
                .timeout(14)
                .retryCount(7)
                .rnrRetry(7)
                .maxRdAtomic(16)));
    }

    /** Fills in a signalled work request between the buffers of this side and another. */
    public void prepare(SendEntry wr, WrOpcode opcode, int bytes, Peer other) {
        wr.opcode = opcode;
        wr.flags = SendFlag.SIGNALED.code();
        wr.sges().add(address(), bytes, region.lkey());
        wr.remoteAddress = other.address();
        wr.rkey = other.region.rkey();
    }

    /** Stores bytes in the buffer. */
    public void fill(byte[] data) {
        host.host().memory().putBytes(buffer.address(), data, 0, data.length);
    }

    /** Returns the first bytes of the buffer. */
    public byte[] content(int length) {
        byte[] out = new byte[length];
        host.host().memory().getBytes(buffer.address(), out, 0, length);
        return out;
    }

    /** Returns the address of the buffer. */
    public long address() {
        return buffer.address();
    }

    /** Returns the registered buffer. */
    public MemoryRegion region() {
        return region;
    }

    /** Returns the queue of all completions. */
    public CompletionQueue cq() {
        return cq;
    }

    /** Returns the queue pair. */
    public QueuePair qp() {
        return qp;
    }

    /** Returns the host. */
    public LabHost host() {
        return host;
    }
}
