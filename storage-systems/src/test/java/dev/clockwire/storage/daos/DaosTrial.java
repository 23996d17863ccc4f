package dev.clockwire.storage.daos;

import dev.clockwire.storage.check.monitor.Findings;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.NodeSpec;
import dev.clockwire.storage.cluster.WorkerSpec;
import dev.clockwire.storage.daos.engine.DaosSpec;
import dev.clockwire.storage.daos.engine.DtxRules;
import dev.clockwire.storage.daos.engine.DtxTap;
import dev.clockwire.storage.load.Course;
import dev.clockwire.storage.load.FaultTrial;
import dev.clockwire.storage.load.LoadSpec;

/** A trial of a DAOS with three replicas. */
final class DaosTrial extends FaultTrial<DaosSystem, DaosTrial> {
    private final DaosSpec spec;
    private final DtxRules rules;

    private DaosTrial(DaosSpec spec, DtxRules rules, Course course) {
        super(course);
        this.spec = spec;
        this.rules = rules;
    }

    static DaosSpec spec() {
        DaosSpec spec = DaosSpec.quick();
        return spec.withOfi(spec.ofi().withBuffers(128, 64));
    }

    /** Returns clients with one operation at a time on one value, half of them reads. */
    static DaosTrial of(int size) {
        return of(spec(), new DtxRules(), size);
    }

    static DaosTrial of(DaosSpec spec, DtxRules rules, int size) {
        return new DaosTrial(spec, rules, Course.of(LoadSpec.of(LoadSpec.Op.MIX, size, 16, 1)));
    }

    @Override
    protected DaosTrial on(Course other) {
        return new DaosTrial(spec, rules, other);
    }

    @Override
    protected NodeSpec software() {
        return NodeSpec.of(WorkerSpec.polling()).withWorkers(spec.cores());
    }

    @Override
    protected DaosSystem system(Cluster cluster) {
        Daos daos = new Daos(cluster, spec, 3, DtxTap.NONE);
        daos.decideBy(rules);
        return new DaosSystem("daos", daos);
    }

    @Override
    protected Findings findings(DaosSystem system) {
        return system.monitors().findings();
    }

    @Override
    protected String what() {
        return "size=" + load().size() + " " + load().op();
    }
}
