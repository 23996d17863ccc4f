package dev.clockwire.storage.threefs;

import dev.clockwire.storage.cluster.FaultSchedule;
import dev.clockwire.storage.cluster.FaultStrike;
import dev.clockwire.storage.cluster.FaultStrike.What;
import dev.clockwire.storage.load.LoadSpec;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.rpc.Transfer;
import dev.clockwire.storage.threefs.server.ReadRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Draws trials: runs of many shapes, with faults at any occurrence of any step, at once or later, at the machine that takes the step or at another one. Some
 * faults outlast the lease, and those that come late strike while a chain recovers from the others. The same seed draws the same trials.
 */
final class Schedules {
    private static final long MS = 1_000_000_000L;
    private static final List<What> ALL = What.alone();
    /** Shorter than the lease, longer than it, longer than the silence after which a node is lost. */
    private static final long[] LAST = {3 * MS, 5 * MS, 9 * MS, 16 * MS};
    /** As long as a chain takes to go on without a node, and to bring it up to date. */
    private static final int RECOVERY_US = 30_000;

    private static final int SOON_US = 1000;
    private static final long US = 1_000_000L;

    private static final long SEEDS = 50;
    private static final String[] LOSE = {"node0:commit#1 crash restart=3ms", "node1:commit#1 crash restart=3ms"};

    private final DataPath path;
    private final Transfer transfer;
    private final SplittableRandom random;
    private final Map<String, List<Map.Entry<String, Integer>>> steps = new TreeMap<>();

    Schedules(DataPath path, Transfer transfer, long seed) {
        this.path = path;
        this.transfer = transfer;
        random = new SplittableRandom(seed);
    }

    /** Returns a trial of so many faults. */
    Trial next(int faults) {
        Trial shape = shape();
        List<Map.Entry<String, Integer>> known = steps.computeIfAbsent(
                size(shape), size -> List.copyOf(steps(shape).entrySet()));
        FaultStrike[] strikes = new FaultStrike[faults];
        for (int i = 0; i < faults; i++) {
            strikes[i] = strike(known.get(random.nextInt(known.size())), shape.clients());
        }
        return shape.with(FaultSchedule.of(strikes));
    }

    /** Runs that are alike in this take about the same steps as often. */
    private static String size(Trial shape) {
        return shape.chains() + " " + shape.load().ops();
    }

    private Trial shape() {
        ReadRule rule = random.nextBoolean() ? ReadRule.REJECT : ReadRule.TAIL_QUERY;
        int clients = 1 + random.nextInt(3);
        int depth = random.nextInt(4) == 0 ? 3 : 1;
        int chains = random.nextInt(4) == 0 ? 2 : 1;
        int keys = random.nextBoolean() ? chains : 4;
        int ops = random.nextBoolean() ? 16 : 30;
        int reads = random.nextInt(3) == 0 ? 80 : 50;
        return Trial.of(path, rule)
                .with(transfer)
                .with(new LoadSpec(LoadSpec.Op.MIX, Trial.SIZE, ops, keys, depth, reads))
                .of(clients, chains)
                .seeded(1 + random.nextLong(SEEDS));
    }

    /** What nodes do in runs of that shape, quiet ones and those in which nodes are lost and brought up to date. */
    private static Map<String, Integer> steps(Trial shape) {
        Map<String, Integer> all = new TreeMap<>(shape.run().counts());
        for (String lose : LOSE) {
            shape.with(lose).run().counts().forEach((step, n) -> all.merge(step, n, Math::max));
        }
        all.keySet().removeIf(step -> !step.startsWith("node"));
        return all;
    }

    private FaultStrike strike(Map.Entry<String, Integer> step, int clients) {
        int colon = step.getKey().indexOf(':');
        String node = step.getKey().substring(0, colon);
        What what = ALL.get(random.nextInt(ALL.size()));
        long ps = what == What.EXIT ? 0 : LAST[random.nextInt(LAST.length)];
        int nth = 1 + random.nextInt(step.getValue());
        FaultStrike s = FaultStrike.of(node, step.getKey().substring(colon + 1), nth, what, ps);
        switch (random.nextInt(6)) {
            case 0 -> s = s.later(US * random.nextInt(SOON_US));
            case 1 -> s = s.later(US * random.nextInt(RECOVERY_US));
            default -> {}
        }
        int where = random.nextInt(8);
        if (where < 2) {
            s = s.at("node" + random.nextInt(3));
        } else if (where == 2 && (what == What.LINK || what == What.PAUSE)) {
            s = s.at(random.nextBoolean() ? "client" + random.nextInt(clients) : "mgmt0");
        }
        return s;
    }

    /** Returns so many trials. */
    List<Trial> sample(int n, int faults) {
        List<Trial> all = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            all.add(next(faults));
        }
        return all;
    }
}
