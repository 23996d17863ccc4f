package dev.clockwire.testkit.nic;

import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.lab.StarLab;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.mem.Allocation;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/** Three hosts around a switch: the first sends to the second, whose NIC passes on what came to the third. */
final class Chain {
    static final int DEPTH = 64;
    static final int SLOT = 16 << 10;
    /** 65.5 us: an exhaustive kernel evaluates each cycle of a timeout. */
    private static final int TIMEOUT = 4;

    /** A queue pair, its completion queue and the buffer of its host, which has a slot for each message under way. */
    static final class Side {
        final LabHost host;
        final Allocation buffer;
        final ProtectionDomain pd;
        final MemoryRegion mr;
        final CompletionQueue cq;
        final QueuePair qp;
        private final SendBatch sends = new SendBatch(1, 1);
        private final ReceiveBatch receives = new ReceiveBatch(1, 1);
        final WorkCompletion[] wc = WorkCompletion.array(1);

        Side(StarLab lab, int host, int entries) {
            this(
                    lab,
                    lab.host(host),
                    entries,
                    lab.await(lab.host(host).context().allocPd()),
                    null,
                    false);
        }

        private Side(
                StarLab lab, LabHost host, int entries, ProtectionDomain pd, @Nullable Side memory, boolean managed) {
            this.host = host;
            this.pd = pd;
            buffer = memory != null
                    ? memory.buffer
                    : host.host().memory().allocate("buffer", (long) DEPTH * SLOT, Allocation.Kind.REAL, 4096);
            mr = memory != null
                    ? memory.mr
                    : lab.await(pd.regMr(
                            buffer.address(),
                            buffer.length(),
                            EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE)));
            cq = lab.await(host.context().createCq(entries));
            QpInit init = QpInit.of(QpType.RC, cq, new QpCapabilities(2 * DEPTH, DEPTH, 1, 1, 0));
            qp = lab.await(pd.createQp(managed ? init.withManagedSends() : init));
        }

        /** Returns another queue pair on the same host and memory, with a completion queue of its own. */
        Side another(StarLab lab) {
            return new Side(lab, host, 4 * DEPTH, pd, this, false);
        }

        /** Returns the same, with sends that another queue pair releases. */
        Side managed(StarLab lab) {
            return new Side(lab, host, 4 * DEPTH, pd, this, true);
        }

        long at(int slot) {
            return buffer.address() + (long) slot % DEPTH * SLOT;
        }

        void write(int slot, byte[] data) {
            host.host().memory().putBytes(at(slot), data, 0, data.length);
        }

        byte[] read(int slot, int length) {
            byte[] out = new byte[length];
            host.host().memory().getBytes(at(slot), out, 0, length);
            return out;
        }

        void receive(int number) {
            receives.clear();
            var r = receives.add();
            r.wrId = number;
            r.sges().add(at(number), SLOT, mr.lkey());
            qp.postReceive(receives);
        }

        void send(WrOpcode opcode, int number, int length, Side to) {
            sends.clear();
            SendEntry e = sends.add();
            e.wrId = number;
            e.opcode = opcode;
            e.flags = SendFlag.SIGNALED.code();
            e.immOrKey = number;
            if (opcode != WrOpcode.SEND_WITH_IMM) {
                e.remoteAddress = to.at(number);
                e.rkey = to.mr.rkey();
            }
            e.sges().add(at(number), length, mr.lkey());
            qp.postSend(sends);
        }
    }

    final StarLab lab;
    final Side first;
    /** The middle host's side towards the first. */
    final Side in;
    /** The middle host's side towards the last. */
    final Side out;

    final Side last;

    Chain(LabSpec spec) {
        this(profile(), spec, 4 * DEPTH);
    }

    /** Creates a chain whose middle host has room for so many completions of what comes in. */
    Chain(Profile profile, LabSpec spec, int entriesIn) {
        lab = StarLab.of(profile, spec, 3);
        first = new Side(lab, 0, 4 * DEPTH);
        in = new Side(lab, 1, entriesIn);
        out = in.another(lab);
        last = new Side(lab, 2, 4 * DEPTH);
        join(first, in);
        join(out, last);
    }

    static Profile profile() {
        return Profiles.named("cx7-400g").with("link.switch", "cut-through");
    }

    void join(Side a, Side b) {
        Connections.join(
                lab, a.qp, b.host.gid(), b.qp.qpn(), Pair.PSN_A, Pair.PSN_B, Mtu.MTU_1024, rts -> rts.timeout(TIMEOUT));
        Connections.join(
                lab, b.qp, a.host.gid(), a.qp.qpn(), Pair.PSN_B, Pair.PSN_A, Mtu.MTU_1024, rts -> rts.timeout(TIMEOUT));
    }

    /** Runs until a side has a completion and returns it. */
    WorkCompletion next(Side side) {
        return next(side, 2_000_000_000_000L);
    }

    WorkCompletion next(Side side, long limitPs) {
        if (!lab.sim().runUntil(side.cq::hasCompletion, lab.sim().now() + limitPs)) {
            throw new AssertionError("no completion within " + limitPs + " ps");
        }
        lab.sim().run(lab.sim().now() + 1);
        if (side.cq.poll(side.wc) != 1) {
            throw new AssertionError("poll found nothing");
        }
        return side.wc[0];
    }

    void run(long ps) {
        lab.sim().run(lab.sim().now() + ps);
    }
}
