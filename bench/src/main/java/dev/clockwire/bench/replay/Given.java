package dev.clockwire.bench.replay;

import dev.clockwire.roce.verbs.Gid;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A set-up that is known and need not be inferred.
 *
 * @param qps what is known of queue pairs
 * @param regions all memory that peers may reach
 * @param receives all receives
 */
record Given(List<Qp> qps, List<Region> regions, List<Receive> receives) {
    /** Bytes of the longest region. */
    static final long LONGEST_REGION = 1L << 40;

    /**
     * A queue pair as responder.
     *
     * @param host address of the one that has it; null if only one queue pair has this number
     * @param qpn its number
     * @param peerQpn the number of its peer
     * @param startPsn PSN of the first request it expects
     * @param mtu path MTU in bytes
     */
    record Qp(@Nullable Gid host, int qpn, int peerQpn, int startPsn, int mtu) {}

    /**
     * A registered region.
     *
     * @param host address of the one that has it; null for all
     * @param key remote key
     * @param va first address
     * @param length bytes
     * @param access mask of {@code AccessFlag}
     */
    record Region(@Nullable Gid host, int key, long va, long length, int access) {
        /** Returns whether a range lies inside, and the right is granted; a range that wraps around 2^64 does not. */
        boolean grants(long at, long bytes, int right) {
            long offset = at - va;
            return (access & right) == right
                    && Long.compareUnsigned(at, va) >= 0
                    && Long.compareUnsigned(offset, length) <= 0
                    && Long.compareUnsigned(bytes, length - offset) <= 0;
        }
    }

    /**
     * Posted receives.
     *
     * @param host address of the one that posts them; null if only one queue pair has this number
     * @param qpn queue pair
     * @param size bytes of each
     * @param count how many
     * @param afterFrame frame of the capture after which they are posted; 0 for before the first
     */
    record Receive(@Nullable Gid host, int qpn, long size, int count, long afterFrame) {}

    /** Tells a queue pair what is known of it. */
    void tell(Endpoint e) {
        Qp qp = qp(e);
        if (qp != null) {
            e.peerQpn = qp.peerQpn();
            e.startPsn = qp.startPsn();
            e.mtu = qp.mtu();
        }
    }

    private @Nullable Qp qp(Endpoint e) {
        for (Qp qp : qps) {
            if (qp.qpn == e.qpn && (qp.host == null || qp.host.equals(e.address))) {
                return qp;
            }
        }
        return null;
    }

    /** Returns the regions of a host. */
    List<Region> regions(Gid host) {
        return regions.stream()
                .filter(r -> r.host == null || r.host.equals(host))
                .toList();
    }

    /** Tells whether a region has a key, and a range in it. */
    boolean holds(Gid host, int key, long va, long length) {
        return regions(host).stream().anyMatch(r -> r.key() == key && r.grants(va, length, 0));
    }

    /** Returns the receives of a queue pair one by one, in the order of their posting. */
    List<Receive> receives(Endpoint e) {
        List<Receive> single = new ArrayList<>();
        for (Receive r : receives) {
            if (r.qpn == e.qpn && (r.host == null || r.host.equals(e.address))) {
                for (int i = 0; i < r.count; i++) {
                    single.add(new Receive(e.address, r.qpn, r.size, 1, r.afterFrame));
                }
            }
        }
        single.sort(Comparator.comparingLong(Receive::afterFrame));
        return single;
    }
}
