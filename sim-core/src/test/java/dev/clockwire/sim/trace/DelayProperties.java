package dev.clockwire.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Delays split the stages of the critical path without moving them. */
class DelayProperties {
    private static final long START = 10;
    private static final long END = 100;
    private static final StageChain CHAIN = new StageChain()
            .once("one")
            .packets("two")
            .feed("three")
            .deliver("four")
            .once("five")
            .waits("its turn", "one", "two", "three", "four", "five");

    /** A stamp of a stage, or with no stage a delay. */
    record Mark(String stage, int seq, long from, long length, String cause) {}

    @Provide
    Arbitrary<List<Mark>> marks() {
        return marks("one", "two", "three", "four", "five");
    }

    @Provide
    Arbitrary<List<Mark>> delays() {
        return marks("");
    }

    private static Arbitrary<List<Mark>> marks(String... stages) {
        boolean delay = stages[0].isEmpty();
        return Combinators.combine(
                        Arbitraries.of(stages),
                        delay
                                ? Arbitraries.of(JourneyLog.WHOLE, 0, 1, 2)
                                : Arbitraries.integers().between(0, 2),
                        Arbitraries.longs().between(0, 105),
                        Arbitraries.longs().between(0, 40),
                        delay ? Arbitraries.of("rate", "rnr", "numa") : Arbitraries.of("", "a line"))
                .as(Mark::new)
                .list()
                .ofMaxSize(15);
    }

    private static Waterfall path(List<Mark> marks) {
        StageRegistry names = new StageRegistry();
        Causes causes = new Causes(names);
        assertThat(causes.rate).isEqualTo(names.id("rate"));
        JourneyLog log = new JourneyLog(64);
        log.stamp(7, names.id("one"), 0, START, START, 0);
        for (Mark m : marks) {
            if (m.stage.isEmpty()) {
                log.delay(7, m.seq, names.id(m.cause), m.from, m.from + m.length);
                log.delay(8, m.seq, names.id("ddio"), m.from, m.from + m.length); // somebody else's
            } else {
                log.stamp(7, names.id(m.stage), m.seq, m.from, m.from + m.length, names.id(m.cause));
            }
        }
        return Waterfall.along(CHAIN, 2, log, names, 7, START, END);
    }

    private static List<Mark> both(List<Mark> stages, List<Mark> delays) {
        List<Mark> all = new ArrayList<>(stages);
        all.addAll(delays);
        return all;
    }

    private static String stageAt(Waterfall w, long ps) {
        return segmentAt(w, ps).stage();
    }

    private static Waterfall.Segment segmentAt(Waterfall w, long ps) {
        return w.segments().stream()
                .filter(s -> s.startPs() <= ps && ps < s.endPs())
                .findFirst()
                .orElseThrow();
    }

    @Property
    void stagesStayAndStagesAndCausesTogetherAreTheTotal(
            @ForAll("marks") List<Mark> stages, @ForAll("delays") List<Mark> delays) {
        Waterfall plain = path(stages);
        Waterfall split = path(both(stages, delays));
        long at = START;
        for (Waterfall.Segment s : split.segments()) {
            assertThat(s.startPs()).isEqualTo(at);
            at = s.endPs();
        }
        assertThat(at).isEqualTo(END);
        assertThat(split.perStage()).isEqualTo(plain.perStage());
        long sum = 0;
        for (Map<String, Long> causes : split.perCause().values()) {
            sum += causes.values().stream().mapToLong(Long::longValue).sum();
        }
        assertThat(sum).isEqualTo(END - START);
        for (long t = START; t < END; t++) {
            assertThat(stageAt(split, t)).isEqualTo(stageAt(plain, t));
        }
    }

