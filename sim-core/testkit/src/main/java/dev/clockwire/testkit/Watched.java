package dev.clockwire.testkit;

import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.wave.Waves;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A simulation of a test, from the moment its design is complete: limited, and listened to. */
final class Watched {
    private static final int CHANGES = 1 << 15;

    final Sim sim;
    private final long maxCycles;
    private final boolean wanted;
    private long limitPs = Long.MAX_VALUE;
    private @Nullable EventLog events;
    private @Nullable Waves waves;

    Watched(Sim sim, long maxCycles, boolean wavesWanted) {
        this.sim = sim;
        this.maxCycles = maxCycles;
        wanted = wavesWanted;
        sim.whenElaborated(this::begin);
    }

    private void begin() {
        Clock clock = fastest();
        limitPs = clock == null ? maxCycles * 1000 : clock.edgeTime(maxCycles);
        sim.limit(limitPs);
        events = new EventLog(sim);
        if (wanted) {
            Waves all = new Waves(sim, "");
            all.keep(Long.MAX_VALUE, CHANGES);
            waves = all.signals() == 0 ? null : all;
        }
    }

    private @Nullable Clock fastest() {
        return sim.clocks().stream()
                .max(Comparator.comparingDouble(c -> c.frequency().mhz()))
                .orElse(null);
    }

    /** Returns when it is, in time and in cycles of a part's clock, or of the fastest. */
    String now(String part) {
        EventLog log = events;
        Clock own = log == null ? null : log.clockOf(part);
        Clock clock = own == null ? fastest() : own;
        if (log == null || clock == null) {
            return log == null ? "before the simulation ran" : SimEvent.ns(sim.now());
        }
        long ended = clock.edgeAfter(Math.max(sim.now() - 1, clock.edge())) - 1; // a clock of sleepers stands still
        return SimEvent.ns(sim.now()) + ", cycle " + Math.max(ended, clock.cycle()) + " of " + clock.path();
    }

    /** Whether the run came to its limit. */
    boolean isAtLimit() {
        return sim.now() >= limitPs;
    }

    /** Returns the last events at a part, or at the nearest part around it that has any. */
    Events last(String part, int most) {
        List<SimEvent> found = events == null ? List.of() : events.at(part);
        if (found.isEmpty() && !part.isEmpty()) {
            return last(part.substring(0, Math.max(0, part.lastIndexOf('.'))), most);
        }
        return new Events(part, found.subList(Math.max(0, found.size() - most), found.size()));
    }

    /** Events and the part that they are of, empty for the whole design. */
    record Events(String part, List<SimEvent> list) {}

    /** Returns all events kept. */
    List<SimEvent> events() {
        return events == null ? List.of() : events.all();
    }

    /** Writes the last changes, if any were wanted. */
    void dump(Appendable out) {
        if (waves != null) {
            waves.dump(out);
        }
    }

    boolean hasWaves() {
        return waves != null;
    }
}
