package dev.clockwire.storage.daos.engine;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.daos.ofi.OfiSpec;
import dev.clockwire.storage.daos.pool.DaosTimes;
import dev.clockwire.storage.daos.rpc.RpcSpec;
import dev.clockwire.storage.daos.vos.VosSpec;

/**
 * What a DAOS is.
 *
 * @param targets of each engine, one core each
 * @param offload whether an engine has one core more, which sends requests of leaders on
 * @param ofi its endpoints
 * @param rpc limits of RPCs
 * @param vos its store
 * @param times its waits
 * @param chunkBytes of the DMA buffer
 * @param chunks of it at most
 * @param commitBatch committable transactions that are committed together (DTX_THRESHOLD_COUNT)
 * @param leaderSends whether the leader alone reads a large value from the client, and replicas from the leader; DAOS has each read from the client
 * @param waitForPut whether a fetch answers only when its WRITE has ended
 */
public record DaosSpec(
        int targets,
        boolean offload,
        OfiSpec ofi,
        RpcSpec rpc,
        VosSpec vos,
        DaosTimes times,
        int chunkBytes,
        int chunks,
        int commitBatch,
        boolean leaderSends,
        boolean waitForPut) {
    private static final int MOST_TARGETS = 32;

    /** Checks the ranges. */
    public DaosSpec {
        range("targets", targets, 1, MOST_TARGETS);
        range("chunkBytes", chunkBytes, 1 << 16, 1 << 28);
        range("chunks", chunks, 1, 1 << 12);
        range("commitBatch", commitBatch, 1, 1 << 16);
    }

    private static void range(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new ConfigurationException("daos." + what + " " + value + " is not in " + least + ".." + most);
        }
    }

    /** Returns DAOS's defaults. */
    public static DaosSpec daos() {
        return new DaosSpec(
                1,
                false,
                OfiSpec.rxm(),
                RpcSpec.daos(),
                VosSpec.daos(),
                DaosTimes.daos(),
                8 << 20,
                128,
                512,
                false,
                true);
    }

    /** Returns DAOS with short waits, for runs of many faults: acknowledgements are missed after 1 ms. */
    public static DaosSpec quick() {
        DaosSpec d = daos();
        return d.withOfi(d.ofi.withTimeoutCode(8)).withTimes(DaosTimes.quick());
    }

    /** Returns a copy with so many targets an engine, and perhaps an offload stream. */
    public DaosSpec withTargets(int n, boolean offloads) {
        Draft d = new Draft(this);
        d.targets = n;
        d.offload = offloads;
        return d.done();
    }

    /** Returns the cores of an engine. */
    public int cores() {
        return targets + (offload ? 1 : 0);
    }

    /** Returns a copy whose leaders send large values on, or do not. */
    public DaosSpec withLeaderSends(boolean on) {
        Draft d = new Draft(this);
        d.leaderSends = on;
        return d.done();
    }

    /** Returns a copy with another DMA buffer. */
    public DaosSpec withDma(int ofChunk, int most) {
        Draft d = new Draft(this);
        d.chunkBytes = ofChunk;
        d.chunks = most;
        return d.done();
    }

    /** Returns a copy with other waits. */
    public DaosSpec withTimes(DaosTimes other) {
        Draft d = new Draft(this);
        d.times = other;
        return d.done();
    }

    /** Returns a copy with other endpoints. */
    public DaosSpec withOfi(OfiSpec other) {
        Draft d = new Draft(this);
        d.ofi = other;
        return d.done();
    }

    /** Returns a copy with other limits. */
    public DaosSpec withRpc(RpcSpec other) {
        Draft d = new Draft(this);
        d.rpc = other;
        return d.done();
    }

    /** Returns a copy with another store. */
    public DaosSpec withVos(VosSpec other) {
        Draft d = new Draft(this);
        d.vos = other;
        return d.done();
    }

    /** Returns a copy whose fetches wait for their WRITE, or do not. */
    public DaosSpec withPutFirst(boolean on) {
        Draft d = new Draft(this);
        d.waitForPut = on;
        return d.done();
    }

    /** What copies change. */
    private static final class Draft {
        private final DaosSpec from;
        private int targets;
        private boolean offload;
        private OfiSpec ofi;
        private RpcSpec rpc;
        private VosSpec vos;
        private DaosTimes times;
        private int chunkBytes;
        private int chunks;
        private boolean leaderSends;
        private boolean waitForPut;

        Draft(DaosSpec from) {
            this.from = from;
            targets = from.targets;
            offload = from.offload;
            ofi = from.ofi;
            rpc = from.rpc;
            vos = from.vos;
            times = from.times;
            chunkBytes = from.chunkBytes;
            chunks = from.chunks;
            leaderSends = from.leaderSends;
            waitForPut = from.waitForPut;
        }

        DaosSpec done() {
            return new DaosSpec(
                    targets,
                    offload,
                    ofi,
                    rpc,
                    vos,
                    times,
                    chunkBytes,
                    chunks,
                    from.commitBatch,
                    leaderSends,
                    waitForPut);
        }
    }
}
