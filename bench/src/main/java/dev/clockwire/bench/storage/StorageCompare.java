package dev.clockwire.bench.storage;

import dev.clockwire.bench.text.Count;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.cluster.CpuWork;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.LoadSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** What one operation of each system costs on the wire and in cores, and how long it takes alone and among many clients. */
public final class StorageCompare {
    private static final double PS_PER_US = 1e6;
    private static final double PS_PER_NS = 1e3;
    private static final int INLINE_MOST = 15 * 1024;
    private static final int OPS_A_CLIENT = 16;
    private static final int LEAST_OPS = 64;
    /** A row moves no more values than this if it has operations enough: large ones take long to simulate. */
    private static final long MOST_BYTES = 512L << 20;

    private static final int LEAST_OPS_A_CLIENT = 2;
    private static final int KEYS_A_CLIENT = 8;
    private static final int LONE_OPS = 20;
    private static final int REPLICAS = 3;
    /** From here on no system carries values inside of messages that it reads. */
    private static final int BULK = 32 * 1024;

    private final Profile profile;
    private final boolean soft;
    private final DiskKind disk;
    private final long seed;
    private final int depth;
    private BooleanSupplier stop = () -> false;

    /**
     * One row.
     *
     * @param system its name
     * @param op write or read
     * @param size bytes
     * @param wire what a lone operation carries
     * @param cpu what it takes of cores
     * @param aloneUs median latency of one client
     * @param aloneP99Us the latency that one of a hundred exceeds
     * @param clients how many load it together
     * @param gbps of all of them together
     * @param p50Us their median latency
     * @param p99Us the latency that one of a hundred exceeds
     */
    public record Row(
            String system,
            String op,
            int size,
            Wire wire,
            Cpu cpu,
            double aloneUs,
            double aloneP99Us,
            int clients,
            double gbps,
            double p50Us,
            double p99Us) {}

    /**
     * Cores of one operation, in the mean of several.
     *
     * @param clientNs work of the client's
     * @param serverNs work of all storage nodes'
     * @param clientTouches how often the client loads or stores each byte of the value: a copy counts once, a checksum once
     * @param serverTouches the same of all storage nodes together
     * @param wakeUps threads that were woken, on all machines
     * @param polling whether a core looks at queues all the time, on some machine
     */
    public record Cpu(
            double clientNs,
            double serverNs,
            double clientTouches,
            double serverTouches,
            double wakeUps,
            boolean polling) {}

    /** Prepares the comparison on some hardware, with so many operations under way at each client. */
    public StorageCompare(Profile profile, boolean soft, DiskKind disk, long seed, int depth) {
        this.profile = profile;
        this.soft = soft;
        this.disk = disk;
        this.seed = seed;
        this.depth = depth;
    }

    /** Lets somebody end the comparison early, with the rows that are complete. */
    public void stopWhen(BooleanSupplier when) {
        stop = when;
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
                    progress.accept(String.format(Locale.ROOT, "%s, %s of %d B alone", system, name(op), size));
                    if (stop.getAsBoolean()) {
                        return rows;
                    }
                    Row lone = lone(system, op, size);
                    for (int n : clients) {
                        if (stop.getAsBoolean()) {
                            return rows;
                        }
                        progress.accept(String.format(
                                Locale.ROOT, "%s, %s of %d B, %s", system, name(op), size, Count.of(n, "client")));
                        Row row = loaded(lone, op, n);
                        if (stop.getAsBoolean()) {
                            return rows; // this one is not complete
                        }
                        rows.add(row);
                    }
                }
            }
        }
        return rows;
    }

    private static String name(LoadSpec.Op op) {
        return op.name().toLowerCase(Locale.ROOT);
    }

    /** Returns what one operation at a time costs. */
    public Row lone(String system, LoadSpec.Op op, int size) {
        LoadResult one = run(system, 1, LoadSpec.of(op, size, 1, 1));
        LoadResult alone = run(system, 1, LoadSpec.of(op, size, LONE_OPS, LONE_OPS));
        return new Row(
                system,
                name(op),
                size,
                Wire.of(system, op == LoadSpec.Op.WRITE, size, one.traffic()),
                cpu(alone, size),
                us(alone, 50),
                us(alone, 99),
                1,
                alone.gbps(),
                us(alone, 50),
                us(alone, 99));
    }

    private Row loaded(Row lone, LoadSpec.Op op, int clients) {
        LoadSpec load =
                LoadSpec.of(op, lone.size(), ops(lone.size(), clients * depth), KEYS_A_CLIENT * clients * depth);
        LoadResult many = run(lone.system(), clients, load.withDepth(depth));
        return new Row(
                lone.system(),
                lone.op(),
                lone.size(),
                lone.wire(),
                lone.cpu(),
                lone.aloneUs(),
                lone.aloneP99Us(),
                clients,
                many.gbps(),
                us(many, 50),
                us(many, 99));
    }

    /** Returns the operations of a row: 16 for each that is under way, fewer large ones, 64 in all at least. */
    static int ops(int size, int underWay) {
        long each = Math.min(OPS_A_CLIENT, MOST_BYTES / ((long) size * underWay));
        return Math.max(LEAST_OPS, (int) Math.max(LEAST_OPS_A_CLIENT, each) * underWay);
    }

    private static double us(LoadResult r, double percentile) {
        return r.latency().percentile(percentile) / PS_PER_US;
    }

    private static Cpu cpu(LoadResult r, int size) {
        CpuWork client = CpuWork.NONE;
        CpuWork servers = CpuWork.NONE;
        for (int i = 0; i < r.work().size(); i++) {
            String node = r.traffic().nics().get(i).node();
            if (node.startsWith("client")) {
                client = client.and(r.work().get(i));
            } else if (node.startsWith("node")) {
                servers = servers.and(r.work().get(i));
            }
        }
        double n = r.ended();
        return new Cpu(
                client.workPs() / PS_PER_NS / n,
                servers.workPs() / PS_PER_NS / n,
                (client.copied() + client.scanned()) / n / size,
                (servers.copied() + servers.scanned()) / n / size,
                (client.wakeUps() + servers.wakeUps()) / n,
                client.pollingPs() + servers.pollingPs() > r.elapsedPs() / 2);
    }

    private LoadResult run(String system, int clients, LoadSpec load) {
        StorageRun run = new StorageRun(StorageSpec.of(system, profile, load)
                .withHardware(soft, disk, seed)
                .withPayload(load.size() >= BULK ? PayloadMode.SIZES : PayloadMode.BYTES)
                .withMachines(REPLICAS, REPLICAS, clients));
        run.stopWhen(stop);
        return run.run();
    }
}
