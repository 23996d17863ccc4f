package dev.clockwire.testkit.nic;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.AddressVector;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.MemoryWindow;
import dev.clockwire.roce.verbs.MwBind;
import dev.clockwire.roce.verbs.MwType;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.SendWorkRequest;
import dev.clockwire.roce.verbs.SharedReceiveQueue;
import dev.clockwire.roce.verbs.SrqAttributes;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.testkit.nic.ProgramWriter.Arenas;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A random verbs program on a lab. Every message must land exactly once, in order, with the right bytes, nothing outside of its
 * range may be touched, every completion must come once and in order, and nothing may hang.
 */
public final class VerbsRun {
    private static final int INLINE = 220;
    private static final int REAL_BYTES = 1 << 17;
    private static final long SETTLE_PS = 50_000_000;
    private static final long LONG_SETTLE_PS = 3_000_000_000L;

    private final ProgramSpec spec;
    private final Lab lab;
    private final Actor a;
    private final Actor b;
    private final Arenas memoryA;
    private final Arenas memoryB;
    private final RandomStream random;

    /** Builds the lab and writes the program; nothing is posted yet. */
    public VerbsRun(Profile profile, LabSpec labSpec, ProgramSpec spec) {
        this.spec = spec;
        random = RandomStream.named(spec.seed(), "program");
        lab = Lab.twoHosts(profile, labSpec);
        a = new Actor(lab.a());
        b = new Actor(lab.b());
        ProtectionDomain pdA = lab.await(lab.a().context().allocPd());
        ProtectionDomain pdB = lab.await(lab.b().context().allocPd());
        memoryA = arenas(lab.a(), pdA);
        memoryB = arenas(lab.b(), pdB);
        for (int q = 0; q < spec.qps(); q++) {
            pair(pdA, pdB, q);
        }
        if (spec.lateReceives()) {
            a.receivesFrom = lab.sim().now() + random.below(40_000_000);
            b.receivesFrom = lab.sim().now() + random.below(40_000_000);
        }
    }

    private Arenas arenas(LabHost host, ProtectionDomain pd) {
        int each = spec.maxLength() + 5000;
        int bulk = 3 * each * spec.works() * spec.qps() * (spec.duplex() ? 2 : 1);
        return new Arenas(
                new Arena(lab, host, pd, "payload", bulk, spec.bulk(), spec.seed()),
                spec.has(ProgramSpec.DEVICE)
                        ? new Arena(lab, host, pd, "results", REAL_BYTES, spec.seed())
                        : new Arena(lab, host, pd, "results", REAL_BYTES, Allocation.Kind.REAL, spec.seed()));
    }

    private void pair(ProtectionDomain pdA, ProtectionDomain pdB, int q) {
        Endpoint ea = endpoint(a, pdA, q);
        Endpoint eb = endpoint(b, pdB, q);
        int psnA = random.chance(0.5) ? 0xFFFFFF - random.below(20) : random.below(1 << 24);
        int psnB = random.below(1 << 24);
        Connections.join(lab, ea.qp, lab.b().gid(), eb.qp.qpn(), psnA, psnB, spec.mtu());
        Connections.join(lab, eb.qp, lab.a().gid(), ea.qp.qpn(), psnB, psnA, spec.mtu());
        ea.peerQpn = eb.qp.qpn();
        eb.peerQpn = ea.qp.qpn();
        if (spec.type() == QpType.UD) {
            ea.qkey = Connections.QKEY;
            eb.qkey = Connections.QKEY;
            ea.ah = lab.await(pdA.createAh(AddressVector.to(
                    random.chance(0.5) ? lab.b().gid() : lab.b().gid6())));
            eb.ah = lab.await(pdB.createAh(AddressVector.to(lab.a().gid())));
        }
        new ProgramWriter(spec, ea, eb, memoryA, memoryB, windows(ea, eb, memoryA, memoryB), random).write();
        if (spec.duplex()) {
            new ProgramWriter(spec, eb, ea, memoryB, memoryA, windows(eb, ea, memoryB, memoryA), random).write();
        }
        if (!spec.lateReceives()) {
            fill(ea);
            fill(eb);
        }
    }

