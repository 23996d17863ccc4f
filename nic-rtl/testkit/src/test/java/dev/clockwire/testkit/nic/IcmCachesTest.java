package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.trace.Causes;
import dev.clockwire.sim.trace.JourneyLog;
import dev.clockwire.testkit.Modes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys, translations, contexts and WQEs of which the chip holds only some, against stack distances and round trips. */
class IcmCachesTest {
    private static final int PAGE = 4096;
    private static final long LIMIT_PS = 20_000_000_000L;
    /** The profile's read of DRAM, round trip, and what is behind it: an edge of 4 ns and the bytes on the link. */
    private static final double READ_PS = 390_000;

    private static Profile hardware(String... settings) {
        Profile p = Profiles.named("cx7-400g");
        for (String s : settings) {
            p = p.with("nic.cache." + s.substring(0, s.indexOf('=')), s.substring(s.indexOf('=') + 1));
        }
        return p;
    }

    private static Lab lab(Profile profile) {
        return Lab.twoHosts(profile, LabSpec.of(1));
    }

    private static Pair pair(Profile profile) {
        return pair(lab(profile));
    }

    private static Pair pair(Lab lab) {
        return new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
    }

    private static long count(Pair.Side side, String name) {
        return side.host.host().sim().stats().value(side.host.nic().path() + "." + name);
    }

    /** Does one operation and waits for it; returns how long it took, in ps. */
    private static long one(Pair p, WrOpcode opcode, int length, int from, int to) {
        Posts posts = new Posts(p.a, p.b);
        SendEntry e = posts.begin(opcode, length);
        e.remoteAddress = p.b.at(to);
        e.sges().clear();
        e.sges().add(p.a.at(from), length, p.a.mr.lkey());
        long start = p.lab.sim().now();
        posts.post();
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
        return p.lab.sim().now() - start;
    }

