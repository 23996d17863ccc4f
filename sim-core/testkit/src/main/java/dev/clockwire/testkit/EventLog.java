package dev.clockwire.testkit;

import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Connection;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.Wire;
import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.trace.Tap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The last events of each channel of a design: a busy one does not push out those of a quiet one. */
final class EventLog {
    private static final int KEPT = 64;

    private final List<Ring> rings = new ArrayList<>();

    /** Starts to listen; the design is elaborated. */
    EventLog(Sim sim) {
        for (Wire wire : sim.wires()) {
            Ring ring = new Ring(wire);
            wire.tap(ring);
            rings.add(ring);
        }
    }

    /** Returns all that is kept, by time. */
    List<SimEvent> all() {
        return sorted(rings.stream().flatMap(Ring::events));
    }

    /** Returns what happened at a part: at channels inside it and at those that it reads or writes. */
    List<SimEvent> at(String part) {
        return sorted(rings.stream().filter(r -> r.touches(part)).flatMap(Ring::events));
    }

    /** Returns the clock of the first channel at a part, null if there is none. */
    @Nullable
    Clock clockOf(String part) {
        return rings.stream()
                .filter(r -> r.touches(part))
                .map(r -> r.wire.clock())
                .findFirst()
                .orElse(null);
    }

    private static List<SimEvent> sorted(Stream<SimEvent> events) {
        return events.sorted(Comparator.comparingLong(SimEvent::ps)).toList();
    }

    /** The last events of one channel. */
    private static final class Ring implements Tap {
        private final Wire wire;
        private final Connection ends;
        private final long[] cycles = new long[KEPT];
        private final long[] times = new long[KEPT];
        private final long[] words = new long[KEPT];
        private final boolean[] puts = new boolean[KEPT];
        private final @Nullable Class<?>[] types = new Class<?>[KEPT];
        private long next;

        Ring(Wire wire) {
            this.wire = wire;
            ends = wire.describe();
        }

        @Override
        public void put(long cycle, long ps, long bits, @Nullable Token token) {
            add(true, cycle, ps, bits, token);
        }

        @Override
        public void take(long cycle, long ps, long bits, @Nullable Token token) {
            add(false, cycle, ps, bits, token);
        }

        private void add(boolean put, long cycle, long ps, long bits, @Nullable Token token) {
            int i = (int) (next++ % KEPT);
            puts[i] = put;
            types[i] = token == null ? null : token.getClass();
            cycles[i] = cycle;
            times[i] = ps;
            words[i] = token == null ? bits : token.digest();
        }

        boolean touches(String part) {
            return new SimEvent(0, ends.path(), "").isWithin(part)
                    || new SimEvent(0, ends.from(), "").isWithin(part)
                    || new SimEvent(0, ends.to(), "").isWithin(part);
        }

        Stream<SimEvent> events() {
            return Stream.iterate(Math.max(0, next - KEPT), k -> k < next, k -> k + 1)
                    .map(k -> event((int) (k % KEPT)));
        }

        private SimEvent event(int i) {
            Class<?> type = types[i];
            String word = words[i] >= 0 && words[i] < 10_000 ? "" + words[i] : "0x" + Long.toHexString(words[i]);
            String what = (puts[i] ? "put  " : "take ") + (type == null ? "" : type.getSimpleName() + " ") + word;
            return new SimEvent(
                    times[i],
                    ends.path(),
                    what + "  (cycle " + cycles[i] + " of " + wire.clock().path() + ")");
        }
    }
}
