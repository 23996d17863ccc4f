package dev.clockwire.storage.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells without search whether a key that is read and written as a whole has an order, however much overlaps: Gibbons and Korach, "Testing
 * shared memories", SIAM J. Computing 26 (1997). A write and its reads make a zone, from the first end among them to the last call. Where the
 * end comes first, the key must hold the value all the time between: such zones must not overlap. Where it does not, all may happen at any one
 * instant of the zone: it must not lie within one of the others.
 */
final class ZoneOrder {
    private ZoneOrder() {}

    /** A write, null for what nobody has written, with the operation that ends first and that which is called last. */
    private static final class Zone {
        final @Nullable CellOperation write;
        long firstEnd;
        long lastCall;

        @Nullable
        CellOperation ends;

        @Nullable
        CellOperation called;

        Zone(@Nullable CellOperation write) {
            this.write = write;
            firstEnd = write == null ? -1 : write.operation().latestPs();
            lastCall = write == null ? -1 : write.operation().invokePs();
        }

        void add(CellOperation read) {
            if (read.operation().returnPs() < firstEnd) {
                firstEnd = read.operation().returnPs();
                ends = read;
            }
            if (read.operation().invokePs() > lastCall) {
                lastCall = read.operation().invokePs();
                called = read;
            }
        }

        boolean holds() {
            return firstEnd < lastCall;
        }

        void addTo(List<CellOperation> witness) {
            for (@Nullable CellOperation c : new @Nullable CellOperation[] {write, ends, called}) {
                if (c != null && !witness.contains(c)) {
                    witness.add(c);
                }
            }
        }
    }

    /** Returns operations that have no order, those that make two zones; none if all have one. */
    static List<CellOperation> witness(CellProblem problem) {
        Map<String, Zone> zones = new TreeMap<>();
        zones.put(Operation.INITIAL, new Zone(null));
        for (CellOperation c : problem.ops) {
            if (c.operation().isWrite()) {
                zones.put(c.operation().value(), new Zone(c));
            }
        }
        for (CellOperation c : problem.ops) {
            @Nullable
            Zone zone = c.operation().isWrite() ? null : zones.get(c.cells().get(0));
            if (zone == null) {
                continue;
            }
            if (zone.write != null && c.operation().precedes(zone.write.operation())) {
                return List.of(c, zone.write);
            }
            zone.add(c);
        }
        return clash(zones);
    }

    private static List<CellOperation> clash(Map<String, Zone> zones) {
        TreeMap<Long, Zone> held = new TreeMap<>();
        List<Zone> byEnd = new ArrayList<>(zones.values());
        byEnd.sort(Comparator.comparingLong(z -> z.firstEnd));
        @Nullable Zone last = null;
        for (Zone zone : byEnd) {
            if (zone.holds()) {
                if (last != null && zone.firstEnd < last.lastCall) {
                    return both(last, zone);
                }
                last = zone;
                held.put(zone.firstEnd, zone);
            }
        }
        for (Zone zone : byEnd) {
            Map.@Nullable Entry<Long, Zone> before = zone.holds() ? null : held.lowerEntry(zone.lastCall);
            if (before != null && zone.firstEnd < before.getValue().lastCall) {
                return both(before.getValue(), zone);
            }
        }
        return List.of();
    }

    private static List<CellOperation> both(Zone a, Zone b) {
        List<CellOperation> witness = new ArrayList<>();
        a.addTo(witness);
        b.addTo(witness);
        return witness;
    }
}
