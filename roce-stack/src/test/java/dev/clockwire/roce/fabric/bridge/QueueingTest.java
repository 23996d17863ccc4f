package dev.clockwire.roce.fabric.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.random.RandomStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Buffer, marks, schedule and pauses, each alone. */
class QueueingTest {
    private static final int MB = 1 << 20;

    private static int[] all(int ports, int value) {
        int[] all = new int[ports];
        java.util.Arrays.fill(all, value);
        return all;
    }

    /** Reference: with n equal congested ports each holds alpha B / (1 + n alpha). */
    @ParameterizedTest
    @CsvSource({"1, -3", "8, -3", "32, -3", "4, 0", "16, 3", "2, -6"})
    void aFullBufferIsSharedAsTheFormulaSays(int ports, int alphaLog2) {
        BufferSpec spec = new BufferSpec(4 * MB, 1, 0, 0, 0, 0);
        SharedBuffer buffer = new SharedBuffer(spec, 1 << 3, all(ports, 0), all(ports, alphaLog2), all(ports, 0));
        boolean full = false;
        while (!full) {
            full = true;
            for (int port = 0; port < ports; port++) {
                full &= !buffer.admit(port << 3 | 3, 64);
            }
        }
        double alpha = Math.pow(2, alphaLog2);
        double expected = alpha * buffer.shareable() / (1 + ports * alpha);
        for (int port = 0; port < ports; port++) {
            assertThat((double) buffer.heldBy(port << 3 | 3))
                    .isCloseTo(expected, within(64.0 * ports * Math.max(1, alpha)));
        }
    }

    @ParameterizedTest
    @CsvSource({"1, -1", "2, -1", "3, -1", "4, 10", "5, 10", "6, 0"})
    void whatIsTakenIsGivenBack(long seed, int alphaLog2) {
        Random random = new Random(seed);
        BufferSpec spec = new BufferSpec(200_000, 1, 4096, 3072, 2000, 0);
        SharedBuffer buffer = new SharedBuffer(spec, 1 << 3, all(4, 10_000), all(4, alphaLog2), all(4, 0));
        Deque<int[]> taken = new ArrayDeque<>();
        long[] held = new long[32];
        long refused = 0;
        for (int i = 0; i < 30_000; i++) {
            if (random.nextInt(100) < (i / 1000 % 2 == 0 ? 60 : 40)) {
                int slot = (random.nextInt(4) << 3) | (random.nextBoolean() ? 3 : 0);
                int bytes = 64 + random.nextInt(1500);
                boolean fits =
                        (slot & 7) == 3 ? buffer.admit(slot, bytes) : buffer.admitLossy(slot >> 3, bytes, held[slot]);
                if (fits) {
                    taken.add(new int[] {slot, bytes});
                    held[slot] += bytes;
                } else {
                    refused++;
                    assertThat(held[slot] + bytes <= ((slot & 7) == 0 ? 2000 : 4096))
                            .as("a reserve is there whatever others have")
                            .isFalse();
                }
            } else if (!taken.isEmpty()) {
                int[] back = taken.remove();
                giveBack(buffer, back);
                held[back[0]] -= back[1];
            }
            long all = 0;
            for (int port = 0; port < 4; port++) {
                assertThat(buffer.heldBy((port << 3) | 3)).isEqualTo(held[(port << 3) | 3]);
                all += held[(port << 3) | 3] + held[port << 3];
            }
            assertThat(all).as("never more than there is").isLessThanOrEqualTo(spec.bytes());
            assertThat(buffer.sharedUsed()).isBetween(0L, buffer.shareable());
        }
        assertThat(refused).isPositive();
        taken.forEach(back -> giveBack(buffer, back));
        assertThat(buffer.sharedUsed()).isZero();
    }

    private static void giveBack(SharedBuffer buffer, int[] back) {
        if ((back[0] & 7) == 3) {
            buffer.release(back[0], back[1]);
        } else {
            buffer.releaseLossy(back[0] >> 3, back[1]);
        }
    }

    /** Each port may take the same, however few do, and never more than there is. */
    @ParameterizedTest
    @CsvSource({"2, 100000", "8, 100000", "64, 100000"})
    void aFixedThresholdBoundsEachPort(int ports, int xoff) {
        BufferSpec spec = new BufferSpec(MB, 1, 0, 0, 0, 0);
        SharedBuffer buffer = new SharedBuffer(spec, 1 << 3, all(ports, 0), all(ports, 0), all(ports, xoff));
        for (int round = 0; round < 2 * MB / 64; round++) {
            buffer.admit((round % ports) << 3 | 3, 64);
        }
        for (int port = 0; port < ports; port++) {
            int slot = port << 3 | 3;
            assertThat((double) buffer.heldBy(slot)).isCloseTo(Math.min(xoff, (double) MB / ports), within(64.0));
            assertThat(buffer.admit(slot, 64)).isFalse();
        }
        assertThat(buffer.sharedUsed()).isLessThanOrEqualTo(MB);
    }

