package dev.clockwire.bench.replay;

import dev.clockwire.roce.verbs.Gid;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Consumer;

/**
 * Everything that a replay as responder needs beside the packets.
 *
 * @param endpoints the queue pairs
 * @param setup regions from the beginning on and receives; all have a host
 * @param memory pages that requests reach, by host
 * @param changes what programs of the hosts do before a frame arrives
 * @param lost frames of requests that are not fed
 * @param known bytes of captured answers that requests of the capture wrote
 */
record Plan(
        List<Endpoint> endpoints,
        Given setup,
        Map<Gid, SortedMap<Long, Long>> memory,
        Map<Long, List<Change>> changes,
        Set<Long> lost,
        Map<Captured, BitSet> known) {
    /**
     * Something that a program does.
     *
     * @param host the address of its host
     * @param what it does
     */
    record Change(Gid host, Consumer<SimulatedHost> what) {}
}
