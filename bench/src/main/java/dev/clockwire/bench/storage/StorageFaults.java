package dev.clockwire.bench.storage;

import dev.clockwire.nic.lab.FaultCount;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.Disk;
import dev.clockwire.storage.cluster.FaultSchedule;
import dev.clockwire.storage.cluster.FaultStrike;
import dev.clockwire.storage.cluster.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A plan's rules by who carries them out: hosts and cables, a schedule of steps, or what is told to disks and between machines at a time. */
record StorageFaults(FaultPlan plan) {
    /** Far behind every start, and no overflow when a fault's own time is added. */
    static final long NEVER_PS = Long.MAX_VALUE / 8;

    private static final long SLOW_PS = 10_000_000_000L;
    private static final long FOREVER = Long.MAX_VALUE / 4;
    private static final String CABLE = "-switch";

    /** Programs of the manager and of clients are begun once: who asks would wait for ever. */
    void check() {
        for (FaultRule rule : plan.rules()) {
            if (rule.action() instanceof FaultAction.OnNode on
                    && on.what() != NodeFault.PAUSE
                    && !on.node().startsWith("node")) {
                throw new ConfigurationException("fault " + rule.name() + ": "
                        + on.what().name().toLowerCase(Locale.ROOT) + " of " + on.node()
                        + (isOfDisk(rule)
                                ? ": it has no disk, only storage nodes (node0...) have"
                                : ": only storage nodes (node0...) come back from that; others: link,"
                                        + " partition, pause"));
            }
            boolean told = isOfDisk(rule) || rule.action() instanceof FaultAction.Partition;
            if (told && !isAtStep(rule) && !(rule.trigger() instanceof FaultTrigger.At)) {
                throw new ConfigurationException("fault " + rule.name() + ": "
                        + (isOfDisk(rule) ? "a disk fails" : "machines are parted")
                        + " at a time (at_us) or at a step of the protocol (at_event)");
            }
        }
    }

    private static boolean isOfDisk(FaultRule rule) {
        return rule.action() instanceof FaultAction.OnNode on
                && (on.what() == NodeFault.DISK_SLOW || on.what() == NodeFault.DISK_ERROR);
    }

    private static boolean isAtStep(FaultRule rule) {
        return rule.trigger() instanceof FaultTrigger.AtStep;
    }

    /** Returns what hosts and cables do by themselves, with times from another beginning. */
    FaultPlan ofMachines(long begin) {
        List<FaultRule> rules = new ArrayList<>();
        for (FaultRule rule : plan.rules()) {
            if (isOfDisk(rule) || isAtStep(rule) || rule.action() instanceof FaultAction.Partition) {
                continue;
            }
            rules.add(rule.trigger() instanceof FaultTrigger.At at ? rule.at(at.ps() + begin) : rule);
        }
        return new FaultPlan(rules);
    }

    /** Returns a schedule with what happens at steps. */
    FaultSchedule schedule(FaultSchedule with) {
        List<FaultStrike> all = new ArrayList<>(with.strikes());
        for (FaultRule rule : plan.rules()) {
            if (rule.trigger() instanceof FaultTrigger.AtStep at) {
                all.add(strike(rule, at));
            }
        }
        return new FaultSchedule(all);
    }

    private static FaultStrike strike(FaultRule rule, FaultTrigger.AtStep at) {
        if (rule.action() instanceof FaultAction.Partition parts) {
            return FaultStrike.partition(at.node(), at.step(), at.nth(), parts.other(), rule.forPs())
                    .at(parts.node());
        }
        if (rule.action() instanceof FaultAction.LinkDown down) {
            String machine = down.link().substring(0, down.link().length() - CABLE.length());
            return FaultStrike.of(at.node(), at.step(), at.nth(), FaultStrike.What.LINK, rule.outagePs())
                    .at(machine);
        }
        if (!(rule.action() instanceof FaultAction.OnNode on)) {
            throw new ConfigurationException(
                    "fault " + rule.name() + ": a step sets off what happens to machines, cables and disks only");
        }
        long back = rule.returns() ? rule.returnPs() : 0;
        FaultStrike.What what = switch (on.what()) {
            case CRASH, RESTART -> FaultStrike.What.CRASH;
            case RESET -> FaultStrike.What.RESET;
            case PAUSE -> FaultStrike.What.PAUSE;
            case DISK_SLOW -> FaultStrike.What.DISK_SLOW;
            case DISK_ERROR -> FaultStrike.What.DISK_ERROR;
            case CQE_ORDER ->
                throw new ConfigurationException("fault " + rule.name() + ": cqe_order counts completions, not steps");
        };
        boolean lasts = what == FaultStrike.What.PAUSE || isOfDisk(rule);
        return FaultStrike.of(at.node(), at.step(), at.nth(), what, lasts ? rule.forPs() : back)
                .at(on.node());
    }

    /** Has disks and parted machines told when their times come, from now on; by the manager, which is always there. */
    void begin(Cluster cluster) {
        long begin = cluster.sim().now();
        for (FaultRule rule : plan.rules()) {
            if (!(rule.trigger() instanceof FaultTrigger.At at)) {
                continue;
            }
            if (rule.action() instanceof FaultAction.Partition parts) {
                int one = find(cluster, parts.node()).number();
                int other = find(cluster, parts.other()).number();
                long ps = rule.outagePs() > FOREVER ? FOREVER : rule.outagePs();
                later(cluster, at.ps(), () -> cluster.lab().part(one, other, begin + at.ps(), ps));
            } else if (isOfDisk(rule) && rule.action() instanceof FaultAction.OnNode on) {
                Node node = find(cluster, on.node());
                long until = rule.forPs() == 0 ? Disk.NEVER : begin + at.ps() + rule.forPs();
                boolean slow = on.what() == NodeFault.DISK_SLOW;
                later(
                        cluster,
                        at.ps(),
                        () -> node.disks().forEach(d -> {
                            if (slow) {
                                d.slow(SLOW_PS, until);
                            } else {
                                d.fail(until);
                            }
                        }));
            }
        }
    }

    private static void later(Cluster cluster, long ps, Runnable what) {
        cluster.managers().get(0).worker(0).after(ps, (a, b) -> what.run(), 0, 0);
    }

    private static Node find(Cluster cluster, String name) {
        return Stream.of(cluster.managers(), cluster.nodes(), cluster.clients())
                .flatMap(List::stream)
                .filter(n -> n.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Returns when the last of the faults that end at a known time, and that only this class knows of, is over; from the first operation on. */
    long lastPs() {
        return plan.rules().stream()
                .filter(r -> isOfDisk(r) || r.action() instanceof FaultAction.Partition)
                .mapToLong(r -> r.forPs() + (r.trigger() instanceof FaultTrigger.At at ? at.ps() : 0))
                .max()
                .orElse(0);
    }

    /** Returns a line for each fault of a time that had not come. */
    List<String> idle(long begin, long now) {
        return plan.rules().stream()
                .filter(r -> r.trigger() instanceof FaultTrigger.At at && begin + at.ps() > now)
                .map(r -> new FaultCount(r, 0).toString())
                .toList();
    }
}
