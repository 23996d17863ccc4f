package dev.clockwire.nvme.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.sim.host.ZeroCostCpu;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Completions that are seen before all of their words have come (SPDK issue 3243): the test is the controller, and writes what it likes. */
class TornCompletionsTest {
    private static final int CID = 12;
    private static final int STATUS = 14;
    private static final int FAILED = 0x281;
    private static final long RESULT = 0x1234_5678_9ABCL;

    /** A queue pair, and a controller that completes its commands as it is told to. */
    private static final class Pair {
        final AddressSpace memory = new AddressSpace("memory", PayloadMode.BYTES);
        final int entries;
        final NvmeQueuePair pair;
        final long sq;
        final long cq;
        final List<Integer> ended = new ArrayList<>();
        long lastResult;
        int lastStatus;
        private int written;
        private final byte[] entry = new byte[CqEntry.BYTES];

        Pair(int id, int entries) {
            this.entries = entries;
            sq = memory.allocate("sq", 64L * entries, Allocation.Kind.REAL).address();
            cq = memory.allocate("cq", 16L * entries, Allocation.Kind.REAL).address();
            var cpu = new ZeroCostCpu("core", memory, () -> 0, (now, address, from, at, bytes) -> {});
            pair = new NvmeQueuePair(
                    cpu, new NvmeQueuePair.QueuePlace(id, entries, sq, cq, 0, 0, 0), false, (tag, status, result) -> {
                        ended.add(tag);
                        lastStatus = status;
                        lastResult = result;
                    });
        }

        /** Submits a command; returns the identifier that the controller finds in its entry. */
        int submit(int tag) {
            long slot = sq + 64 * (pair.submitted() % entries);
            assertThat(pair.submit(new SqEntry().command(Opcodes.FLUSH, 0, 1), tag))
                    .isTrue();
            return (memory.getByte(slot + 2) & 0xFF) | (memory.getByte(slot + 3) & 0xFF) << 8;
        }

        long place() {
            return cq + 16L * (written % entries);
        }

        byte[] next(int cid, int status) {
            int phase = 1 - written / entries % 2;
            int head = (int) (pair.submitted() % entries);
            new CqEntry()
                    .set(RESULT, head, pair.place().id(), cid, status, phase)
                    .store(entry, 0);
            return entry.clone();
        }

        /** The host sees some bytes of the next entry and the old ones of the others. */
        void tear(byte[] whole, int bytes) {
            byte[] seen = new byte[16];
            memory.getBytes(place(), seen, 0, 16);
            for (int i = 0; i < 16; i++) {
                seen[i] = (bytes >> i & 1) != 0 ? whole[i] : seen[i];
            }
            memory.putBytes(place(), seen, 0, 16);
            pair.poll(1);
        }

        void complete(int cid) {
            tear(next(cid, 0), 0xFFFF);
            written++;
        }
    }

    /**
     * Bytes that come: each set of the words, and of halves of the last one. The identifier comes as a whole: of two halves of different ones no host
     * could tell anything.
     */
    private static List<Integer> tears() {
        List<Integer> all = new ArrayList<>();
        for (int words = 0; words < 16; words++) {
            int bytes = 0;
            for (int w = 0; w < 4; w++) {
                bytes |= (words >> w & 1) * (0xF << (4 * w));
            }
            all.add(bytes);
            all.add((bytes & 0x0FFF) | 1 << STATUS);
            all.add((bytes & 0x0FFF) | 3 << STATUS);
            all.add((bytes & 0x0FFF) | 3 << CID | 1 << STATUS);
        }
        return all;
    }

