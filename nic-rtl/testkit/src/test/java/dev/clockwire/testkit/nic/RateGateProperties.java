package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.profile.RateSpec;
import dev.clockwire.nic.rate.RateGate;
import dev.clockwire.roce.congestion.DcqcnSpec;
import dev.clockwire.roce.congestion.LiteralTokenBucket;
import dev.clockwire.roce.congestion.TokenBucketSpec;
import dev.clockwire.roce.congestion.VendorDcqcnSpec;
import dev.clockwire.sim.random.RandomStream;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** The rate gate, which evaluates only cycles in which something changes, against the article's machine clocked cycle by cycle. */
class RateGateProperties {
    private static final int OVERHEAD = 82;
    private static final int END = 60_000;

    private static RateSpec spec(boolean states, boolean literal) {
        return new RateSpec(
                OVERHEAD,
                false,
                states,
                literal,
                RateSpec.Dcqcn.OFF,
                250_000_000,
                400_000_000_000L,
                1,
                DcqcnSpec.paper(400_000_000_000L, 200_000_000, 250_000_000),
                VendorDcqcnSpec.defaults(400_000));
    }

    /** What happens from outside: bytes and arrival of each packet, how long its fetch takes, and when the rate changes. */
    private static final class Work {
        final int[] bytes;
        final int[] arrives;
        final int[] fetch;
        final int[] changeAt;
        final TokenBucketSpec[] change;

        Work(int packets, int changes) {
            bytes = new int[packets];
            arrives = new int[packets];
            fetch = new int[packets];
            changeAt = new int[changes];
            change = new TokenBucketSpec[changes];
        }

        static Work of(long seed, int packets, int changes) {
            RandomStream r = new RandomStream(seed);
            Work w = new Work(packets, changes);
            int at = 10;
            for (int i = 0; i < packets; i++) {
                at += r.below(r.chance(0.5) ? 3 : 400);
                w.bytes[i] = 1 + r.below(4096);
                w.arrives[i] = at;
                w.fetch[i] = 1 + r.below(200);
            }
            int when = 1;
            for (int i = 0; i < changes; i++) {
                when += 1 + r.below(2_000);
                w.changeAt[i] = when;
                w.change[i] = new TokenBucketSpec(1 + r.below(60 << 16), 16, 1 + r.below(20_000));
            }
            return w;
        }
    }

    /** The machine as a register description has it: one state a cycle, tokens refilled in each. */
    private static List<Long> clocked(Work w) {
        List<Long> starts = new ArrayList<>();
        TokenBucketSpec now = TokenBucketSpec.reset();
        long cap = now.burstBytes() << 16;
        long tokens = cap;
        RateGate.Phase phase = RateGate.Phase.IDLE;
        long fetchEnds = 0;
        int p = 0;
        int change = 0;
        for (long c = 1; c < END && p < w.bytes.length; c++) {
            tokens = Math.min(cap, tokens + now.perCycle());
            if (phase == RateGate.Phase.UPDATE_TOKEN) { // before a change of the same cycle
                tokens -= now.perCycle() == 0 ? 0 : (long) (w.bytes[p] + OVERHEAD) << 16;
            }
            if (change < w.changeAt.length && w.changeAt[change] == c) {
                boolean none = now.perCycle() == 0;
                now = w.change[change++];
                cap = now.burstBytes() << 16;
                tokens = none ? cap : Math.min(tokens, cap);
                phase = phase == RateGate.Phase.WAIT_TIMER ? RateGate.Phase.CHECK_TOKEN : phase;
            }
            boolean free = now.perCycle() == 0;
            long need = free ? Long.MIN_VALUE : Math.min(cap, (long) (w.bytes[p] + OVERHEAD) << 16);
            switch (phase) {
                case IDLE -> {
                    if (w.arrives[p] <= c) {
                        phase = RateGate.Phase.CHECK_TOKEN;
                    }
                }
                case CHECK_TOKEN -> {
                    boolean enough = tokens >= need;
                    phase = enough ? RateGate.Phase.DMA_FETCH : RateGate.Phase.WAIT_TIMER;
                    if (enough) {
                        starts.add(c);
                        fetchEnds = c + w.fetch[p];
                    }
                }
                case WAIT_TIMER -> phase = tokens >= need ? RateGate.Phase.CHECK_TOKEN : phase;
                case DMA_FETCH -> phase = c >= fetchEnds ? RateGate.Phase.UPDATE_TOKEN : phase;
                case UPDATE_TOKEN -> {
                    p++;
                    phase = RateGate.Phase.IDLE;
                }
            }
        }
        return starts;
    }

    private static List<Long> lazy(Work w) {
        List<Long> starts = new ArrayList<>();
        RateGate gate = new RateGate(spec(true, false));
        long fetchEnds = Long.MAX_VALUE;
        int p = 0;
        int change = 0;
        for (long c = 1; c < END && p < w.bytes.length; c++) {
            if (change < w.changeAt.length && w.changeAt[change] == c) {
                gate.change(w.change[change++], c, false);
            }
            if (fetchEnds == c) {
                gate.fetched(c);
                fetchEnds = Long.MAX_VALUE;
                if (++p == w.bytes.length) {
                    break;
                }
            }
            if (fetchEnds == Long.MAX_VALUE
                    && w.arrives[p] <= c
                    && !gate.holds(c)
                    && gate.pass(c, w.bytes[p], true, w.bytes[p], 1)) {
                starts.add(c);
                fetchEnds = c + w.fetch[p];
            }
        }
        return starts;
    }

    @Property(tries = 100)
    void theArticlesStatesTakeTheirCyclesWithoutBeingEvaluated(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 60) int packets,
            @ForAll @IntRange(max = 5) int changes) {
        Work w = Work.of(seed, packets, changes);
        List<Long> expected = clocked(w);
        List<Long> found = lazy(w);
        for (int i = 0; i < expected.size(); i++) {
            assertThat(found.get(i)).as("packet " + i).isEqualTo(expected.get(i));
        }
        assertThat(found).hasSameSizeAs(expected);
    }

    /** The article's bucket, asked only when there is something to send, against the same bucket evaluated in each cycle. */
    @Property(tries = 100)
    void theArticlesBucketIsTheSameLazily(
            @ForAll long seed,
            @ForAll @IntRange(max = 1 << 22) int rate,
            @ForAll @IntRange(min = 1, max = 70_000) int burst) {
        for (boolean nonBlocking : new boolean[] {false, true}) {
            TokenBucketSpec spec = new TokenBucketSpec(rate, 16, burst);
            LiteralTokenBucket each = new LiteralTokenBucket(spec, nonBlocking);
            LiteralTokenBucket lazy = new LiteralTokenBucket(spec, nonBlocking);
            RandomStream r = new RandomStream(seed);
            int asked = -1;
            for (int c = 1; c < 3_000; c++) {
                if (asked < 0 && r.chance(0.1)) {
                    asked = 1 + r.below(70_000);
                }
                boolean sent = each.cycle(c, asked >= 0, Math.max(asked, 0));
                boolean would = asked >= 0 && lazy.eligible(c, asked) == c;
                assertThat(would).isEqualTo(sent);
                if (would) {
                    assertThat(lazy.cycle(c, true, asked)).isTrue();
                    assertThat(lazy.tokens()).isEqualTo(each.tokens());
                }
                asked = sent || r.chance(0.01) ? -1 : asked;
            }
        }
    }
}
