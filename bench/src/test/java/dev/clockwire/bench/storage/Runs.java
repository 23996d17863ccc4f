package dev.clockwire.bench.storage;

import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.LoadSpec;

/** Runs of storage systems, as the command line makes them. */
final class Runs {
    static final int KIB = 1024;
    static final int MIB = 1024 * KIB;
    private static final int BULK = 32 * KIB;

    private Runs() {}

    static StorageSpec spec(String system, LoadSpec load, int clients) {
        StorageSpec s = StorageSpec.of(system, Profiles.named("cx7-400g"), load).withMachines(3, 3, clients);
        return load.size() >= BULK ? s.withPayload(PayloadMode.SIZES) : s;
    }

    static LoadResult run(String system, LoadSpec.Op op, int size, int ops) {
        return new StorageRun(spec(system, LoadSpec.of(op, size, ops, ops), 1)).run();
    }

    static StorageRun.Drawn lone(String system, LoadSpec.Op op, int size) {
        return new StorageRun(spec(system, LoadSpec.of(op, size, 1, 1), 1)).draw();
    }
}
