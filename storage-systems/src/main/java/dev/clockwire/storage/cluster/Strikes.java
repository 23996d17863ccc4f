package dev.clockwire.storage.cluster;

import dev.clockwire.nic.lab.HostTroubles;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Carries a {@link FaultSchedule} out: what is due strikes 1 ps behind the step, before anything that the step has posted. */
final class Strikes extends SimNode implements StepTap {
    private static final long LATE_PS = 10_000_000_000L;

    private final FaultSchedule schedule;
    private final EventPort strike;
    private final int[] seen;
    private final boolean[] struck;
    private final List<Node> hosts = new ArrayList<>();
    private final List<HostTroubles> troubles = new ArrayList<>();
    private Parting parting = (machine, other, now, ps) -> {};

    /** Parts two machines. */
    @FunctionalInterface
    interface Parting {
        /** Lets nothing pass between them for a time. */
        void part(int machine, int other, long now, long ps);
    }

    Strikes(Scope parent, FaultSchedule schedule) {
        super(parent, "strikes");
        this.schedule = schedule;
        seen = new int[schedule.strikes().size()];
        struck = new boolean[seen.length];
        strike = new EventPort(this, "strike") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                struck[(int) a] = true;
                strike(schedule.strikes().get((int) a));
            }
        };
    }

    @Override
    protected @Nullable String snapshotBlocker() {
        return path() + " counts steps of programs";
    }

    void add(Node node, HostTroubles what) {
        hosts.add(node);
        troubles.add(what);
    }

    @Override
    public void step(int host, String step, long ps) {
        for (int i = 0; i < seen.length; i++) {
            FaultStrike s = schedule.strikes().get(i);
            if (hosts.get(host).name().equals(s.node()) && s.event().equals(step)) {
                seen[i]++;
                if (seen[i] == s.nth()) {
                    strike.send(Math.max(ps, now()) + 1 + s.afterPs(), 0, i, 0);
                }
            }
        }
    }

    /** Returns those that have not happened. */
    List<FaultStrike> idle() {
        List<FaultStrike> idle = new ArrayList<>();
        for (int i = 0; i < struck.length; i++) {
            if (!struck[i]) {
                idle.add(schedule.strikes().get(i));
            }
        }
        return idle;
    }

    /** Says who parts machines, by their places. */
    void parts(Parting who) {
        parting = who;
    }

    private int place(String name) {
        int i = 0;
        while (!hosts.get(i).name().equals(name)) {
            i++;
        }
        return i;
    }

    private void strike(FaultStrike s) {
        int i = place(s.on());
        HostTroubles host = troubles.get(i);
        switch (s.what()) {
            case CRASH -> host.crash(now(), s.ps() == 0 ? HostTroubles.NEVER : s.ps(), false);
            case POWER -> host.crash(now(), s.ps() == 0 ? HostTroubles.NEVER : s.ps(), true);
            case EXIT -> host.restart(now());
            case PAUSE -> host.pause(now(), s.ps());
            case RESET -> host.reset(now(), s.ps());
            case LINK -> host.cut(now(), s.ps());
            case PARTITION -> parting.part(i, place(s.from()), now(), s.ps());
            case DISK_ERROR -> hosts.get(i).disks().forEach(d -> d.fail(s.ps() == 0 ? Disk.NEVER : now() + s.ps()));
            case DISK_SLOW -> hosts.get(i).disks().forEach(d -> d.slow(LATE_PS, now() + s.ps()));
        }
    }
}
