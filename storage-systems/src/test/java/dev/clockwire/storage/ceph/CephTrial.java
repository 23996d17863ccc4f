package dev.clockwire.storage.ceph;

import dev.clockwire.roce.fabric.host.LightFrame;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultFilter;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.ceph.osd.OsdTap;
import dev.clockwire.storage.check.monitor.Findings;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.NodeSpec;
import dev.clockwire.storage.load.Course;
import dev.clockwire.storage.load.FaultTrial;
import dev.clockwire.storage.load.LoadSpec;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A trial of a Ceph with three replicas. */
final class CephTrial extends FaultTrial<CephSystem, CephTrial> {
    static final int SIZE = 4096;
    private static final long MS = 1_000_000_000L;

    private final CephSpec spec;
    private final @Nullable Parted parted;
    private final Consumer<Ceph> changed;

    /**
     * Two machines between which nothing passes for a time.
     *
     * @param a number of one
     * @param b number of the other
     * @param oneWay whether b still hears a
     */
    record Parted(long ps, long forPs, int a, int b, boolean oneWay) {
        FaultPlan plan() {
            FaultFilter between = t -> t instanceof RocePacket p
                    && isBetween(LightFrame.hostOf(p.flow.srcMac), LightFrame.hostOf(p.flow.dstMac));
            return FaultPlan.of(FaultRule.of(new FaultAction.Drop(), new FaultTrigger.At(ps))
                    .where(between)
                    .lasting(forPs));
        }

        private boolean isBetween(int from, int to) {
            return (from == b && to == a) || (!oneWay && from == a && to == b);
        }
    }

    private CephTrial(CephSpec spec, @Nullable Parted parted, Consumer<Ceph> changed, Course course) {
        super(course);
        this.spec = spec;
        this.parted = parted;
        this.changed = changed;
    }

    static CephTrial of(CephModel model) {
        CephSpec c = CephSpec.of(model, 2, 3).quick();
        CephSpec small = c.withOsd(c.osd().withStreams(c.osd().streams().withPools(16, 64, 32)));
        return new CephTrial(small, null, ceph -> {}, Course.of(LoadSpec.of(LoadSpec.Op.MIX, SIZE, 16, 2)));
    }

    /** The same with Ceph's own waits: a cable may be out for longer than a connection lives, and nobody is declared dead. */
    CephTrial slow() {
        CephSpec c = CephSpec.of(spec.model(), spec.pgs(), spec.replicas());
        return with(c.withOsd(c.osd().withStreams(spec.osd().streams())));
    }

    CephSpec spec() {
        return spec;
    }

    CephTrial with(CephSpec other) {
        return new CephTrial(other, parted, changed, course());
    }

    CephTrial with(Parted other) {
        return new CephTrial(spec, other, changed, course());
    }

    /** With something that a test changes before the start. */
    CephTrial changing(Consumer<Ceph> other) {
        return new CephTrial(spec, parted, other, course());
    }

    @Override
    protected CephTrial on(Course other) {
        return new CephTrial(spec, parted, changed, other);
    }

    @Override
    protected NodeSpec software() {
        return CephSpec.software(spec.model());
    }

    @Override
    protected NodeSpec nodes() {
        return spec.software();
    }

    @Override
    protected FaultPlan faults() {
        return parted == null ? FaultPlan.NONE : parted.plan();
    }

    @Override
    protected CephSystem system(Cluster cluster) {
        Ceph ceph = new Ceph(cluster, spec, OsdTap.NONE);
        changed.accept(ceph);
        return new CephSystem("ceph", ceph);
    }

    @Override
    protected Findings findings(CephSystem system) {
        return system.monitors().findings();
    }

    @Override
    protected String stuck(CephSystem system) {
        var map = system.ceph().monitor().map();
        return "map " + map.epoch() + " of " + map.osds();
    }

    @Override
    protected String what() {
        return spec.model() + " " + load().op() + (parted == null ? "" : " " + parted);
    }

    /** Longer than the grace. */
    @Override
    protected long lastsPs() {
        return ms(15);
    }

    static long ms(long n) {
        return n * MS;
    }
}
