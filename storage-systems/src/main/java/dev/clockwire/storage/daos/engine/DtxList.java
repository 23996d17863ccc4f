package dev.clockwire.storage.daos.engine;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.storage.daos.dtx.DtxId;
import dev.clockwire.storage.daos.dtx.DtxState;
import dev.clockwire.storage.daos.rpc.Rpc;
import java.util.ArrayList;
import java.util.List;

/** Transactions in the data of an RPC, so many that it keeps its limit. */
final class DtxList {
    /** So many fit into an RPC with its header. */
    static final int MOST = 400;

    /** Bytes of one. */
    static final int BYTES = 40;

    private final List<Item> items = new ArrayList<>();

    /**
     * One.
     *
     * @param length bytes of the value, where that matters
     */
    record Item(DtxId id, long key, long epoch, DtxState state, int length) {}

    void add(DtxId id, long key, long epoch, DtxState state, int length) {
        items.add(new Item(id, key, epoch, state, length));
    }

    List<Item> items() {
        return items;
    }

    boolean isFull() {
        return items.size() >= MOST;
    }

    Rpc into(Rpc m) {
        byte[] b = bytes();
        return m.with(b, b.length);
    }

    byte[] bytes() {
        byte[] b = new byte[items.size() * BYTES];
        int at = 0;
        for (Item i : items) {
            LittleEndian.put64(b, at, i.id.client());
            LittleEndian.put64(b, at + 8, i.id.sequence());
            LittleEndian.put64(b, at + 16, i.key);
            LittleEndian.put64(b, at + 24, i.epoch);
            LittleEndian.put32(b, at + 32, i.state.code());
            LittleEndian.put32(b, at + 36, i.length);
            at += BYTES;
        }
        return b;
    }

    static DtxList of(Rpc m) {
        return of(m.data, m.dataLength);
    }

    static DtxList of(byte[] b, int n) {
        DtxList list = new DtxList();
        for (int at = 0; at + BYTES <= n; at += BYTES) {
            list.add(
                    new DtxId(LittleEndian.get64(b, at), LittleEndian.get64(b, at + 8)),
                    LittleEndian.get64(b, at + 16),
                    LittleEndian.get64(b, at + 24),
                    DtxState.of(LittleEndian.get32(b, at + 32)),
                    LittleEndian.get32(b, at + 36));
        }
        return list;
    }
}
