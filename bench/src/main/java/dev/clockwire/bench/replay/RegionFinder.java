package dev.clockwire.bench.replay;

import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.wire.RocePacket;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Infers regions: a key reaches from the first to the last byte that was granted under it, with the rights that were granted. */
final class RegionFinder {
    /** A key is an index above a variant; of one index only one key is valid at a time. */
    private static final int VARIANT_BITS = 8;

    /** No region ends behind it: pages have ends. */
    private static final long LAST_PAGE = -4096;

    private static final Given.Region NONE = new Given.Region(null, 0, 0, 0, 0);

    private final Map<Key, Extent> extents = new LinkedHashMap<>();

    private record Key(Gid host, int key) {}

    /** An access that was asked for. */
    private record Access(long frame, long va, long length, int right, boolean refused) {}

    /** An access to a region. */
    private record Use(Given.Region region, Access access) {}

    private static final class Extent {
        private final List<Access> accesses = new ArrayList<>();
        private long from = -1;
        private long end;
        private int rights;

        /** Takes an access; false if it was granted and no region can hold it together with those before it. */
        boolean add(Access a) {
            if (a.refused()) {
                return accesses.add(a);
            }
            long behind = a.va() + a.length();
            long first = Long.compareUnsigned(a.va(), from) < 0 ? a.va() : from;
            long last = Long.compareUnsigned(behind, end) > 0 ? behind : end;
            boolean wraps = Long.compareUnsigned(behind, a.va()) < 0 || Long.compareUnsigned(behind, LAST_PAGE) > 0;
            if (wraps || Long.compareUnsigned(last - first, Given.LONGEST_REGION) > 0) {
                return false;
            }
            from = first;
            end = last;
            rights |= a.right();
            return accesses.add(a);
        }

        boolean holds(long va, long length) {
            return rights != 0 && new Given.Region(null, 0, from, end - from, rights).grants(va, length, 0);
        }
    }

    /** Tells whether the bytes of a request lie where the region of its key is, as far as that is known. */
    boolean holds(Gid host, Outcome o) {
        RocePacket p = o.request.packet();
        Extent extent = extents.get(new Key(host, p.rkey));
        return extent != null && extent.holds(p.va, p.dmaLen);
    }

    /**
     * Notes an access.
     *
     * @return false if it cannot have been granted: no region can be so
     */
    boolean add(Gid host, Outcome o) {
        RocePacket p = o.request.packet();
        boolean atomic = o.request.opcode().hasAtomicEth();
        int right = (atomic
                        ? AccessFlag.REMOTE_ATOMIC
                        : o.request.isRead() ? AccessFlag.REMOTE_READ : AccessFlag.REMOTE_WRITE)
                .code();
        long length = atomic ? Long.BYTES : p.dmaLen;
        return extents.computeIfAbsent(new Key(host, p.rkey), unused -> new Extent())
                .add(new Access(o.request.frame(), p.va, length, right, o.refused));
    }

    /**
     * Returns all regions. Those that are not valid from the beginning on, and the ends of their validity, are added to the
     * changes: a key may come after another with the same index, and what was refused although its region would grant it shows
     * that its key was not valid.
     *
     * @param initial gets those that are valid from the beginning on
     */
    List<Given.Region> regions(List<Given.Region> initial, Map<Long, List<Plan.Change>> changes) {
        List<Given.Region> regions = new ArrayList<>();
        Map<Key, List<Use>> byIndex = new LinkedHashMap<>();
        extents.forEach((key, extent) -> {
            if (extent.rights != 0) {
                Given.Region region = new Given.Region(
                        key.host(),
                        key.key(),
                        extent.from,
                        extent.end - extent.from,
                        extent.rights | AccessFlag.LOCAL_WRITE.code());
                regions.add(region);
                Key index = new Key(key.host(), key.key() >>> VARIANT_BITS);
                List<Use> uses = byIndex.computeIfAbsent(index, unused -> new ArrayList<>());
                extent.accesses.forEach(a -> uses.add(new Use(region, a)));
            }
        });
        byIndex.forEach((index, uses) -> {
            uses.sort(Comparator.comparingLong(u -> u.access().frame()));
            uses.stream().filter(u -> !u.access().refused()).findFirst().ifPresent(u -> initial.add(u.region()));
            validity(index.host(), uses, changes);
        });
        return regions;
    }

    private static void validity(Gid host, List<Use> uses, Map<Long, List<Plan.Change>> changes) {
        Given.Region valid = uses.stream()
                .filter(u -> !u.access().refused())
                .findFirst()
                .orElseThrow()
                .region();
        for (Use u : uses) {
            Access a = u.access();
            Given.Region region = u.region();
            if (!region.grants(a.va(), a.length(), a.right()) || a.refused() == !valid.equals(region)) {
                continue;
            }
            valid = a.refused() ? NONE : region;
            Plan.Change change = a.refused()
                    ? new Plan.Change(host, h -> h.deregister(region.key()))
                    : new Plan.Change(host, h -> h.register(region));
            changes.computeIfAbsent(a.frame(), unused -> new ArrayList<>()).add(change);
        }
    }
}