    /** Whatever is told of the whole operation: a cause at every instant that a delay covers, and nowhere else. */
    @Property
    void anInstantHasTheCauseOfTheDelayThatBeganFirst(
            @ForAll("marks") List<Mark> stages, @ForAll("delays") List<Mark> delays) {
        List<Mark> whole = delays.stream()
                .map(d -> new Mark("", JourneyLog.WHOLE, d.from, d.length, d.cause))
                .toList();
        Waterfall plain = path(stages);
        Waterfall split = path(both(stages, whole));
        for (long t = START; t < END; t++) {
            long now = t;
            String expected = whole.stream()
                    .filter(d -> d.from <= now && now < d.from + d.length)
                    .min(java.util.Comparator.comparingLong(Mark::from).thenComparing(Mark::cause))
                    .map(Mark::cause)
                    .orElse(segmentAt(plain, t).cause());
            assertThat(segmentAt(split, t).cause()).as("at %d", t).isEqualTo(expected);
        }
    }

    @Property
    void theOrderOfRecordingDelaysDoesNotShow(
            @ForAll("marks") List<Mark> stages, @ForAll("delays") List<Mark> delays, @ForAll long seed) {
        List<Mark> shuffled = new ArrayList<>(delays);
        Collections.shuffle(shuffled, new Random(seed));
        assertThat(path(both(stages, shuffled)).segments())
                .isEqualTo(path(both(stages, delays)).segments());
    }

    /** Packet 2 was late, but packet 1 came last: what held up packet 2 explains nothing. */
    @Example
    void thePacketThatIsNotCriticalExplainsNothing() {
        List<Mark> stages = List.of(
                new Mark("three", 1, 10, 40, ""),
                new Mark("four", 1, 50, 40, ""),
                new Mark("three", 2, 10, 20, ""),
                new Mark("four", 2, 30, 10, ""));
        Waterfall w =
                path(both(stages, List.of(new Mark("", 2, 12, 10, "rate"), new Mark("", 1, 55, 5, "retransmit"))));
        assertThat(w.perCause().get("three")).doesNotContainKey("rate");
        assertThat(w.perCause().get("four")).containsEntry("retransmit", 5L);
    }

    /** A wait in one stage explains nothing in another that is passed meanwhile. */
    @Example
    void theWaitOfOneStageCountsThereOnly() {
        StageRegistry names = new StageRegistry();
        JourneyLog log = new JourneyLog(64);
        log.stamp(7, names.id("one"), 0, 10, 40, 0);
        log.stamp(7, names.id("five"), 0, 40, 90, 0);
        log.delay(7, names.id("five"), JourneyLog.WHOLE, names.id("numa"), 30, 50);
        Waterfall w = Waterfall.along(CHAIN, 2, log, names, 7, 10, 90);
        assertThat(w.perCause().get("one")).doesNotContainKey("numa");
        assertThat(w.perCause().get("five")).containsEntry("numa", 10L);
    }

    /**
     * Packet 3 was read when packet 2 was there, and that when packet 1 was: what held up each of them held up the operation, but not
     * what held up packet 4, which was read beside them.
     */
    @Example
    void inFrontOfAPacketsOwnDataThoseInFrontOfItCount() {
        StageRegistry names = new StageRegistry();
        JourneyLog log = new JourneyLog(64);
        int two = names.id("two");
        log.stamp(7, names.id("one"), 0, 10, 15, 0);
        log.stamp(7, two, 1, 15, 30, 0);
        log.stamp(7, two, 2, 30, 50, 0);
        log.stamp(7, two, 4, 20, 55, 0);
        log.stamp(7, two, 3, 50, 70, 0);
        log.stamp(7, names.id("three"), 3, 70, 80, 0);
        log.stamp(7, names.id("four"), 3, 80, 90, 0);
        log.delay(7, two, 1, names.id("rate"), 17, 20);
        log.delay(7, two, 2, names.id("numa"), 32, 40);
        log.delay(7, two, 4, names.id("rnr"), 21, 50);
        log.delay(7, two, 3, names.id("ddio"), 60, 65);
        log.delay(7, two, 1, names.id("ddio"), 55, 58); // not while packet 3 was read
        Waterfall w = Waterfall.along(CHAIN, 2, log, names, 7, 10, 90);
        assertThat(w.perCause().get("two"))
                .containsOnly(
                        Map.entry("rate", 3L),
                        Map.entry("numa", 8L),
                        Map.entry("ddio", 5L),
                        Map.entry("its turn", 24L),
                        Map.entry("", 15L));
    }

