package dev.clockwire.nic.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.format.Cqe;
import dev.clockwire.nic.format.MiniCqe;
import dev.clockwire.nic.format.WqeOpcode;
import dev.clockwire.nic.format.WqeWriter;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.SgeList;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The driver's rings in memory, around their ends, with a core that takes no time. */
class RingsTest {
    private static final int QPN = 0x42;
    private static final long DOORBELL = 0xD000;
    private static final long A = 0xA000;
    private static final long B = 0xB000;

    private final CountingCpu cpu = new CountingCpu();
    private final WqeWriter writer = new WqeWriter();
    private final long base = cpu.place(4096);
    private final long record = cpu.place(64);

    private SendRing ring(boolean blueflame, boolean index) {
        return new SendRing(QPN, base, 3, record, DOORBELL, A, B, blueflame, index);
    }

    /** Writes a WQE of so many bytes, which are all the same number behind the control segment. */
    private void post(SendRing ring, int bytes, int number) {
        long place = ring.place(bytes);
        assertThat(place).isNotNegative();
        writer.begin(WqeOpcode.SEND, (int) place, QPN, true, false, false, 0);
        int at = writer.inline(bytes - 20);
        Arrays.fill(writer.bytes(), at, bytes, (byte) number);
        ring.write(cpu, writer, writer.finish(), 1000 + number);
    }

    /** Eight blocks: a WQE has room as long as its last block is not over the first that is in use. */
    @Test
    void aSendRingHasItsBlocks() {
        SendRing ring = ring(false, true);
        post(ring, 64, 1);
        post(ring, 80, 2);
        post(ring, 128, 3);
        post(ring, 64, 4);
        assertThat(ring.place(128)).isEqualTo(6);
        assertThat(ring.place(129)).isEqualTo(-1);
        post(ring, 128, 5);
        assertThat(ring.place(16)).isEqualTo(-1);
        assertThat(ring.outstanding()).isEqualTo(5);
        assertThat(ring.posted()).isEqualTo(8);
        assertThat(ring.complete(3)).as("those before it too").isEqualTo(1003);
        assertThat(ring.outstanding()).isEqualTo(2);
        assertThat(ring.place(5 * 64)).isEqualTo(8);
        assertThat(ring.place(6 * 64)).isEqualTo(-1);
        assertThat(ring.complete(1)).as("late: it is free already").isEqualTo(1002);
        assertThat(ring.outstanding()).isEqualTo(2);
        ring.reset();
        assertThat(ring.outstanding()).isZero();
        assertThat(ring.place(8 * 64)).isEqualTo(8);
    }

    @Test
    void aWqeGoesOverTheEndOfTheRing() {
        SendRing ring = ring(true, true);
        for (int i = 0; i < 7; i++) {
            post(ring, 64, i);
        }
        ring.ring(cpu);
        assertThat(ring.complete(6)).isEqualTo(1006);
        cpu.stores.clear();
        post(ring, 128, 9);
        assertThat(cpu.memory.getByte(base + 7 * 64 + 63)).isEqualTo((byte) 9);
        assertThat(cpu.memory.getByte(base)).isEqualTo((byte) 9);
        assertThat(cpu.memory.getByte(base + 63)).isEqualTo((byte) 9);
        assertThat(cpu.memory.getByte(base + 64)).as("not touched").isNotEqualTo((byte) 9);
        ring.ring(cpu);
        assertThat(cpu.stores).as("out of two pieces").containsExactly("a000 < 0 .. 9 : 128");
        assertThat(ring.complete(7)).isEqualTo(1009);
    }

