package dev.clockwire.nic.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.chip.ChipMemory;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.state.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The slots of packets whose payload is on its way, and the rings that they stand in. */
class SlotsTest {
    private static TxSlot slot(int number) {
        return new TxSlot(number, new RocePacket());
    }

    /** The ring starts with 16 places; it grows with its front anywhere. */
    @ParameterizedTest
    @CsvSource({"0,16", "0,17", "5,17", "15,16", "15,33", "3,70", "16,40"})
    void aRingGrowsInOrder(int front, int count) {
        SlotQueue queue = new SlotQueue();
        for (int i = 0; i < front; i++) {
            queue.add(slot(-1));
            queue.remove();
        }
        for (int i = 0; i < count; i++) {
            queue.add(slot(i));
            assertThat(queue.size()).isEqualTo(i + 1);
            assertThat(queue.get(i).number()).isEqualTo(i);
        }
        for (int i = 0; i < count; i++) {
            assertThat(queue.get(count - 1 - i).number()).isEqualTo(count - 1);
            assertThat(queue.remove().number()).isEqualTo(i);
        }
        assertThat(queue.size()).isZero();
        assertThatThrownBy(queue::remove).as("what was taken out is not kept").isInstanceOf(RuntimeException.class);
    }

    @Test
    void whatLeavesIsNotCountedAsCompleteAnyMore() {
        SlotQueue queue = new SlotQueue();
        for (int i = 0; i < 4; i++) {
            TxSlot s = slot(i);
            s.last = i % 2 == 1;
            s.pending = i == 3 ? 1 : 0;
            queue.add(s);
        }
        queue.advance();
        assertThat(queue.complete).isEqualTo(3);
        assertThat(queue.wholeMessages).isEqualTo(1);
        queue.remove();
        assertThat(queue.complete).isEqualTo(2);
        assertThat(queue.wholeMessages).as("its end is still here").isEqualTo(1);
        queue.remove();
        assertThat(queue.wholeMessages).isZero();
        queue.remove();
        assertThat(queue.complete).isZero();
        queue.remove(); // a packet that was given up before its payload came
        assertThat(queue.complete).isZero();
        assertThat(queue.wholeMessages).isZero();
    }

    private static DmaRead read(int order) {
        DmaRead r = new DmaRead();
        r.cookie = (long) order << 32 | 7;
        return r;
    }

    /** Replies overtake each other; each waits until those that were asked for before it have come. */
    @Test
    void readsAreTakenInTheOrderInWhichTheyWereAskedFor() {
        TxSlot s = slot(7);
        s.begin();
        assertThat(s.isEarly(read(0))).isFalse();
        assertThat(s.isEarly(read(1))).isTrue();
        s.early.add(read(2));
        s.early.add(read(1));
        assertThat(s.nextEarly()).as("read 0 has not come").isNull();
        s.came = 1;
        assertThat(Objects.requireNonNull(s.nextEarly()).cookie >>> 32).isEqualTo(1);
        assertThat(s.nextEarly()).isNull();
        s.came = 2;
        assertThat(Objects.requireNonNull(s.nextEarly()).cookie >>> 32).isEqualTo(2);
        assertThat(s.early).isEmpty();
    }

    private static ChipMemory memory() {
        Sim sim = new Sim(SimSpec.of(1));
        ChipMemory memory =
                new ChipMemory(sim.root(), new Clock(sim.root(), "clock", Frequency.mhz(250)), 4096, w -> {});
        Allocation all = Objects.requireNonNull(memory.allocate(4096));
        assertThat(all.length()).isEqualTo(4096);
        return memory;
    }

    private static TxSlot again(TxSlot s) {
        Snapshot saved = new Snapshot();
        s.save(saved);
        saved.rewind();
        TxSlot copy = slot(s.number());
        copy.addPiece(1, 1);
        copy.early.add(read(5));
        copy.load(saved);
        return copy;
    }

    /** Data of the device's own memory stands between what comes from the host: each piece behind the reads asked for before it. */
    @Test
    void piecesOfTheDevicesMemoryTakeTheirPlaceBetweenReads() {
        ChipMemory memory = memory();
        TxSlot s = slot(0);
        s.begin();
        List<Integer> lengths = new ArrayList<>();
        s.addPiece(ChipMemory.BASE, 3);
        s.pending = 1;
        s.addPiece(ChipMemory.BASE + 3, 5);
        s.addPiece(ChipMemory.BASE + 8, 7);
        s.pending = 2;
        s.addPiece(ChipMemory.BASE + 15, 11);
        s.addPiece(ChipMemory.BASE + 26, 13);
        s.addPiece(ChipMemory.BASE + 39, 17);
        for (int came = 0; came < 3; came++) {
            s.came = came;
            s.pending = 2 - came;
            s.appendPieces(memory);
            lengths.add(s.packet.payload.length());
            s.appendPieces(memory);
            s = again(s);
        }
        assertThat(lengths).containsExactly(3, 3 + 5 + 7, 3 + 5 + 7 + 11 + 13 + 17);
    }

    @Test
    void aSlotThatBeginsAgainHasNothingOfBefore() {
        ChipMemory memory = memory();
        TxSlot s = slot(0);
        s.addPiece(ChipMemory.BASE, 3);
        s.pending = 4;
        s.came = 2;
        s.dead = true;
        s.early.add(read(3));
        s.begin();
        s.appendPieces(memory);
        assertThat(s.packet.payload.length()).isZero();
        assertThat(s.pending).isZero();
        assertThat(s.isDead()).isFalse();
        assertThat(s.early).isEmpty();
        assertThat(s.isEarly(read(0))).isFalse();
    }

    @Test
    void allOfASlotIsInTheSnapshot() {
        TxSlot s = slot(9);
        s.begin();
        s.packet.psn = 77;
        s.pending = 3;
        s.entry = 1L << 39;
        s.index = 5;
        s.askedPs = 123;
        s.queue = 6;
        s.early.add(read(2));
        s.early.add(read(1));
        s.last = true;
        TxSlot c = again(s);
        assertThat(c.packet.psn).isEqualTo(77);
        assertThat(c.pending).isEqualTo(3);
        assertThat(c.entry).isEqualTo(1L << 39);
        assertThat(c.index).isEqualTo(5);
        assertThat(c.askedPs).isEqualTo(123);
        assertThat(c.queue()).isEqualTo(6);
        assertThat(c.early).extracting(r -> r.cookie >>> 32).containsExactly(2L, 1L);
        assertThat(c.last).isTrue();
        assertThat(c.isDead()).isFalse();
        s.last = false;
        s.dead = true;
        assertThat(again(s).last).isFalse();
        assertThat(again(s).isDead()).isTrue();
        Payload none = again(s).packet.payload;
        assertThat(none.length()).isZero();
    }
}