    @Test
    void reservesThatExceedTheBufferAreRefused() {
        BufferSpec spec = BufferSpec.of(1_000_000);
        assertThatThrownBy(() -> new SharedBuffer(spec, 1 << 3, all(8, 200_000), all(8, 0), all(8, 0)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("1000000 B")
                .hasMessageContaining("1665536 B");
    }

    /** Reference: the share of marks is Pmax (q - Kmin) / (Kmax - Kmin), within the binomial error; all beyond Kmax, none below Kmin. */
    @ParameterizedTest
    @CsvSource({"100000, 0", "500000, 0", "500001, 0.0000000333", "1250000, 0.025", "2000000, 0.05", "2000001, 1"})
    void marksAreAsFrequentAsTheRuleSays(long queued, double share) {
        Marker marker = new Marker(MarkSpec.of(500_000, 2_000_000, 0.05), RandomStream.named(1, "marks"));
        int n = 200_000;
        int marked = 0;
        for (int i = 0; i < n; i++) {
            marked += marker.marks(queued) ? 1 : 0;
        }
        double sigma = Math.sqrt(n * share * (1 - share));
        assertThat((double) marked).isCloseTo(n * share, within(4 * sigma + 1e-9 + (share < 1e-6 ? 1 : 0)));
    }

    @Test
    void anAveragedQueueLagsBehind() {
        Marker marker = new Marker(new MarkSpec(1000, 1000, 1, 9, false), RandomStream.named(1, "marks"));
        int frames = 0;
        while (!marker.marks(2000)) {
            frames++;
        }
        // 1 - (1 - 2^-9)^n = 1/2
        assertThat(frames).isBetween(350, 358);
    }

    private static FrameQueue[] queues(int[] frames, int[] bytes) {
        FrameQueue[] queues = new FrameQueue[8];
        for (int c = 0; c < 8; c++) {
            queues[c] = new FrameQueue();
            for (int i = 0; i < frames[c]; i++) {
                queues[c].add(new RocePacket(), 0, bytes[c]);
            }
        }
        return queues;
    }

    @Test
    void classesShareByTheirQuantaWhateverTheirFrames() {
        int[] quanta = {3000, 6000, 0, 1500, 0, 0, 0, 0};
        ClassScheduler scheduler = new ClassScheduler(quanta);
        FrameQueue[] queues =
                queues(new int[] {20_000, 20_000, 0, 20_000, 0, 0, 0, 0}, new int[] {1500, 100, 1, 9000, 1, 1, 1, 1});
        long[] sent = new long[8];
        for (int i = 0; i < 20_000; i++) {
            int c = scheduler.choose(0b1011, queues);
            sent[c] += queues[c].occupied();
            queues[c].take();
        }
        double round = (sent[0] + sent[1] + sent[3]) / 10_500.0;
        assertThat((double) sent[0]).isCloseTo(3000 * round, within(9000.0));
        assertThat((double) sent[1]).isCloseTo(6000 * round, within(9000.0));
        assertThat((double) sent[3]).isCloseTo(1500 * round, within(9000.0 + 9000));
    }

    @Test
    void strictClassesGoFirstHighestFirst() {
        ClassScheduler scheduler = new ClassScheduler(new int[] {1500, 1500, 0, 1500, 1500, 1500, 0, 1500});
        FrameQueue[] queues = queues(all(8, 3), all(8, 1000));
        StringBuilder order = new StringBuilder();
        int ready = 0xFF;
        while (ready != 0) {
            int c = scheduler.choose(ready, queues);
            queues[c].take();
            order.append(c);
            ready &= queues[c].isEmpty() ? ~(1 << c) : 0xFF;
        }
        assertThat(order.toString()).startsWith("666222").hasSize(24);
        assertThat(scheduler.choose(0, queues)).isEqualTo(-1);
    }

    @Test
    void aPauseEndsWhenItIsOverOrEnded() {
        long kbps = 100_000_000;
        assertThat(PauseState.quantaPs(65_535, kbps)).as("335.5 us at 100 Gb/s").isEqualTo(335_539_200);
        PauseState paused = new PauseState(kbps, true);
        PauseFrame frame = new PauseFrame();
        frame.set(3, 100);
        paused.take(frame, 1000);
        assertThat(paused.settle(1000 + 512_000 - 1)).as("512 ns").isEqualTo(8);
        assertThat(paused.next(8)).isEqualTo(513_000);
        assertThat(paused.settle(513_000)).isZero();
        frame.reset();
        frame.set(3, 100);
        frame.set(5, 100);
        paused.take(frame, 600_000);
        frame.reset();
        frame.set(3, 0);
        assertThat(paused.take(frame, 700_000)).as("let go early").isEqualTo(8);
        assertThat(paused.settle(700_000)).as("the other class is not touched").isEqualTo(32);
        assertThat(paused.pausedPs(3, 800_000)).isEqualTo(512_000 + 100_000);
        PauseState whole = new PauseState(kbps, false);
        frame.reset();
        frame.wholeLink = true;
        frame.quanta[0] = 1;
        whole.take(frame, 1);
        assertThat(whole.settle(Long.MAX_VALUE - 1)).as("never over by itself").isEqualTo(0xFF);
    }
}