    /**
     * Whatever is seen of an entry ends the command that it is about, or none. Commands end in any order, tags are used in any; in a lap of 8 entries no
     * tag is used as often as there are generations.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void noOtherCommandEnds(long seed) {
        Random random = new Random(seed);
        long refused = 0;
        for (int bytes : tears()) {
            Pair p = new Pair(1, 8);
            NavigableMap<Integer, Integer> open = new TreeMap<>();
            for (int i = random.nextInt(60); i >= 0; i--) {
                while (open.size() < 5) {
                    int tag = random.nextInt(8);
                    if (!open.containsKey(tag)) {
                        open.put(tag, p.submit(tag));
                    }
                }
                int tag = List.copyOf(open.keySet()).get(random.nextInt(5));
                p.complete(Objects.requireNonNull(open.remove(tag)));
                assertThat(p.ended).last().isEqualTo(tag);
            }
            int before = p.ended.size();
            Map.Entry<Integer, Integer> next = Objects.requireNonNull(open.firstEntry());
            int tag = next.getKey();
            p.tear(p.next(next.getValue(), FAILED), bytes);
            assertThat(p.ended.subList(before, p.ended.size()))
                    .as("bytes %04x", bytes)
                    .isIn(List.of(), List.of(tag));
            refused += p.pair.stale();
        }
        assertThat(refused).as("of an earlier use of a tag that is in use").isPositive();
    }

    /** A stale word in front of the last one: the queue and the place in the ring are checked, status and result cannot be. */
    @Test
    void whatCanBeToldAndWhatCannot() {
        Pair p = new Pair(1, 16);
        p.submit(3);
        byte[] whole = p.next(p.pair.cid(3), 0);
        p.tear(whole, 0xF0FF);
        assertThat(p.ended).as("zeros of a ring that was never used: queue 0").isEmpty();
        assertThat(p.pair.stale()).isEqualTo(1);

        p = new Pair(1, 16);
        p.submit(3);
        whole = p.next(p.pair.cid(3), 0);
        whole[8] = 2; // two entries read, of one
        p.tear(whole, 0xFFFF);
        assertThat(p.ended).as("past what the controller was told of").isEmpty();

        p = new Pair(1, 16);
        p.submit(3);
        p.tear(p.next(p.pair.cid(3), FAILED), 0xFF00);
        assertThat(p.ended).as("the words of the result have not come").containsExactly(3);
        assertThat(p.lastResult).as("nothing tells").isZero();
        assertThat(p.lastStatus).isEqualTo(FAILED);

        p = new Pair(1, 16);
        p.submit(3);
        p.tear(p.next(p.pair.cid(3), FAILED), 0x7FFF);
        assertThat(p.ended).as("the type of the status has not come").containsExactly(3);
        assertThat(p.lastStatus).as("nothing tells").isEqualTo(FAILED & 0x7F);
    }

    /** Tags that take turns: with 16 generations, as in Linux, entries of one lap before would name them again in rings of 16, 32 and so on. */
    @ParameterizedTest
    @CsvSource({
        "2, 1", "3, 1", "8, 1", "15, 1", "16, 1", "16, 4", "32, 2", "64, 1", "91, 7", "128, 8", "256, 1", "256, 16"
    })
    void entriesOfTheLapBeforeNameNobody(int entries, int tags) {
        Pair p = new Pair(1, entries);
        int[] cids = new int[5 * entries];
        for (int i = 0; i < cids.length; i++) {
            cids[i] = p.submit(i % tags);
            assertThat(cids[i]).isNotIn(0, 0xFFFF);
            if (i >= entries) {
                assertThat(cids[i]).as("use %d", i).isNotEqualTo(cids[i - entries]);
            }
            p.complete(cids[i]);
        }
        assertThat(p.pair.unknown()).isZero();
        p.submit(cids.length % tags);
        int before = p.ended.size();
        p.tear(p.next(0, 0), 1 << STATUS);
        assertThat(p.ended).hasSize(before);
        assertThat(p.pair.unknown()).isEqualTo(1);
    }

    /** Rings of more than 4096 entries leave fewer bits for generations, the largest none. */
    @ParameterizedTest
    @CsvSource({"4096, 13", "4097, 6", "8192, 5", "16384, 1", "65536, -1"})
    void largeRingsHaveFewerGenerations(int entries, int generations) {
        CommandIds ids = new CommandIds(entries);
        assertThat(ids.generations()).isEqualTo(generations);
        int last = ids.take(entries - 1);
        assertThat(ids.tag(last)).isEqualTo(entries - 1);
        assertThat(last).isLessThan(1 << 16);
        assertThat(ids.isFree(entries)).isFalse();
        assertThat(ids.isUsed(entries)).isFalse();
    }
}
