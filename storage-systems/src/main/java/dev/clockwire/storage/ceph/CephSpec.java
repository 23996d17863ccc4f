package dev.clockwire.storage.ceph;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.ceph.msgr2.MessengerSpec;
import dev.clockwire.storage.ceph.osd.OsdSpec;
import dev.clockwire.storage.ceph.osd.OsdTimes;
import dev.clockwire.storage.ceph.stream.StreamSpec;
import dev.clockwire.storage.cluster.NodeSpec;
import dev.clockwire.storage.cluster.WorkerSpec;

/**
 * What a Ceph is.
 *
 * @param model daemon and transport
 * @param pgs placement groups
 * @param replicas {@code size} of the pool
 * @param osd of each OSD, and of clients as far as they have the same
 */
public record CephSpec(CephModel model, int pgs, int replicas, OsdSpec osd) {
    private static final int MOST_PGS = 65_536;
    private static final long US = 1_000_000L;

    /** Checks the ranges. */
    public CephSpec {
        model.checked();
        if (pgs < 1 || pgs > MOST_PGS) {
            throw new ConfigurationException("ceph: " + pgs + " placement groups: must be 1 to " + MOST_PGS);
        }
        if (replicas < 1 || osd.minReplicas() > replicas || 2 * osd.minReplicas() <= replicas) {
            throw new ConfigurationException("ceph: size " + replicas + " with min_size " + osd.minReplicas()
                    + ": min_size must be more than half of size, and at most that");
        }
    }

    /**
     * Returns a pool of a model with Ceph's defaults. An operation takes 2 us of a core, an idle processor's best; published rates of classic OSDs mean tens of microseconds, see
     * {@link OsdSpec#withOpPs}.
     */
    public static CephSpec of(CephModel model, int pgs, int replicas) {
        StreamSpec stream = StreamSpec.asyncRdma();
        OsdSpec osd = new OsdSpec(
                model == CephModel.CRIMSON_RDMA ? stream.inReactor() : stream,
                MessengerSpec.usual(),
                OsdTimes.ceph(),
                replicas / 2 + 1,
                2 * US,
                1,
                US);
        return new CephSpec(model, pgs, replicas, osd);
    }

    /** Returns a copy with other OSDs. */
    public CephSpec withOsd(OsdSpec other) {
        return new CephSpec(model, pgs, replicas, other);
    }

    /**
     * Returns a copy whose waits are milliseconds, for runs of many faults. A connection has 200 ms, more than the connection manager takes until it gives up (134 ms), so that frames that are
     * lost do not end it before they are sent again.
     */
    public CephSpec quick() {
        return withOsd(
                osd.withTimes(OsdTimes.quick()).withMessenger(osd.messenger().withWaits(1_000 * US, 200_000 * US)));
    }

    /** Returns the software that the OSDs' machines run: a core for each reactor. */
    public NodeSpec software() {
        NodeSpec one = software(model);
        return osd.shards() == 1 ? one : new NodeSpec(osd.shards(), one.worker(), one.times());
    }

    /** Returns the software that machines of a model run: event loops that sleep with a core for the polling thread, or reactors that poll. */
    public static NodeSpec software(CephModel model) {
        NodeSpec one = NodeSpec.of(model == CephModel.CRIMSON_RDMA ? WorkerSpec.polling() : WorkerSpec.sleeping());
        return model == CephModel.CRIMSON_RDMA ? one : new NodeSpec(2, one.worker(), one.times());
    }
}
