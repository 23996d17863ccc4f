package dev.clockwire.storage.daos;

import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.NodeSpec;
import dev.clockwire.storage.cluster.WorkerSpec;
import dev.clockwire.storage.daos.engine.DaosSpec;
import dev.clockwire.storage.daos.engine.DtxRules;
import dev.clockwire.storage.daos.engine.DtxTap;
import dev.clockwire.storage.load.StorageSystem;
import dev.clockwire.storage.load.Trial;

/** Trials of a DAOS with three replicas. */
final class Trials {
    private Trials() {}

    static DaosSpec spec() {
        DaosSpec spec = DaosSpec.quick();
        return spec.withOfi(spec.ofi().withBuffers(128, 64));
    }

    static Trial of(int size) {
        return of(spec(), new DtxRules(), size);
    }

    static Trial of(DaosSpec spec, DtxRules rules, int size) {
        return Trial.of(
                c -> system(c, spec, rules), NodeSpec.of(WorkerSpec.polling()).withWorkers(spec.cores()), size);
    }

    private static StorageSystem system(Cluster cluster, DaosSpec spec, DtxRules rules) {
        Daos daos = new Daos(cluster, spec, 3, DtxTap.NONE);
        daos.decideBy(rules);
        return new DaosSystem("daos", daos);
    }
}
