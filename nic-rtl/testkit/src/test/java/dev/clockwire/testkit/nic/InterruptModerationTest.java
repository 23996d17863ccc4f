package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.doorbell.Uar;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nic.regs.NicRegisters;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** INT_MOD_CTRL, masks and a full event queue, as a program sees them. */
class InterruptModerationTest {
    private static final long US = 1_000_000;
    private static final long PERIOD_255 = 1_020_000;

    private static Profile profile() {
        return Profiles.named("cx7-400g").with("nic.int.moderation", "true");
    }

    private final List<Pair> pairs = new ArrayList<>();

    private Lab lab(Profile profile, LabSpec spec, int qps) {
        pairs.clear();
        Lab lab = Lab.twoHosts(profile, spec);
        for (int i = 0; i < qps; i++) {
            pairs.add(new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL, 64));
        }
        return lab;
    }

    private Lab lab(Profile profile, int qps) {
        return lab(profile, LabSpec.of(1), qps);
    }

    private static void store(Lab lab, int bar, long offset, long value, int bytes) {
        long address = lab.a().nic().endpoint().barAddress(bar) + offset;
        lab.a().core().mmioWrite(address, value, bytes);
        lab.sim().run(lab.sim().now() + US);
    }

    private static void moderate(Lab lab, int count, int exponent, int period) {
        store(lab, NicRegisters.BAR, NicRegisters.INT_MOD_CTRL, (long) count << 24 | exponent << 16 | period, 4);
    }

    /** Time from now until the event of a WRITE on a quiet queue pair comes, in ps; armed before. */
    private long eventAfter(Lab lab, Pair p) {
        p.a.cq.reqNotify(false);
        Completion<CompletionQueue> event = p.a.cq.channel().cqEvent();
        lab.sim().run(lab.sim().now() + 5 * US);
        long start = lab.sim().now();
        new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 8);
        assertThat(lab.sim().runUntil(event::isDone, start + 400_000 * US)).isTrue();
        long took = lab.sim().now() - start;
        lab.sim().run(lab.sim().now() + 1);
        p.next(p.a);
        return took;
    }

    @ParameterizedTest
    @CsvSource({"0,255", "4,255", "0,1", "10,65535"})
    void theFirstEventWaitsForThePeriod(int exponent, int period) {
        Lab off = lab(profile().with("nic.int.moderation", "false"), 1);
        long plain = eventAfter(off, pairs.get(0));
        Lab on = lab(profile(), 1);
        moderate(on, 0, exponent, period);
        long took = eventAfter(on, pairs.get(0));
        long cycles = (long) period << exponent;
        assertThat(took - plain).isBetween(cycles * 4000 - 1, cycles * 4000 + 4000);
    }

    @Test
    void atResetItIsAMicrosecondAndWithAPeriodOfZeroNothing() {
        Lab off = lab(profile().with("nic.int.moderation", "false"), 1);
        final long plain = eventAfter(off, pairs.get(0));
        Lab on = lab(profile(), 1);
        assertThat(eventAfter(on, pairs.get(0)) - plain).isBetween(PERIOD_255 - 1, PERIOD_255 + 4000);
        moderate(on, 9, 0, 0);
        assertThat(eventAfter(on, pairs.get(0)) - plain)
                .as("a count alone holds nothing back")
                .isBetween(-4000L, 4000L);
    }

    private static long reading(Lab lab, String what) {
        return lab.sim().stats().value(lab.a().nic().path() + ".eq_" + what);
    }

    private long eightAtOnce(KernelMode mode, int count) {
        Lab lab = lab(profile(), LabSpec.of(1).withMode(mode).withFullHash(true), 8);
        moderate(lab, count, 4, 65535);
        long before = reading(lab, "interrupts");
        List<Completion<CompletionQueue>> events = new ArrayList<>();
        for (Pair p : pairs) {
            p.a.cq.reqNotify(false);
            events.add(p.a.cq.channel().cqEvent());
        }
        lab.sim().run(lab.sim().now() + 5 * US);
        for (Pair p : pairs) {
            new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 8);
        }
        lab.sim().run(lab.sim().now() + 50 * US);
        long done = events.stream().filter(Completion::isDone).count();
        assertThat(done).isEqualTo(count == 0 ? 0 : 8 / count * count);
        lab.sim().run(lab.sim().now() + 5000 * US);
        assertThat(events).allMatch(Completion::isDone);
        assertThat(reading(lab, "interrupts") - before).isEqualTo(count == 0 ? 1 : (8 + count - 1) / count);
        return lab.sim().traceHash();
    }

    /** Eight queues complete at once: as many interrupts as the count says, the rest when the period is over. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 4, 8})
    void aCountOfEventsSharesAnInterrupt(int count) {
        assertThat(eightAtOnce(KernelMode.EXHAUSTIVE, count)).isEqualTo(eightAtOnce(KernelMode.ACTIVITY, count));
    }

    /** Entries of a masked vector are written; one message for all of them comes when the mask is taken away. */
    @Test
    void aMaskedVectorRemembersOneInterrupt() {
        Lab lab = lab(profile(), 4);
        lab.sim().run(lab.sim().now() + US);
        for (Pair p : pairs) {
            p.a.cq.reqNotify(false);
        }
        lab.sim().run(lab.sim().now() + 5 * US);
        store(lab, NicRegisters.VECTOR_BAR, 12, 1, 4);
        List<Completion<CompletionQueue>> events = new ArrayList<>();
        for (Pair p : pairs) {
            events.add(p.a.cq.channel().cqEvent());
            new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 8);
        }
        lab.sim().run(lab.sim().now() + 50 * US);
        assertThat(events).noneMatch(Completion::isDone);
        assertThat(lab.a().nic().registers().vectors().isPending(0)).isTrue();
        assertThat(reading(lab, "entries")).isEqualTo(4);
        store(lab, NicRegisters.VECTOR_BAR, 12, 0, 4);
        assertThat(events).allMatch(Completion::isDone);
        assertThat(lab.a().nic().registers().vectors().isPending(0)).isFalse();
    }

    /** A queue of two entries and nobody who takes them: two are there, the rest is lost and counted, and the queues stay armed. */
    @Test
    void aFullEventQueueLosesAndCounts() {
        Lab lab = lab(Profiles.named("cx7-400g").with("nic.eq.log_entries", "1"), 5);
        for (Pair p : pairs) {
            p.a.cq.reqNotify(false);
        }
        lab.sim().run(lab.sim().now() + 5 * US);
        store(lab, NicRegisters.VECTOR_BAR, 12, 1, 4);
        List<Completion<CompletionQueue>> events = new ArrayList<>();
        for (Pair p : pairs) {
            events.add(p.a.cq.channel().cqEvent());
            new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 8);
        }
        lab.sim().run(lab.sim().now() + 50 * US);
        assertThat(reading(lab, "entries")).isEqualTo(2);
        assertThat(reading(lab, "overruns")).isEqualTo(3);
        store(lab, NicRegisters.VECTOR_BAR, 12, 0, 4);
        lab.sim().run(lab.sim().now() + 50 * US);
        assertThat(events.stream().filter(Completion::isDone).count()).isEqualTo(2);
        for (Pair p : pairs.subList(2, 5)) {
            new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 8);
            lab.sim().run(lab.sim().now() + 50 * US);
        }
        assertThat(events).as("the next completion of each tells").allMatch(Completion::isDone);
        assertThat(reading(lab, "overruns")).isEqualTo(3);
    }

    /** One entry at a time through a queue of two, many laps: the consumer index keeps it from overflowing. */
    @Test
    void aSmallEventQueueIsEnoughForOneAtATime() {
        Lab lab = lab(profile().with("nic.eq.log_entries", "1"), 1);
        moderate(lab, 0, 0, 1);
        for (int i = 0; i < 40; i++) {
            eventAfter(lab, pairs.get(0));
        }
        assertThat(reading(lab, "entries")).isEqualTo(40);
        assertThat(reading(lab, "overruns")).isZero();
    }

    /** An arming that was on its way when the event came belongs to that event: its sequence number says so. */
    @Test
    void anOldArmingDoesNotArmAgain() {
        Lab lab = lab(Profiles.named("cx7-400g"), 1);
        Pair p = pairs.get(0);
        Completion<CompletionQueue> first = p.a.cq.channel().cqEvent();
        Completion<CompletionQueue> second = p.a.cq.channel().cqEvent();
        p.a.cq.reqNotify(false);
        lab.sim().run(lab.sim().now() + 5 * US);
        new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 8);
        lab.sim().run(lab.sim().now() + 50 * US);
        assertThat(first.isDone()).isTrue();
        long seen = 0;
        store(lab, Uar.BAR, Uar.CQ_ARM_DB, seen << 32 | p.a.cq.number(), 8);
        lab.sim().run(lab.sim().now() + 50 * US);
        assertThat(second.isDone())
                .as("number 0 again, though a completion is there that it has not seen")
                .isFalse();
        store(lab, Uar.BAR, Uar.CQ_ARM_DB, 1L << 56 | seen << 32 | p.a.cq.number(), 8);
        lab.sim().run(lab.sim().now() + 50 * US);
        assertThat(second.isDone()).isTrue();
    }

    /** What an operation lost to moderation is the period. */
    @Test
    void theWaitIsAttributed() {
        Lab lab = lab(profile(), LabSpec.of(1).withJourneys(1 << 12), 1);
        eventAfter(lab, pairs.get(0));
        var log = Objects.requireNonNull(lab.sim().journeys());
        long sum = 0;
        for (int i = 0; i < log.size(); i++) {
            if (log.isDelay(i) && log.cause(i) == lab.sim().causes().moderation) {
                sum += log.out(i) - log.in(i);
            }
        }
        assertThat(sum).isBetween(PERIOD_255, PERIOD_255 + 4000);
    }
}
