package dev.clockwire.sim.wave;

import dev.clockwire.sim.Connection;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.Wire;
import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.trace.Tap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who waited for whom at the channels of a run, and how long. Create it after building the design and before running it. Watching changes no result. Waits are whole
 * cycles, so the order in which both ends move in one cycle does not count.
 */
public final class ChannelWaits {
    private final List<Watch> watches = new ArrayList<>();
    private long firstPs = Long.MAX_VALUE;
    private long lastPs;

    /** Why somebody waits at a channel. */
    public enum Why {
        /** Words are there and the consumer does not take them. */
        NOT_TAKEN,
        /** The channel is full: the producer cannot go on with what it has for it, if it has something. A part of {@link #NOT_TAKEN}. */
        NO_ROOM,
        /** The consumer has taken everything, and the producer has put nothing since. */
        NOTHING
    }

    /**
     * What one end of a channel waited for the other.
     *
     * @param channel full name
     * @param waits path of the module that waits
     * @param on path of the module that it waits for
     * @param ps in all
     * @param longestPs the longest wait
     * @param times how many waits there were
     * @param sincePs begin of the wait that is not over, -1 if none is
     */
    public record Wait(
            String channel, String waits, String on, Why why, long ps, long longestPs, long times, long sincePs) {}

    /** Watches all channels of a simulation. */
    public ChannelWaits(Sim sim) {
        for (Wire wire : sim.wires()) {
            Watch watch = new Watch(wire);
            wire.tap(watch);
            watches.add(watch);
        }
    }

    /** Returns when the first word was put into a channel, in ps; what was before that is no wait. 0 if none was. */
    public long fromPs() {
        return Math.min(firstPs, lastPs);
    }

    /** Returns when the last word was taken out of a channel, in ps. */
    public long toPs() {
        return lastPs;
    }

    /** Returns all waits that took at least a cycle up to now, the longest in all first. */
    public List<Wait> waits() {
        List<Wait> all = new ArrayList<>();
        watches.forEach(w -> w.tell(all));
        all.sort(Comparator.comparingLong(Wait::ps)
                .reversed()
                .thenComparing(Wait::channel)
                .thenComparing(Wait::why));
        return all;
    }

    /** Waits of one kind, in cycles. */
    private static final class Spell {
        private static final long NONE = -1;

        private long begin = NONE;
        private long total;
        private long longest;
        private long times;

        /** Begins with a cycle, the first in which somebody might wait. */
        void begin(long cycle) {
            begin = cycle;
        }

        /** Ends with a cycle, the first in which nobody waits. */
        void end(long cycle) {
            if (begin != NONE && cycle > begin) {
                total += cycle - begin;
                longest = Math.max(longest, cycle - begin);
                times++;
            }
            begin = NONE;
        }
    }

    /** The cycles at which one channel was full, was left alone, was empty. */
    private final class Watch implements Tap {
        private final Wire wire;
        private final Spell full = new Spell();
        private final Spell held = new Spell();
        private final Spell empty = new Spell();

        Watch(Wire wire) {
            this.wire = wire;
        }

        @Override
        public void put(long cycle, long ps, long bits, @Nullable Token token) {
            firstPs = Math.min(firstPs, ps);
            int inside = wire.occupancy();
            if (inside == 1) {
                empty.end(cycle);
                held.begin(cycle + 1);
            }
            if (inside == wire.capacity()) {
                full.begin(cycle + 1);
            }
        }

        @Override
        public void take(long cycle, long ps, long bits, @Nullable Token token) {
            lastPs = Math.max(lastPs, ps);
            int inside = wire.occupancy();
            held.end(cycle);
            full.end(cycle + 1); // room of this cycle is there in the next
            if (inside == 0) {
                empty.begin(cycle);
            } else {
                held.begin(cycle + 1);
            }
        }

        void tell(List<Wait> all) {
            Connection ends = wire.describe();
            tell(all, held, Why.NOT_TAKEN, ends.from(), ends.to());
            tell(all, full, Why.NO_ROOM, ends.from(), ends.to());
            tell(all, empty, Why.NOTHING, ends.to(), ends.from());
        }

        private void tell(List<Wait> all, Spell spell, Why why, String waits, String on) {
            // a consumer that gets nothing at the end of a run is through with its work
            long open = why == Why.NOTHING || spell.begin == Spell.NONE ? 0 : open(spell);
            long cycles = spell.total + open;
            if (cycles > 0) {
                all.add(new Wait(
                        wire.path(),
                        waits,
                        on,
                        why,
                        ps(cycles),
                        ps(Math.max(spell.longest, open)),
                        spell.times + (open > 0 ? 1 : 0),
                        open > 0 ? wire.clock().edgeTime(spell.begin) : -1));
            }
        }

        /** Returns the cycles up to now, without the edge that is due now. */
        private long open(Spell spell) {
            return Math.max(0, wire.clock().edgeAfter(wire.clock().sim().now() - 1) - spell.begin);
        }

        private long ps(long cycles) {
            return wire.clock().edgeTime(cycles) - wire.clock().edgeTime(0);
        }
    }
}