    /** The windows of one direction: one that the sender binds, and those at the receiver that are bound before the program starts. */
    private @Nullable Windows windows(Endpoint from, Endpoint to, Arenas local, Arenas remote) {
        if (!spec.has(ProgramSpec.WINDOWS) || spec.type() == QpType.UD) {
            return null;
        }
        MemoryWindow own = lab.await(from.qp.pd().allocMw(MwType.TYPE_2));
        Windows windows = new Windows(own, local.bulk().mr);
        for (int i = 0; i < Windows.OPEN && spec.type() == QpType.RC; i++) {
            MemoryWindow window = lab.await(to.qp.pd().allocMw(MwType.TYPE_2));
            int key = MemoryWindow.incRkey(window.rkey());
            MemoryRegion region = remote.bulk().mr;
            to.qp.postSend(SendWorkRequest.bindMw(
                    i, key, new MwBind(window, region, region.address(), region.length(), Windows.WRITE)));
            CompletionQueue cq = to.qp.init().sendCq();
            if (!lab.sim().runUntil(cq::hasCompletion, lab.sim().now() + LONG_SETTLE_PS)
                    || cq.poll(WorkCompletion.array(1)) != 1) {
                throw new AssertionError("a window was not bound");
            }
            windows.open(key);
        }
        return windows;
    }

    private Endpoint endpoint(Actor actor, ProtectionDomain pd, int q) {
        int receives = spec.lateReceives() ? 3 : spec.works();
        int entries = spec.depth() + receives;
        CompletionQueue cq;
        if (spec.ownCqs() || q == 0) {
            int share = spec.ownCqs() ? 1 : spec.qps();
            cq = lab.await(actor.host.context().createCq(entries * share));
            actor.cqs.add(cq);
        } else {
            cq = actor.cqs.get(0);
        }
        var capabilities = new QpCapabilities(spec.depth(), receives, Endpoint.MAX_SGE, Endpoint.MAX_SGE, INLINE);
        QpInit init = QpInit.of(spec.type(), cq, capabilities);
        SharedReceiveQueue srq = null;
        if (spec.has(ProgramSpec.SHARED)) {
            srq = lab.await(pd.createSrq(new SrqAttributes(receives, Endpoint.MAX_SGE, 0)));
            init = init.withSrq(srq);
        }
        Endpoint e = new Endpoint(
                lab.await(pd.createQp(init)),
                spec.depth(),
                receives,
                RandomStream.named(spec.seed(), actor.host.host().path() + q));
        e.srq = srq;
        actor.endpoints.add(e);
        return e;
    }

    private static void fill(Endpoint e) {
        boolean more = true;
        while (more) {
            more = e.receive();
        }
    }

    /** Returns the lab. */
    public Lab lab() {
        return lab;
    }

    /** Starts both cores; the caller runs the simulation. */
    public void start() {
        lab.a().core().run(a);
        lab.b().core().run(b);
    }

    /** Returns the first host's queue pairs, whose state a test may look at. */
    List<Endpoint> endpoints() {
        return a.endpoints;
    }

    /** Whether both hosts have posted everything and seen every completion. */
    public boolean done() {
        return a.doneAt > 0 && b.doneAt > 0;
    }

    /**
     * Runs the program to its end and judges what it left.
     *
     * @param limitPs simulated time that it may take
     */
    public Outcome run(long limitPs) {
        start();
        long limit = lab.sim().now() + limitPs;
        if (!lab.sim().runUntil(this::done, limit)) {
            throw new AssertionError("hangs: " + spec + "\n" + a.endpoints + "\n" + b.endpoints);
        }
        long end = Math.max(a.doneAt, b.doneAt) + SETTLE_PS;
        lab.sim().run(end);
        Outcome outcome = outcome();
        if (!settled()) {
            lab.sim().run(end + LONG_SETTLE_PS);
            check();
        }
        return outcome;
    }

    /** A completion says that a message was accepted, not that it is in memory: on a slow host that may take a while. */
    private boolean settled() {
        try {
            check();
            return true;
        } catch (AssertionError e) {
            return false;
        }
    }

    /** Compares all memory with what the program must have left. */
    public void check() {
        memoryA.bulk().check();
        memoryA.real().check();
        memoryB.bulk().check();
        memoryB.real().check();
    }

    /** Returns what must not depend on how the lab is simulated. */
    public Outcome outcome() {
        return new Outcome(a.doneAt, b.doneAt, a.digest, b.digest, lab.sim().traceHash());
    }

    /**
     * What a run is compared by.
     *
     * @param doneA time at which the first host had seen its last completion, in ps
     * @param doneB the same of the second
     * @param completionsA digest of the completions of the first host and of the times at which they were seen
     * @param completionsB the same of the second
     * @param trace trace hash
     */
    public record Outcome(long doneA, long doneB, long completionsA, long completionsB, long trace) {}
}
