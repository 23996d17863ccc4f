package dev.clockwire.nic.complete;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Arming against completions that come meanwhile: a program arms, polls and takes events, a device completes; doorbells and events are on
 * their way for any time. Whatever the order, nobody sleeps beside a completion, and no arming makes two events.
 */
class ArmProperties {
    private static final int CQ = 3;
    private static final int SEEN = 0xFFFFFF;

    /** A doorbell on its way. */
    private record Arm(boolean solicited, long seen, int sn) {}

    private CqState device = new CqState();
    private final Deque<Arm> doorbells = new ArrayDeque<>();
    private long produced;
    private int events;
    private int sn;
    private int armings;
    private int fired;
    /** The least that an arming since the last event has seen, of any completion and of solicited ones; -1 without one. */
    private long anySeen;

    private long solicitedSeen;
    private long lastSolicited;

    private void begin(long start) {
        device = new CqState();
        doorbells.clear();
        events = 0;
        sn = 0;
        armings = 0;
        fired = 0;
        for (long i = 0; i < start; i++) {
            device.next(CQ);
        }
        produced = start;
        lastSolicited = 0;
        anySeen = -1;
        solicitedSeen = -1;
    }

    private void fire() {
        device.fire(CQ);
        fired++;
        events++;
    }

    private void complete(boolean isSolicited) {
        device.next(CQ);
        produced++;
        lastSolicited = isSolicited ? produced : lastSolicited;
        if (device.counts(CQ, isSolicited)) {
            fire();
        }
    }

    private void arrive() {
        Arm a = doorbells.remove();
        armings++;
        if (device.arm(CQ, a.solicited ? CqState.SOLICITED : CqState.ANY, (int) a.seen & SEEN, SEEN, a.sn)) {
            fire();
        }
    }

    private void arm(boolean onlySolicited) {
        doorbells.add(new Arm(onlySolicited, produced, sn));
        if (onlySolicited) {
            solicitedSeen = solicitedSeen < 0 ? produced : solicitedSeen;
        } else {
            anySeen = anySeen < 0 ? produced : anySeen;
        }
    }

    private void take() {
        events--;
        sn = sn + 1 & 3;
        anySeen = -1;
        solicitedSeen = -1;
    }

    @Property
    void nobodySleepsBesideACompletion(@ForAll long seed) {
        Random random = new Random(seed);
        begin(random.nextBoolean() ? 0 : SEEN - 20);
        for (int step = 0; step < 400; step++) {
            switch (random.nextInt(6)) {
                case 0, 1 -> complete(random.nextInt(3) == 0);
                case 2 -> arm(random.nextInt(3) == 0);
                case 3, 4 -> {
                    if (!doorbells.isEmpty()) {
                        arrive();
                    }
                }
                default -> {
                    if (events > 0) {
                        take();
                    }
                }
            }
            assertThat(events).as("one event at a time is on its way").isLessThanOrEqualTo(1);
            assertThat(fired).isLessThanOrEqualTo(armings);
            if (random.nextInt(20) == 0) {
                while (!doorbells.isEmpty()) {
                    arrive();
                }
                boolean missed =
                        (anySeen >= 0 && produced > anySeen) || (solicitedSeen >= 0 && lastSolicited > solicitedSeen);
                assertThat(!missed || events == 1)
                        .as(
                                "armed at %d and %d, %d are there, the newest solicited is %d",
                                anySeen, solicitedSeen, produced, lastSolicited)
                        .isTrue();
            }
        }
    }

    /** With nothing in between: behind the producer index at once, equal to it not before the next one, and that disarms. */
    @Property(tries = 50)
    void theArmingSaysWhatItHasSeen(@ForAll boolean behind, @ForAll boolean onlySolicited) {
        begin(5);
        complete(true);
        int seen = behind ? 5 : 6;
        int how = onlySolicited ? CqState.SOLICITED : CqState.ANY;
        assertThat(device.arm(CQ, how, seen, SEEN, 0)).isEqualTo(behind);
        if (behind) {
            device.fire(CQ);
        }
        assertThat(device.counts(CQ, true)).isEqualTo(!behind);
        if (!behind) {
            device.next(CQ);
            device.fire(CQ);
        }
        assertThat(device.counts(CQ, true)).as("disarmed").isFalse();
        assertThat(device.arm(CQ, how, 0, SEEN, 0)).as("the same arming again").isFalse();
        assertThat(device.isArmed(CQ)).isFalse();
        assertThat(device.arm(CQ, how, 0, SEEN, 1)).isTrue();
    }
}