    /** Counters have 16 bits, whatever the ring has. */
    @Test
    void countersGoRound() {
        SendRing ring = ring(false, true);
        for (int i = 0; i < 70_000; i++) {
            post(ring, 64, i & 0x7F);
            assertThat(ring.complete(i & 0xFFFF)).isEqualTo(1000 + (i & 0x7F));
        }
        assertThat(ring.posted()).isEqualTo(70_000 & 0xFFFF);
        assertThat(ring.outstanding()).isZero();
        post(ring, 64, 1);
        ring.ring(cpu);
        assertThat(cpu.memory.getIntBe(record + 4)).isEqualTo(70_001 & 0xFFFF);
        assertThat(cpu.stores).containsExactly("d000 = " + Long.toHexString(QPN | (70_001L & 0xFFFF) << 32) + " : 8");
    }

    @Test
    void aDoorbellIsRungOnceForAll() {
        SendRing ring = ring(false, false);
        ring.ring(cpu);
        assertThat(cpu.stores).as("nothing is new").isEmpty();
        post(ring, 64, 1);
        post(ring, 64, 2);
        ring.ring(cpu);
        ring.ring(cpu);
        assertThat(cpu.stores).as("without the index").containsExactly("d000 = 42 : 4");
        assertThat(cpu.memory.getIntBe(record + 4)).isEqualTo(2);
    }

    /** A single new WQE of up to 256 bytes goes by BlueFlame, into one buffer after the other. */
    @Test
    void smallWqesGoByBlueFlame() {
        SendRing ring = ring(true, true);
        post(ring, 80, 1);
        ring.ring(cpu);
        ring.complete(0);
        post(ring, 256, 2);
        ring.ring(cpu);
        ring.complete(2);
        post(ring, 272, 3);
        ring.ring(cpu);
        ring.complete(6);
        post(ring, 64, 4);
        post(ring, 64, 5);
        ring.ring(cpu);
        ring.complete(12);
        post(ring, 64, 6);
        ring.ring(cpu);
        assertThat(cpu.stores)
                .containsExactly(
                        "a000 < 0 .. 0 : 128",
                        "b000 < 0 .. 2 : 256",
                        "d000 = b00000042 : 8",
                        "d000 = d00000042 : 8",
                        "a000 < 0 .. 6 : 64");
    }

    @Test
    void sendsThatAreHeldAreReleasedInOrder() {
        SendRing ring = ring(false, true);
        post(ring, 64, 1);
        post(ring, 128, 2);
        post(ring, 64, 3);
        assertThat(ring.held()).isEqualTo(3);
        assertThat(ring.release(2)).isEqualTo(3);
        assertThat(ring.held()).isEqualTo(1);
        assertThat(ring.release(0)).isEqualTo(3);
        assertThat(ring.release(1)).isEqualTo(4);
        post(ring, 64, 4);
        ring.reset();
        assertThat(ring.held()).isZero();
        post(ring, 64, 5);
        assertThat(ring.release(1)).isEqualTo(6);
    }

    private static SgeList sges(long... lengths) {
        SgeList list = new ReceiveBatch(1, 8).add().sges();
        for (int i = 0; i < lengths.length; i++) {
            list.add(0x7000 + i, lengths[i], 0x50 + i);
        }
        return list;
    }

    @Test
    void aReceiveIsItsSegmentsAndATerminator() {
        ReceiveRing ring = new ReceiveRing(base, 2, 32, record, false);
        assertThat(ring.segments()).isEqualTo(2);
        assertThat(ring.space()).isEqualTo(4);
        ring.post(cpu, sges(0, 100, 0), 71);
        assertThat(cpu.memory.getIntBe(base)).isEqualTo(100);
        assertThat(cpu.memory.getIntBe(base + 4)).isEqualTo(0x51);
        assertThat(cpu.memory.getLongBe(base + 8)).isEqualTo(0x7001);
        assertThat(cpu.memory.getIntBe(base + 16)).isZero();
        assertThat(cpu.memory.getIntBe(base + 20)).as("the key of a terminator").isEqualTo(0x100);
        ring.post(cpu, sges(7, 1L << 31), 72);
        assertThat(cpu.memory.getIntBe(base + 32)).isEqualTo(7);
        assertThat(cpu.memory.getIntBe(base + 48)).as("2 GB").isZero();
        assertThat(cpu.memory.getIntBe(base + 52)).isEqualTo(0x51);
        assertThat(cpu.memory.getIntBe(base + 64 + 4)).as("not written yet").isZero();
        assertThat(ring.space()).isEqualTo(2);
        assertThat(ring.outstanding()).isEqualTo(2);
        assertThat(cpu.memory.getIntBe(record)).isZero();
        ring.ring(cpu);
        assertThat(cpu.memory.getIntBe(record)).isEqualTo(2);
        assertThat(ring.complete(0)).isEqualTo(71);
        assertThat(ring.complete(1)).isEqualTo(72);
        assertThat(ring.space()).isEqualTo(4);
        ring.post(cpu, sges(1), 73);
        ring.reset();
        assertThat(ring.outstanding()).isZero();
        assertThat(ring.space()).isEqualTo(4);
    }

