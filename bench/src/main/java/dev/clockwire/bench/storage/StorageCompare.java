package dev.clockwire.bench.storage;

import dev.clockwire.nic.profile.Profile;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.FaultSchedule;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.LoadSpec;
import dev.clockwire.storage.threefs.rpc.Transfer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** What one operation of each system costs on the wire, and how long it takes alone and among many clients. */
public final class StorageCompare {
    private static final double PS_PER_US = 1e6;
    private static final int INLINE_MOST = 15 * 1024;
    private static final int OPS_A_CLIENT = 16;
    private static final int LONE_OPS = 20;
    private static final int REPLICAS = 3;

    private final Profile profile;
    private final boolean soft;
    private final DiskKind disk;
    private final long seed;

    /**
     * One row.
     *
     * @param system its name
     * @param op write or read
     * @param size bytes
     * @param send messages of a lone operation
     * @param oneSided RDMA READs and WRITEs of it
     * @param trips one-way trips behind its answer
     * @param nics bytes of each machine out and in, client last, managers left out
     * @param aloneUs median latency of one client
     * @param clients how many load it together
     * @param gbps of all of them together
     * @param p50Us their median latency
     * @param p99Us the latency that one of a hundred exceeds
     */
    public record Row(
            String system,
            String op,
            int size,
            long send,
            long oneSided,
            int trips,
            List<LoadResult.Nic> nics,
            double aloneUs,
            int clients,
            double gbps,
            double p50Us,
            double p99Us) {}

    /** Prepares the comparison on some hardware. */
    public StorageCompare(Profile profile, boolean soft, DiskKind disk, long seed) {
        this.profile = profile;
        this.soft = soft;
        this.disk = disk;
        this.seed = seed;
    }

    /**
     * Runs all systems.
     *
     * @param clients numbers of clients that load it together, one row each
     * @param progress gets a line before each row
     */
    public List<Row> run(List<String> systems, List<Integer> sizes, List<Integer> clients, Consumer<String> progress) {
        List<Row> rows = new ArrayList<>();
        for (String system : systems) {
            for (LoadSpec.Op op : List.of(LoadSpec.Op.WRITE, LoadSpec.Op.READ)) {
                for (int size : sizes) {
                    if (system.equals("3fs-inline") && size > INLINE_MOST) {
                        continue; // does not fit into a request
                    }
                    for (int n : clients) {
                        progress.accept(
                                String.format(Locale.ROOT, "%s, %s of %d B, %d clients", system, name(op), size, n));
                        rows.add(row(system, op, size, n));
                    }
                }
            }
        }
        return rows;
    }

    private static String name(LoadSpec.Op op) {
        return op.name().toLowerCase(Locale.ROOT);
    }

    private Row row(String system, LoadSpec.Op op, int size, int clients) {
        LoadResult one = run(system, 1, LoadSpec.of(op, size, 1, 1));
        LoadResult alone = run(system, 1, LoadSpec.of(op, size, LONE_OPS, LONE_OPS));
        LoadResult many = run(system, clients, LoadSpec.of(op, size, OPS_A_CLIENT * clients, 8 * clients));
        LoadResult.Traffic t = one.traffic();
        return new Row(
                system,
                name(op),
                size,
                t.sends(),
                t.reads() + t.writes(),
                t.trips(),
                t.nics().stream().filter(n -> !n.node().startsWith("mgmt")).toList(),
                alone.latency().percentile(50) / PS_PER_US,
                clients,
                many.gbps(),
                many.latency().percentile(50) / PS_PER_US,
                many.latency().percentile(99) / PS_PER_US);
    }

    private LoadResult run(String system, int clients, LoadSpec load) {
        StorageSpec spec = new StorageSpec(
                system,
                profile,
                seed,
                soft,
                PayloadMode.BYTES,
                disk,
                "p5800x",
                REPLICAS,
                REPLICAS,
                clients,
                load.size(),
                "reject",
                Transfer.usual(),
                0,
                false,
                load,
                FaultPlan.NONE,
                FaultSchedule.NONE);
        return new StorageRun(spec).run();
    }
}
