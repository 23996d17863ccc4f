package dev.clockwire.bench.storage;

import dev.clockwire.storage.load.LoadResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a lone operation carries, and how that differs from {@link TrafficModel}.
 *
 * @param send messages
 * @param oneSided RDMA READs and WRITEs
 * @param trips one-way trips behind its answer
 * @param nics bytes of each machine out and in, managers left out, client last
 * @param payload bytes in messages
 * @param oneSidedBytes how many of them move by READ and WRITE
 * @param headers bytes of frames beside payload, acknowledgements left out
 * @param acks bytes of frames that only acknowledge
 * @param overheads messages and bytes that are no part of it, by name
 * @param expected what is computed
 * @param differences from what is computed, in words; empty if there is none
 */
public record Wire(
        long send,
        long oneSided,
        int trips,
        List<LoadResult.Nic> nics,
        long payload,
        long oneSidedBytes,
        long headers,
        long acks,
        Map<String, Overhead> overheads,
        TrafficModel.Cost expected,
        List<String> differences) {

    /**
     * What is no part of an operation.
     *
     * @param messages of that name
     * @param bytes of their frames on all lines, acknowledgements included
     */
    public record Overhead(long messages, long bytes) {}

    /** Returns what a run of one operation has carried. */
    static Wire of(String system, boolean write, int size, LoadResult.Traffic t) {
        List<LoadResult.Nic> nics =
                t.nics().stream().filter(n -> !n.node().startsWith("mgmt")).toList();
        long all = nics.stream().mapToLong(LoadResult.Nic::operationTx).sum();
        TrafficModel.Cost expected = TrafficModel.of(system, write, size);
        Map<String, Overhead> overheads = new TreeMap<>();
        t.overheadBytes()
                .forEach((name, bytes) ->
                        overheads.put(name, new Overhead(t.overheads().getOrDefault(name, 0L), bytes)));
        return new Wire(
                t.sends(),
                t.reads() + t.writes(),
                t.trips(),
                nics,
                t.payload(),
                t.oneSided(),
                all - t.payload() - t.acks(),
                t.acks(),
                overheads,
                expected,
                differences(expected, t, nics));
    }

    private static List<String> differences(TrafficModel.Cost model, LoadResult.Traffic t, List<LoadResult.Nic> nics) {
        List<String> found = new ArrayList<>();
        differ(found, "SENDs", t.sends(), model.sends());
        differ(found, "one-sided", t.reads() + t.writes(), model.oneSided());
        differ(found, "trips", t.trips(), model.trips());
        LoadResult.Nic client = nics.get(nics.size() - 1);
        differ(found, "client out", client.operationTx(), model.client().tx());
        differ(found, "client in", client.operationRx(), model.client().rx());
        List<TrafficModel.Bytes> servers = new ArrayList<>();
        nics.subList(0, nics.size() - 1)
                .forEach(n -> servers.add(new TrafficModel.Bytes(n.operationTx(), n.operationRx())));
        Comparator<TrafficModel.Bytes> order =
                Comparator.comparingLong(TrafficModel.Bytes::tx).thenComparingLong(TrafficModel.Bytes::rx);
        servers.sort(order); // who is first is the placement's matter
        List<TrafficModel.Bytes> wanted = new ArrayList<>(model.servers());
        wanted.sort(order);
        if (!servers.equals(wanted)) {
            found.add("nodes " + servers + " instead of " + wanted);
        }
        return found;
    }

    private static void differ(List<String> found, String what, long is, long should) {
        if (is != should) {
            found.add(what + " " + is + " instead of " + should);
        }
    }
}
