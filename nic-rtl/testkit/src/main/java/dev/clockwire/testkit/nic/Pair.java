package dev.clockwire.testkit.nic;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabControl;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.testkit.ModelAssertionError;
import java.util.EnumSet;
import java.util.function.Consumer;

/** Two connected queue pairs with a buffer each, and what tests do with them. */
public final class Pair {
    /** Bytes of each side's buffer. */
    public static final int BUFFER = 1 << 20;

    private static final int CQ_ENTRIES = 256;

    /** First PSN that side a sends; wraps soon. */
    public static final int PSN_A = 0xFFFFF8;
    /** First PSN that side b sends. */
    public static final int PSN_B = 0x000100;

    /** One side. */
    public static final class Side {
        /** The host. */
        public final LabHost host;
        /** Memory that is registered whole. */
        public final Allocation buffer;
        /** Protection domain of everything here. */
        public final ProtectionDomain pd;
        /** Completion queue of both directions. */
        public final CompletionQueue cq;
        /** The buffer as registered. */
        public final MemoryRegion mr;
        /** The connected queue pair. */
        public final QueuePair qp;

        final WorkCompletion[] wc = WorkCompletion.array(1);

        Side(LabControl lab, LabHost host, QpType type, Allocation.Kind kind, int cqe) {
            this.host = host;
            buffer = host.host().memory().allocate("buffer", BUFFER, kind, 4096);
            pd = lab.await(host.context().allocPd());
            cq = lab.await(host.context().createCq(cqe));
            mr = lab.await(pd.regMr(
                    buffer.address(),
                    BUFFER,
                    EnumSet.of(
                            AccessFlag.LOCAL_WRITE,
                            AccessFlag.REMOTE_WRITE,
                            AccessFlag.REMOTE_READ,
                            AccessFlag.REMOTE_ATOMIC)));
            qp = lab.await(pd.createQp(QpInit.of(type, cq, new QpCapabilities(64, 64, 4, 4, 220))));
        }

        /** Returns the address of an offset in the buffer. */
        public long at(int offset) {
            return buffer.address() + offset;
        }

        /** Stores bytes into the buffer. */
        public void write(int offset, byte[] data) {
            host.host().memory().putBytes(at(offset), data, 0, data.length);
        }

        /** Returns bytes of the buffer. */
        public byte[] read(int offset, int length) {
            byte[] out = new byte[length];
            host.host().memory().getBytes(at(offset), out, 0, length);
            return out;
        }
    }

    /** The lab. */
    public final Lab lab;
    /** The client's side. */
    public final Side a;
    /** The server's side. */
    public final Side b;

    /** Creates the queue pairs, and connects them. */
    public Pair(Lab lab, QpType type, Mtu mtu, Allocation.Kind kind) {
        this(lab, type, mtu, kind, CQ_ENTRIES);
    }

    /** Creates the queue pairs with completion queues of a size, and connects them. */
    public Pair(Lab lab, QpType type, Mtu mtu, Allocation.Kind kind, int cqe) {
        this(lab, type, mtu, kind, cqe, rts -> {});
    }

    /** Creates the queue pairs, and connects them with other attributes in the change to RTS. */
    public Pair(Lab lab, QpType type, Mtu mtu, Allocation.Kind kind, int cqe, Consumer<QpAttributes> rts) {
        this.lab = lab;
        a = new Side(lab, lab.a(), type, kind, cqe);
        b = new Side(lab, lab.b(), type, kind, cqe);
        Connections.join(lab, a.qp, b.host.gid(), b.qp.qpn(), PSN_A, PSN_B, mtu, rts);
        Connections.join(lab, b.qp, a.host.gid(), a.qp.qpn(), PSN_B, PSN_A, mtu, rts);
    }

    /** Runs so many ns longer. */
    public void run(long ns) {
        lab.sim().run(lab.sim().now() + 1000 * ns);
    }

    /** Runs until a side has a completion, at most 1 ms, and returns the first one. */
    public WorkCompletion next(Side side) {
        return next(side, 1_000_000_000L);
    }

    /** Runs until a side has a completion, at most so many ps, and returns the first one. */
    public WorkCompletion next(Side side, long limitPs) {
        if (!lab.sim().runUntil(side.cq::hasCompletion, lab.sim().now() + limitPs)) {
            throw new ModelAssertionError(
                    side.host.name(), side.host.name() + ": no completion within " + limitPs / 1000 + " ns");
        }
        lab.sim().run(lab.sim().now() + 1);
        int n = side.cq.poll(side.wc);
        if (n != 1) {
            throw new AssertionError("poll returned " + n);
        }
        return side.wc[0];
    }
}
