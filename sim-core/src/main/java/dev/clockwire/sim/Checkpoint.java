package dev.clockwire.sim;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a snapshot of a simulation holds. It is the same in every kernel mode, so one can be restored in another. */
final class Checkpoint {
    private Checkpoint() {}

    static Snapshot save(Sim sim, EventPort[] ports, long events) {
        Design d = sim.design;
        for (SimNode n : d.nodes) {
            String why = n.snapshotBlocker();
            if (why != null) {
                throw new ConfigurationException(n.path(), sim.now, "no snapshot possible: " + why);
            }
        }
        Snapshot s = new Snapshot();
        s.putLong(sim.now);
        s.putLong(events);
        saveEvents(sim, s);
        for (EventPort p : ports) {
            s.putLong(p.key);
            s.putLong(p instanceof Timer t ? t.deadline : Timer.OFF);
        }
        d.clocks.forEach(c -> s.putLong(c.cycleForSnapshot()));
        for (Link l : d.links) {
            l.save(s);
            s.mark(l.path());
        }
        for (SimNode n : d.nodes) {
            n.saveStates(s);
            s.mark(n.path());
        }
        d.streams.values().forEach(r -> r.save(s));
        d.probes.forEach(p -> p.hash.save(s));
        sim.stats().save(s);
        return s;
    }

    /** Timer entries are left out: they follow from the deadlines. */
    private static void saveEvents(Sim sim, Snapshot s) {
        List<Pending> pending = new ArrayList<>();
        sim.queue.each((at, key, a, b, token) -> {
            if ((key & Timer.ENTRY) != Timer.ENTRY) {
                pending.add(new Pending(at, key, a, b, token));
            }
        });
        pending.sort(Comparator.comparingLong(Pending::at).thenComparing(Pending::key));
        s.putInt(pending.size());
        for (Pending p : pending) {
            s.putLong(p.at);
            s.putLong(p.key & ~EventQueue.HAS_TOKEN);
            s.putLong(p.a);
            s.putLong(p.b);
            s.putToken(p.token);
        }
    }

    /** Returns the number of events handled so far. */
    static long restore(Sim sim, EventPort[] ports, Snapshot s) {
        Design d = sim.design;
        s.rewind();
        sim.now = s.getLong();
        final long events = s.getLong();
        sim.queue.clear();
        for (int n = s.getInt(); n > 0; n--) {
            sim.queue.insert(sim.now, s.getLong(), s.getLong(), s.getLong(), s.getLong(), s.getToken());
        }
        for (EventPort p : ports) {
            p.key = s.getLong();
            long deadline = s.getLong();
            if (p instanceof Timer t) {
                t.deadline = deadline;
                t.queued = Timer.OFF;
                if (deadline != Timer.OFF) {
                    sim.requeue(t, deadline);
                }
            }
        }
        d.clocks.forEach(c -> c.restore(s.getLong()));
        for (Link l : d.links) {
            l.load(s);
            s.expectMark(l.path());
        }
        for (SimNode n : d.nodes) {
            n.loadStates(s);
            s.expectMark(n.path());
        }
        d.streams.values().forEach(r -> r.load(s));
        d.probes.forEach(p -> p.hash.load(s));
        sim.stats().load(s);
        return events;
    }

    private record Pending(
            long at, long key, long a, long b, @Nullable Token token) {}
}
