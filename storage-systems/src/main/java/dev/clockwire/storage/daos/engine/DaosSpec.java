package dev.clockwire.storage.daos.engine;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.daos.ofi.OfiSpec;
import dev.clockwire.storage.daos.pool.DaosTimes;
import dev.clockwire.storage.daos.rpc.RpcSpec;
import dev.clockwire.storage.daos.vos.VosSpec;

/**
 * What a DAOS is.
 *
 * @param ofi its endpoints
 * @param rpc limits of RPCs
 * @param vos its store
 * @param times its waits
 * @param chunkBytes of the DMA buffer
 * @param chunks of it at most
 * @param commitBatch committable transactions that are committed together (DTX_THRESHOLD_COUNT)
 * @param waitForPut whether a fetch answers only when its WRITE has ended
 */
public record DaosSpec(
        OfiSpec ofi,
        RpcSpec rpc,
        VosSpec vos,
        DaosTimes times,
        int chunkBytes,
        int chunks,
        int commitBatch,
        boolean waitForPut) {
    /** Checks the ranges. */
    public DaosSpec {
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
        return new DaosSpec(OfiSpec.rxm(), RpcSpec.daos(), VosSpec.daos(), DaosTimes.daos(), 8 << 20, 128, 512, true);
    }

    /** Returns DAOS with short waits, for runs of many faults: acknowledgements are missed after 1 ms. */
    public static DaosSpec quick() {
        DaosSpec d = daos();
        return d.withOfi(d.ofi.withTimeoutCode(8)).withTimes(DaosTimes.quick());
    }

    /** Returns a copy with other waits. */
    public DaosSpec withTimes(DaosTimes other) {
        return new DaosSpec(ofi, rpc, vos, other, chunkBytes, chunks, commitBatch, waitForPut);
    }

    /** Returns a copy with other endpoints. */
    public DaosSpec withOfi(OfiSpec other) {
        return new DaosSpec(other, rpc, vos, times, chunkBytes, chunks, commitBatch, waitForPut);
    }

    /** Returns a copy with other limits. */
    public DaosSpec withRpc(RpcSpec other) {
        return new DaosSpec(ofi, other, vos, times, chunkBytes, chunks, commitBatch, waitForPut);
    }

    /** Returns a copy with another store. */
    public DaosSpec withVos(VosSpec other) {
        return new DaosSpec(ofi, rpc, other, times, chunkBytes, chunks, commitBatch, waitForPut);
    }

    /** Returns a copy whose fetches wait for their WRITE, or do not. */
    public DaosSpec withPutFirst(boolean on) {
        return new DaosSpec(ofi, rpc, vos, times, chunkBytes, chunks, commitBatch, on);
    }
}
