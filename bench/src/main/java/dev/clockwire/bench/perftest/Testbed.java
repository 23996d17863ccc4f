package dev.clockwire.bench.perftest;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.AddressVector;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.DeviceMemory;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QpSchedule;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.RateLimit;
import dev.clockwire.roce.verbs.SharedReceiveQueue;
import dev.clockwire.roce.verbs.SrqAttributes;
import dev.clockwire.sim.LoopKind;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.random.RandomStream;
import java.util.EnumSet;
import java.util.List;

/** Two hosts with connected queue pairs, set up as perftest does: everything exists before the first message. */
final class Testbed {
    /** Queue key of all datagram queue pairs, that of perftest. */
    static final int QKEY = 0x1111_1111;

    /** Room that a datagram's receive keeps in front of the message. */
    static final int GRH_BYTES = 40;

    private static final long LINE = 64;
    private static final int PAGE = 4096;
    private static final int MIN_RNR_TIMER = 12;
    private static final int RETRIES = 7;

    final PerftestSpec spec;
    final Lab lab;
    final Side client;
    final Side server;

    Testbed(PerftestSpec spec, int journeys) {
        this(spec, journeys, false);
    }

    Testbed(PerftestSpec spec, int journeys, boolean sanitizer) {
        this.spec = spec;
        lab = Lab.twoHosts(
                spec.profile(),
                new LabSpec(spec.seed(), spec.kernel(), LoopKind.AUTO, spec.payload(), spec.fullHash(), journeys)
                        .withSoft(spec.provider().soft())
                        .withFaults(spec.faults())
                        .withSanitizer(sanitizer));
        client = side(lab.a());
        server = side(lab.b());
        RandomStream psns = lab.sim().random("perftest.psn");
        if (spec.tuning().sharedReceives()) {
            client.shared = lab.await(client.pd.createSrq(new SrqAttributes(spec.rxDepth(), 1, 0)));
            server.shared = lab.await(server.pd.createSrq(new SrqAttributes(spec.rxDepth(), 1, 0)));
        }
        for (int q = 0; q < spec.qps(); q++) {
            addPair(client, psns);
            addPair(server, psns);
        }
        for (int q = 0; q < spec.qps(); q++) {
            connect(client, server, q);
            connect(server, client, q);
        }
        if (!spec.pacing().equals(RateLimit.NONE)) {
            client.qps.forEach(qp -> lab.await(qp.limitRate(spec.pacing())));
        }
        tune();
        if (spec.connection() == QpType.UD) {
            client.peer = lab.await(client.pd.createAh(path(server.lab)));
            server.peer = lab.await(server.pd.createAh(path(client.lab)));
        }
        if (spec.buffers() != BufferKind.DEVICE) {
            client.fill();
            server.fill();
        }
    }

    private void tune() {
        Tuning tuning = spec.tuning();
        for (int q = 0; tuning.shares() && q < spec.qps(); q++) {
            lab.await(client.qps.get(q).schedule(new QpSchedule(tuning.priority(q), tuning.weight(q))));
        }
        if (tuning.moderates()) {
            for (CompletionQueue cq : List.of(client.sendCq, client.recvCq, server.sendCq, server.recvCq)) {
                lab.await(cq.modify(tuning.cqCount(), tuning.cqPeriodUs()));
            }
        }
    }

    private Side side(LabHost host) {
        boolean receives = spec.tool().verb() == Verb.SEND;
        long message = Math.max(LINE, spec.size() + LINE - 1 & -LINE);
        long receive = spec.connection() == QpType.UD ? message + LINE : message;
        boolean looked =
                spec.tool().isPingPong() || spec.isInlined() || spec.tool().verb() == Verb.ATOMIC;
        Allocation.Kind kind = looked ? Allocation.Kind.REAL : Allocation.Kind.BULK;
        var memory = host.host().hostMemory();
        Allocation sends = memory.allocate("send", message * spec.qps(), kind, PAGE, memory.dram());
        Allocation receipts = memory.allocate("receive", receive * spec.qps(), kind, PAGE, memory.dram());
        ProtectionDomain pd = lab.await(host.context().allocPd());
        return new Side(
                host,
                pd,
                lab.await(host.context().createCq(spec.txDepth() * spec.qps())),
                lab.await(host.context().createCq(receives ? spec.rxDepth() * spec.qps() : 1)),
                spec.buffers() == BufferKind.DEVICE
                        ? inDevice(host, pd, sends.length())
                        : lab.await(pd.regMr(sends.address(), sends.length(), Side.ACCESS)),
                lab.await(pd.regMr(receipts.address(), receipts.length(), Side.ACCESS)),
                new Side.Buffers(message, receive, kind));
    }

    private MemoryRegion inDevice(LabHost host, ProtectionDomain pd, long bytes) {
        DeviceMemory memory = lab.await(host.context().allocDm(bytes));
        return lab.await(pd.regDmMr(memory, 0, bytes, EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.ZERO_BASED)));
    }

    private void addPair(Side side, RandomStream psns) {
        int receives = spec.tool().verb() == Verb.SEND ? spec.rxDepth() : 0;
        QpCapabilities sizes = new QpCapabilities(spec.txDepth(), receives, 1, 1, spec.inline());
        QpInit own = new QpInit(spec.connection(), side.sendCq, side.recvCq, sizes, false);
        SharedReceiveQueue shared = side.shared;
        QpInit init = shared == null ? own : own.withSrq(shared);
        side.qps.add(lab.await(side.pd.createQp(init)));
        side.psns.add((int) (psns.nextLong() >>> 40));
    }

    private AddressVector path(LabHost to) {
        AddressVector to4 = AddressVector.to(to.gid());
        AddressVector path = spec.ipv6() ? AddressVector.to(to.gid6()).withSgidIndex(1) : to4;
        return path.withTrafficClass(spec.tuning().trafficClass());
    }

    private void connect(Side from, Side to, int q) {
        QueuePair qp = from.qps.get(q);
        QpAttributes init = new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1);
        QpAttributes receive = new QpAttributes().state(QpState.RTR);
        QpAttributes send = new QpAttributes().state(QpState.RTS).sqPsn(from.psns.get(q));
        if (spec.connection() == QpType.UD) {
            init.qkey(QKEY);
        } else {
            init.access(Side.ACCESS);
            receive.addressVector(path(to.lab))
                    .pathMtu(Mtu.ofBytes(spec.mtu()))
                    .destQpn(to.qps.get(q).qpn())
                    .rqPsn(to.psns.get(q));
        }
        if (spec.connection() == QpType.RC) {
            receive.maxDestRdAtomic(spec.profile().integer("nic.qp.max_rd_atomic"))
                    .minRnrTimer(MIN_RNR_TIMER);
            send.maxRdAtomic(spec.outstandingReads())
                    .timeout(spec.tuning().timeout())
                    .retryCount(RETRIES)
                    .rnrRetry(RETRIES);
        }
        lab.await(qp.modify(init));
        lab.await(qp.modify(receive));
        lab.await(qp.modify(send));
    }
}