    /** How many of a trace's accesses had as many others since their last as fit, or were the first. */
    private static long misses(int[] pages, int entries) {
        List<Integer> recent = new ArrayList<>();
        long misses = 0;
        for (Integer page : pages) {
            int distance = recent.indexOf(page);
            misses += distance < 0 || distance >= entries ? 1 : 0;
            recent.remove(page);
            recent.add(0, page);
        }
        return misses;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 32, 64})
    void translationsMissAsTheStackDistanceOfTheTraceSays(int entries) {
        String all = Integer.toString(entries);
        Pair p = pair(hardware("mtt_entries=" + all, "mtt_ways=" + all, "mtt_prefetch=false"));
        RandomStream random = RandomStream.named(entries, "pages");
        int[] from = new int[300];
        int[] to = new int[300];
        for (int i = 0; i < from.length; i++) {
            // near pages more often, so that small caches hit too
            from[i] = random.below(1 + random.below(100));
            to[i] = random.below(1 + random.below(40));
            one(p, WrOpcode.RDMA_WRITE, 300, from[i] * PAGE + random.below(PAGE - 300), to[i] * PAGE);
        }
        assertThat(count(p.a, "translator.l0_mtt_miss")).isEqualTo(misses(from, entries));
        assertThat(count(p.b, "translator.l0_mtt_miss")).isEqualTo(misses(to, entries));
        assertThat(count(p.a, "translator.l0_mtt_hit")).isEqualTo(from.length - misses(from, entries));
    }

    @ParameterizedTest
    @CsvSource({"RDMA_WRITE, 1, 1", "RDMA_READ, 1, 1", "ATOMIC_FETCH_AND_ADD, 1, 1", "SEND, 1, 1"})
    void everyKindOfAccessIsTranslatedOnBothSides(WrOpcode opcode, long near, long far) {
        Pair p = pair(hardware("mtt_entries=64", "mpt_entries=64", "mtt_prefetch=false"));
        new Posts(p.b, p.a).receive(0, 64);
        one(p, opcode, 8, 0, 0);
        assertThat(count(p.a, "translator.l0_mpt_miss")).isEqualTo(near);
        assertThat(count(p.a, "translator.l0_mtt_miss")).isEqualTo(near);
        assertThat(count(p.b, "translator.l0_mpt_miss")).isEqualTo(far);
        assertThat(count(p.b, "translator.l0_mtt_miss")).isEqualTo(far);
    }

    @Test
    void aMissIsOneReadAndAKeyThatMissesTooIsAnotherBehindIt() {
        Pair pages = pair(hardware("mtt_entries=64", "mtt_prefetch=false"));
        Pair both = pair(hardware("mtt_entries=64", "mpt_entries=64", "mtt_prefetch=false"));
        one(pages, WrOpcode.RDMA_WRITE, 64, 0, 0);
        double hits = one(pages, WrOpcode.RDMA_WRITE, 64, 0, 0);
        double near = one(pages, WrOpcode.RDMA_WRITE, 64, PAGE, 0);
        double far = one(pages, WrOpcode.RDMA_WRITE, 64, 0, PAGE);
        assertThat(near - hits).isBetween(READ_PS - 10_000, READ_PS + 15_000);
        assertThat(far - hits).isBetween(READ_PS - 10_000, READ_PS + 15_000);
        double cold = one(both, WrOpcode.RDMA_WRITE, 64, 0, 0);
        double warm = one(both, WrOpcode.RDMA_WRITE, 64, 0, 0);
        assertThat((cold - warm) / 4)
                .as("two dependent reads on each side")
                .isBetween(READ_PS - 15_000, READ_PS + 15_000);
        assertThat(warm).isEqualTo(hits);
    }

    @Test
    void whereAllFitsAnAccessCostsACycleMore() {
        Pair none = pair(hardware());
        Pair large = pair(hardware("mtt_entries=4096", "mpt_entries=64"));
        one(large, WrOpcode.RDMA_WRITE, 64, 0, 0);
        long lookedUp = one(large, WrOpcode.RDMA_WRITE, 64, 0, 0);
        one(none, WrOpcode.RDMA_WRITE, 64, 0, 0);
        long free = one(none, WrOpcode.RDMA_WRITE, 64, 0, 0);
        // the gather, and behind writes the answer and both completions: one cycle each at most, and a poll
        assertThat(lookedUp - free).isBetween(4_000L, 4 * 4_000L + 20_000L);
    }

    @ParameterizedTest
    @CsvSource({"4096, 64", "65536, 4", "2097152, 1"})
    void largePagesNeedFewerTranslations(String page, int most) {
        Pair p = pair(hardware("mtt_entries=1024", "mtt_prefetch=false", "mtt_page=" + page));
        for (int i = 0; i < 64; i++) {
            one(p, WrOpcode.RDMA_WRITE, 64, i * PAGE, 0);
        }
        // a buffer that is not aligned to its pages touches one more
        assertThat(count(p.a, "translator.l0_mtt_miss")).isBetween((long) most, most + 1L);
    }

    @Test
    void theNextTranslationIsReadAhead() {
        Pair ahead = pair(hardware("mtt_entries=1024"));
        Pair none = pair(hardware("mtt_entries=1024", "mtt_prefetch=false"));
        long with = one(ahead, WrOpcode.RDMA_WRITE, 16 * PAGE, 0, 0);
        long without = one(none, WrOpcode.RDMA_WRITE, 16 * PAGE, 0, 0);
        assertThat(count(ahead.a, "translator.mtt_prefetch")).isPositive();
        assertThat(count(none.a, "translator.l0_mtt_miss")).isGreaterThanOrEqualTo(16);
        assertThat(with).isLessThan(without);
    }

    @Test
    void aKeyThatIsGoneIsForgotten() {
        Pair p = pair(hardware("mpt_entries=4", "mtt_entries=4"));
        one(p, WrOpcode.RDMA_WRITE, 64, 0, 0);
        p.lab.await(p.a.mr.dereg());
        long before = count(p.a, "translator.l0_mpt_hit");
        Posts posts = new Posts(p.a, p.b);
        posts.post(WrOpcode.RDMA_WRITE, 64);
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.LOC_PROT_ERR);
        assertThat(count(p.a, "translator.l0_mpt_hit")).isEqualTo(before);
    }

    /** Work requests of many connections in turns; returns operations per second. */
    private static double rate(Profile profile, int connections, int rounds) {
        Lab lab = lab(profile);
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            pairs.add(pair(lab));
        }
        long start = lab.sim().now();
        for (int r = 0; r < rounds; r++) {
            for (Pair p : pairs) {
                new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 64);
            }
        }
        for (Pair p : pairs) {
            for (int r = 0; r < rounds; r++) {
                assertThat(p.next(p.a, LIMIT_PS).status).isEqualTo(WcStatus.SUCCESS);
            }
        }
        return 1e12 * connections * rounds / (lab.sim().now() - start);
    }

    @Test
    void moreConnectionsThanTheChipHoldsHalveTheRate() {
        Profile p = hardware("qpc_entries=64", "qpc_shared=true", "misses=2").with("host.cpu.post_ns", "10");
        double few = rate(p, 32, 16);
        double many = rate(p, 256, 2);
        // public figure: about half with thousands of connections; here the chip is smaller by the same factor
        assertThat(many / few).isBetween(0.1, 0.7);
        double all = rate(hardware().with("host.cpu.post_ns", "10"), 256, 2);
        assertThat(all / few).isBetween(0.8, 1.3);
    }

    @Test
    void packetsMissTheirContextAsWqesDo() {
        Lab lab = lab(hardware("qpc_entries=2", "qpc_ways=2", "qpc_shared=true"));
        List<Pair> pairs = List.of(pair(lab), pair(lab), pair(lab));
        for (int r = 0; r < 5; r++) {
            for (Pair p : pairs) {
                one(p, WrOpcode.RDMA_WRITE, 64, 0, 0);
            }
        }
        Pair p = pairs.get(0);
        assertThat(count(p.a, "qpcLookup.misses"))
                .as("WQE, then the answer hits")
                .isEqualTo(15);
        assertThat(count(p.a, "qpcLookup.hits")).isEqualTo(15);
        assertThat(count(p.b, "qpcLookup.misses")).as("every request").isEqualTo(15);
    }

    @Test
    void twoLookupsAtOneePortTakeTurns() {
        Profile one = hardware("qpc_entries=64", "qpc_shared=true", "ports=1");
        Profile two = hardware("qpc_entries=64", "qpc_shared=true", "ports=3");
        assertThat(conflicts(one)).isPositive();
        assertThat(conflicts(two)).isZero();
    }

    private static long conflicts(Profile profile) {
        Pair p = pair(profile);
        Posts a = new Posts(p.a, p.b);
        Posts b = new Posts(p.b, p.a);
        for (int i = 0; i < 20; i++) {
            a.post(WrOpcode.RDMA_WRITE, 9000);
            b.post(WrOpcode.RDMA_WRITE, 9000);
        }
        for (int i = 0; i < 20; i++) {
            p.next(p.a);
            p.next(p.b);
        }
        return count(p.a, "qpcLookup.port_conflicts");
    }

    @ParameterizedTest
    @CsvSource({"1, true", "8, true", "64, false", "1024, false"})
    void wqesThatFindNoRoomAreReadAgain(int entries, boolean misses) {
        Pair p = pair(hardware("wqe_entries=" + entries));
        p.a.write(0, new byte[] {1, 2, 3});
        Posts posts = new Posts(p.a, p.b);
        for (int i = 0; i < 40; i++) {
            posts.post(WrOpcode.RDMA_WRITE, 60_000);
        }
        for (int i = 0; i < 40; i++) {
            assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
        }
        assertThat(p.b.read(0, 3)).containsExactly(1, 2, 3);
        long again = count(p.a, "sendEngine.wqe_miss");
        assertThat(again > 0).isEqualTo(misses);
        assertThat(again + count(p.a, "sendEngine.wqe_hit")).isEqualTo(40);
    }

    @Test
    void whatIsSentAgainIsReadAgain() {
        Pair p = pair(hardware("wqe_entries=64"));
        int[] seen = new int[1];
        p.lab.tapFrames((ps, end, frame) -> {
            if (frame instanceof RocePacket packet && !packet.isResponse() && ++seen[0] == 3) {
                packet.icrcOk = false;
            }
        });
        one(p, WrOpcode.RDMA_WRITE, 8192, 0, 0);
        assertThat(count(p.a, "sendEngine.wqe_miss"))
                .as("no WQE is kept for a retry")
                .isEqualTo(1);
        assertThat(count(p.a, "packet_seq_err")).isEqualTo(1);
    }

    private static long lost(Lab lab, int cause) {
        JourneyLog log = Objects.requireNonNull(lab.sim().journeys());
        TreeMap<Long, Long> waits =
                new TreeMap<>(); // the same wait may stand there for each stage that it can fall into
        for (int i = 0; i < log.size(); i++) {
            if (log.isDelay(i) && log.cause(i) == cause) {
                waits.put(log.in(i), log.out(i) - log.in(i));
            }
        }
        return waits.values().stream().mapToLong(Long::longValue).sum();
    }

    @Test
    void timeLostToMissesHasACause() {
        Profile small = hardware("mtt_entries=4", "mpt_entries=4", "qpc_entries=4", "qpc_shared=true");
        Lab lab = Lab.twoHosts(small, LabSpec.of(1).withJourneys(1 << 12));
        Pair p = pair(lab);
        one(p, WrOpcode.RDMA_WRITE, 64, 0, 0);
        Causes causes = lab.sim().causes();
        double slack = 40_000;
        assertThat((double) lost(lab, causes.mttMiss)).as("both sides").isCloseTo(2 * READ_PS, within(slack));
        assertThat((double) lost(lab, causes.mptMiss)).as("both sides").isCloseTo(2 * READ_PS, within(slack));
        assertThat((double) lost(lab, causes.qpcMiss)).as("both sides").isCloseTo(2 * READ_PS, within(slack));
    }

    static List<Profile> small() {
        return List.of(
                hardware("mtt_entries=4", "mpt_entries=4", "qpc_entries=4", "qpc_shared=true", "wqe_entries=3"),
                hardware("mtt_entries=1", "mtt_ways=1", "misses=1", "ports=1", "wqe_entries=1"),
                hardware("mtt_entries=8", "mpt_entries=8", "replacement=random", "misses=2", "ports=1"));
    }

    @Test
    void howItIsSimulatedIsInvisible() {
        for (Profile hardware : small()) {
            ProgramSpec program = ProgramSpec.of(5, QpType.RC).withSize(3, 8).with(true, false, false);
            VerbsRun.Outcome expected = null;
            for (Map.Entry<String, SimSpec> mode : Modes.all(5).entrySet()) {
                LabSpec lab = LabSpec.of(1).withKernel(mode.getValue());
                VerbsRun.Outcome found = new VerbsRun(hardware, lab, program).run(LIMIT_PS);
                expected = expected == null ? found : expected;
                assertThat(found).as(mode.getKey()).isEqualTo(expected);
            }
            ProgramSpec bulk = program.withKind(Allocation.Kind.BULK);
            LabSpec bytes = LabSpec.of(1).withFullHash(true);
            assertThat(new VerbsRun(hardware, bytes.withPayload(PayloadMode.SIZES), bulk).run(LIMIT_PS))
                    .isEqualTo(new VerbsRun(hardware, bytes, bulk).run(LIMIT_PS));
        }
    }
}