    /** Packet 2 was held up itself, since before packet 1 was there. */
    @Example
    void whatHeldUpThePacketItselfGoesBeforeThoseInFrontOfIt() {
        StageRegistry names = new StageRegistry();
        JourneyLog log = new JourneyLog(64);
        int two = names.id("two");
        log.stamp(7, two, 1, 10, 40, 0);
        log.stamp(7, two, 2, 60, 70, 0);
        log.stamp(7, names.id("three"), 2, 70, 80, 0);
        log.delay(7, two, 2, names.id("numa"), 20, 60);
        log.delay(7, two, 1, names.id("rate"), 12, 30);
        Waterfall w = Waterfall.along(CHAIN, 2, log, names, 7, 10, 80);
        assertThat(w.perCause().get("two"))
                .containsOnly(Map.entry("numa", 40L), Map.entry("its turn", 10L), Map.entry("", 10L));
    }

    /** What holds up the queue holds up what waits in it, in front of its first packet, and nothing else. */
    @Example
    void aQueuesDelaysCountWhereTheOperationWaitsInIt() {
        StageChain chain = new StageChain()
                .once("one", "wait")
                .packets("two")
                .feed("three")
                .waits("its turn", "one", "wait", "two", "three")
                .inQueue("one", "wait", "two", "three");
        StageRegistry names = new StageRegistry();
        JourneyLog log = new JourneyLog(64);
        long journey = (3L << 40) + 7;
        log.stamp(journey, names.id("one"), 17, 10, 20, 0);
        log.stamp(journey, names.id("wait"), 0, 40, 40, 0);
        log.stamp(journey, names.id("two"), 5, 60, 70, 0);
        log.stamp(journey, names.id("three"), 5, 75, 90, 0);
        log.delay(journey, names.id("wait"), JourneyLog.WHOLE, names.id("numa"), 22, 26);
        log.queueDelay(JourneyLog.queue(journey, 17), names.id("rate"), 5, 90);
        log.queueDelay(JourneyLog.queue(journey, 16), names.id("rnr"), 0, 90); // another queue
        log.queueDelay(JourneyLog.queue(4L << 40, 17), names.id("rnr"), 0, 90); // of another device
        Waterfall w = Waterfall.along(chain, 2, log, names, journey, 10, 90);
        assertThat(w.perCause())
                .containsEntry("one", Map.of("", 10L))
                .containsEntry("wait", Map.of("numa", 4L, "rate", 16L))
                .containsEntry("two", Map.of("rate", 20L, "", 10L))
                .containsEntry("three", Map.of("its turn", 5L, "", 15L));
    }

    /** In a long run, what holds up queues is kept only while one of those that are followed is under way. */
    @Example
    void queuesAreFollowedWhileSomebodyIsFollowed() {
        JourneyLog log = new JourneyLog(64);
        log.follow(new long[] {9, 7, 8}, new long[] {50, 10, 15}, new long[] {60, 20, 30});
        long queue = JourneyLog.queue(1L << 40, 2);
        long[][] asked = {{0, 10}, {0, 11}, {12, 13}, {20, 29}, {30, 50}, {29, 31}, {35, 70}, {60, 61}};
        for (long[] a : asked) {
            log.queueDelay(queue, 1, a[0], a[1]);
        }
        log.queueDelay(queue, 1, 12, 12);
        List<Long> starts = new ArrayList<>();
        for (int i = 0; i < log.size(); i++) {
            assertThat(log.journey(i)).isEqualTo(queue);
            starts.add(log.in(i));
        }
        assertThat(starts).containsExactly(0L, 12L, 20L, 29L, 35L);
        assertThat(log.out(0)).isEqualTo(11);
    }
}
