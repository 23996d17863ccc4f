package dev.clockwire.bench.replay;

import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.wire.RocePacket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Infers regions: a key reaches from the first to the last byte that was granted under it, with the rights that were granted. */
final class RegionFinder {
    private final Map<Key, Extent> extents = new LinkedHashMap<>();

    private record Key(Gid host, int key) {}

    /** An access that was asked for. */
    private record Access(long frame, long va, long length, int right, boolean refused) {}

    private static final class Extent {
        private final List<Access> accesses = new ArrayList<>();
        private long from = -1;
        private long end;
        private int rights;

        void add(Access a) {
            accesses.add(a);
            if (!a.refused()) {
                from = Long.compareUnsigned(a.va(), from) < 0 ? a.va() : from;
                end = Long.compareUnsigned(a.va() + a.length(), end) > 0 ? a.va() + a.length() : end;
                rights |= a.right();
            }
        }
    }

    /** Notes an access. */
    void add(Gid host, Outcome o) {
        RocePacket p = o.request.packet();
        boolean atomic = o.request.opcode().hasAtomicEth();
        int right = (atomic
                        ? AccessFlag.REMOTE_ATOMIC
                        : o.request.isRead() ? AccessFlag.REMOTE_READ : AccessFlag.REMOTE_WRITE)
                .code();
        long length = atomic ? Long.BYTES : p.dmaLen;
        extents.computeIfAbsent(new Key(host, p.rkey), unused -> new Extent())
                .add(new Access(o.request.frame(), p.va, length, right, o.refused));
    }

    /**
     * Returns the regions, and adds to the changes when a key was not valid although its region would grant what was refused.
     */
    List<Given.Region> regions(Map<Long, List<Plan.Change>> changes) {
        List<Given.Region> regions = new ArrayList<>();
        extents.forEach((key, extent) -> {
            if (extent.rights != 0) {
                int rights = extent.rights | AccessFlag.LOCAL_WRITE.code();
                Given.Region region =
                        new Given.Region(key.host(), key.key(), extent.from, extent.end - extent.from, rights);
                regions.add(region);
                validity(key.host(), region, extent.accesses, changes);
            }
        });
        return regions;
    }

    private static void validity(
            Gid on, Given.Region region, List<Access> accesses, Map<Long, List<Plan.Change>> changes) {
        boolean valid = true;
        for (Access a : accesses) {
            boolean wanted = !a.refused();
            if (valid != wanted && region.grants(a.va(), a.length(), a.right())) {
                valid = wanted;
                Plan.Change change = wanted
                        ? new Plan.Change(on, host -> host.register(region))
                        : new Plan.Change(on, host -> host.deregister(region.key()));
                changes.computeIfAbsent(a.frame(), unused -> new ArrayList<>()).add(change);
            }
        }
    }
}