    /** WQEs of a shared ring complete in any order; their counters have 16 bits, not the ring's few. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void countersOfReceives(boolean shared) {
        ReceiveRing ring = new ReceiveRing(base, 2, 16, record, shared);
        for (int i = 0; i < 66_000; i++) {
            ring.post(cpu, sges(1), i);
            if (i >= 2) {
                assertThat(ring.complete(i - 2 & 0xFFFF)).isEqualTo(i - 2);
            }
        }
        ring.ring(cpu);
        assertThat(cpu.memory.getIntBe(record)).isEqualTo(66_000 & 0xFFFF);
        assertThat(ring.complete(65_999 & 0xFFFF)).isEqualTo(65_999);
        assertThat(ring.complete(65_998 & 0xFFFF)).isEqualTo(65_998);
        ring.post(cpu, sges(1), 1);
        ring.post(cpu, sges(1), 2);
        ring.post(cpu, sges(1), 3);
        ring.post(cpu, sges(1), 4);
        assertThat(ring.space()).isZero();
        if (shared) {
            assertThat(ring.complete(65_000 & 0xFFFF))
                    .as("long ago, and still known")
                    .isEqualTo(65_000);
        }
    }

    private void cqe(long ring, int log, long index, int qpn, int counter) {
        byte[] entry = new byte[Cqe.BYTES];
        Cqe.write(entry, Cqe.RESP_SEND, 0, qpn, 0, counter, 0, 0, 0, false, (index >>> log & 1) != 0);
        cpu.memory.putBytes(ring + (index & (1L << log) - 1) * 64, entry, 0, 64);
    }

    @Test
    void entriesAreTakenInTheirLap() {
        CompletionRing ring = new CompletionRing(cpu.memory, base, 2);
        assertThat(ring.ready(cpu.memory)).as("never written").isFalse();
        assertThat(ring.watchAddress()).isEqualTo(base + 63);
        for (int i = 0; i < 11; i++) {
            cqe(base, 2, i, 5, 100 + i);
            assertThat(ring.ready(cpu.memory)).isTrue();
            assertThat(ring.seen(cpu.memory)).isEqualTo(i + 1);
            assertThat(Cqe.wqeCounter(ring.take(cpu.memory))).isEqualTo(100 + i);
            assertThat(ring.consumed()).isEqualTo(i + 1);
            assertThat(ring.consumedInAll()).isEqualTo(i + 1);
            assertThat(ring.ready(cpu.memory)).as("the entry of a lap ago").isFalse();
        }
        for (int i = 11; i < 15; i++) {
            cqe(base, 2, i, 5, 100 + i);
        }
        assertThat(ring.seen(cpu.memory)).as("a ring full of them, and no more").isEqualTo(15);
        assertThat(ring.watchAddress()).isEqualTo(base + 3 * 64 + 63);
    }

    @ParameterizedTest
    @CsvSource({"0", "2", "3", "5"})
    void aTitleBecomesItsCompletions(int first) {
        CompletionRing ring = new CompletionRing(cpu.memory, base, 2);
        for (int i = 0; i < first; i++) {
            cqe(base, 2, i, 5, i);
            ring.take(cpu.memory);
        }
        byte[] title = new byte[64];
        byte[] array = new byte[64];
        Cqe.write(title, Cqe.RESP_SEND, 0, 5, 0, 0, 0, 0x77, 0, false, (first >>> 2 & 1) != 0);
        MiniCqe.title(title, 3);
        for (int i = 0; i < 3; i++) {
            MiniCqe.put(array, i, 200 + i, 0, 10 * i);
        }
        cpu.memory.putBytes(base + (first & 3) * 64L, title, 0, 64);
        cpu.memory.putBytes(base + (first + 1 & 3) * 64L, array, 0, 64);
        assertThat(ring.seen(cpu.memory)).isEqualTo(first + 3);
        for (int i = 0; i < 3; i++) {
            assertThat(ring.ready(cpu.memory)).isTrue();
            byte[] entry = ring.take(cpu.memory);
            assertThat(Cqe.wqeCounter(entry)).isEqualTo(200 + i);
            assertThat(Cqe.byteCount(entry)).isEqualTo(10 * i);
            assertThat(Cqe.imm(entry)).isEqualTo(0x77);
        }
        assertThat(ring.ready(cpu.memory)).isFalse();
    }

    @Test
    void entriesOfAQueuePairThatIsGoneAreTakenAway() {
        CompletionRing ring = new CompletionRing(cpu.memory, base, 2);
        for (int i = 0; i < 3; i++) {
            cqe(base, 2, i, 5, i);
            ring.take(cpu.memory);
        }
        for (int i = 3; i < 7; i++) {
            cqe(base, 2, i, i % 2 == 0 ? 9 : 5, i);
        }
        ring.clean(cpu.memory, 9);
        assertThat(ring.consumedInAll()).isEqualTo(5);
        assertThat(Cqe.wqeCounter(ring.take(cpu.memory))).isEqualTo(3);
        assertThat(ring.ready(cpu.memory)).isTrue();
        assertThat(Cqe.wqeCounter(ring.take(cpu.memory))).isEqualTo(5);
        assertThat(ring.ready(cpu.memory)).isFalse();
        assertThat(ring.consumedInAll()).isEqualTo(7);
        ring.clean(cpu.memory, 9);
        assertThat(ring.consumedInAll()).isEqualTo(7);
    }

    /** While a queue is resized its entries stand in several rings, the oldest first. */
    @Test
    void entriesGoOnInOtherRings() {
        long second = cpu.place(8 * 64);
        long third = cpu.place(4 * 64);
        CompletionRing ring = new CompletionRing(cpu.memory, base, 2);
        cqe(base, 2, 0, 5, 0);
        cqe(base, 2, 1, 5, 1);
        ring.prepare(cpu.memory, second, 3);
        ring.change(second, 3, 2);
        cqe(second, 3, 2, 5, 2);
        ring.prepare(cpu.memory, third, 2);
        ring.change(third, 2, 3);
        assertThat(ring.seen(cpu.memory)).isEqualTo(3);
        cqe(third, 2, 3, 5, 3);
        assertThat(ring.seen(cpu.memory)).isEqualTo(4);
        for (int i = 0; i < 4; i++) {
            assertThat(ring.ready(cpu.memory)).isTrue();
            long place = i < 2 ? base + i * 64L : i < 3 ? second + 2 * 64 : third + 3 * 64;
            assertThat(ring.watchAddress()).isEqualTo(place + 63);
            assertThat(Cqe.wqeCounter(ring.take(cpu.memory))).isEqualTo(i);
        }
        assertThat(ring.ready(cpu.memory)).isFalse();
        long fourth = cpu.place(4 * 64);
        ring.prepare(cpu.memory, fourth, 2);
        ring.change(fourth, 2, 4);
        cqe(fourth, 2, 4, 5, 4);
        assertThat(Cqe.wqeCounter(ring.take(cpu.memory))).isEqualTo(4);
    }
}
