package dev.clockwire.nic.dma;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.chip.ChipMemory;
import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.LoneParts;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nic.profile.QueueSpec;
import dev.clockwire.nic.sched.QpArbiter;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Packets that wait for their payload: what is asked for, in what order it is put together, and which one may leave. */
class PayloadEngineTest {
    private static final int FLOW = 1000;
    private static final long GATHER_PS = 500;
    private static final int ROOM = 3;

    private final Sim sim = new Sim(SimSpec.of(1));
    private final Clock clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
    private final DeviceParts parts = LoneParts.of(
            sim,
            clock,
            Profiles.named("cx7-400g")
                    .with("nic.dma.buffer_packets", "" + ROOM)
                    .with("nic.dma.payload_outstanding_reads", "17"),
            new ContextTable());
    private final SimModule owner = new SimModule(sim.root(), "owner", clock) {
        @Override
        protected boolean tick(long cycle) {
            return false;
        }
    };
    private final List<DmaRead> asked = new ArrayList<>();
    private final List<Long> times = new ArrayList<>();
    private final Inlet<DmaRead> replies = new Inlet<>(owner, "replies", 64, 1);
    private final EventPort port = new EventPort(owner, "reads") {
        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            asked.add((DmaRead) Objects.requireNonNull(token));
            times.add(now());
        }
    };

    private PayloadEngine engine(boolean wholeMessages) {
        sim.elaborate();
        return fresh(wholeMessages);
    }

    private PayloadEngine fresh(boolean wholeMessages) {
        QpArbiter ready = QpArbiter.of(QueueSpec.Policy.RR, parts.table());
        return new PayloadEngine(port, replies, parts, wholeMessages, FLOW, GATHER_PS, 0, ready);
    }

    private static RocePacket packet(int psn) {
        RocePacket p = new RocePacket();
        p.psn = psn;
        p.journey = 10L * psn;
        return p;
    }

    /** Adds a packet with reads of these lengths. */
    private TxSlot add(PayloadEngine e, int q, int psn, boolean last, int... lengths) {
        TxSlot slot = e.add(q, packet(psn), 100L + psn, psn, last);
        for (int length : lengths) {
            e.read(slot, sim.now(), 5, 50, 0x1000L * psn, length);
        }
        e.added(slot);
        sim.run(sim.now() + 1000);
        return slot;
    }

    private static DmaRead filled(DmaRead read, int value) {
        for (int i = 0; i < read.length; i++) {
            read.into.appendBytes(new byte[] {(byte) value}, 0, 1);
        }
        return read;
    }

    @Test
    void aReadSaysWhatItIsFor() {
        PayloadEngine e = engine(false);
        TxSlot slot = e.add(3, packet(7), 55, 2, true);
        e.read(slot, 0, 5, 50, 0x7000, 64);
        e.read(slot, 0, 6, 60, 0x8000, 32);
        sim.run(10_000);
        assertThat(times).containsExactly(1 + GATHER_PS, 1 + GATHER_PS);
        DmaRead r = asked.get(1);
        assertThat(new long[] {r.address, r.length, r.key, r.user, r.part, r.flow, r.window, r.journey})
                .containsExactly(0x8000, 32, 6, 60, 7, FLOW + 3, 17, 70);
        assertThat(r.reply).isSameAs(replies);
        assertThat(r.cookie >>> 32).as("the second").isEqualTo(1);
        assertThat((int) r.cookie).isEqualTo(slot.number());
        assertThat(e.slot(slot.number())).isSameAs(slot);
        assertThat(slot.entry).isEqualTo(55);
        assertThat(slot.index).isEqualTo(2);
        assertThat(slot.queue()).isEqualTo(3);
        assertThat(slot.pending).isEqualTo(2);
    }

    @Test
    void piecesAreInTheOrderAskedForWhateverComesFirst() {
        PayloadEngine e = engine(false);
        TxSlot slot = add(e, 0, 1, true, 2, 3, 1);
        assertThat(e.onReply(filled(asked.get(2), 33))).isNull();
        assertThat(e.onReply(filled(asked.get(1), 22))).isNull();
        assertThat(e.candidates()).isZero();
        assertThat(e.onReply(filled(asked.get(0), 11))).isSameAs(slot);
        byte[] all = new byte[6];
        slot.packet.payload.copyTo(0, all, 0, 6);
        assertThat(all).containsExactly(11, 11, 22, 22, 22, 33);
        assertThat(e.candidates()).isEqualTo(1);
        assertThat(e.pick()).isZero();
        assertThat(e.remove(0)).isSameAs(slot);
    }

    /** What lies in the device itself is here at once, behind what was asked of the host before. */
    @Test
    void theDevicesOwnMemoryIsHereAtOnce() {
        PayloadEngine e = engine(false);
        long own = Objects.requireNonNull(parts.chipMemory().allocate(64)).address();
        assertThat(parts.chipMemory().holds(own)).isTrue();
        TxSlot slot = e.add(0, packet(1), 0, 0, true);
        e.read(slot, 0, 5, 50, own, 4);
        assertThat(slot.packet.payload.length()).isEqualTo(4);
        e.read(slot, 0, 5, 50, 0x1000, 2);
        e.read(slot, 0, 5, 50, own, 8);
        e.added(slot);
        sim.run(1000);
        assertThat(slot.packet.payload.length()).as("behind the read").isEqualTo(4);
        assertThat(asked).hasSize(1);
        assertThat(e.onReply(filled(asked.get(0), 9))).isSameAs(slot);
        assertThat(slot.packet.payload.length()).isEqualTo(14);
        assertThat(slot.packet.payload.byteAt(4)).isEqualTo((byte) 9);
        assertThat(ChipMemory.BASE).isLessThanOrEqualTo(own);
    }

    @Test
    void packetsOfAQueueLeaveInOrder() {
        PayloadEngine e = engine(false);
        TxSlot first = add(e, 0, 1, true, 2);
        TxSlot second = add(e, 0, 2, true);
        assertThat(e.waiting(0)).isEqualTo(2);
        assertThat(e.waiting(5)).isZero();
        assertThat(e.candidates()).as("the one in front has no payload").isZero();
        assertThat(e.pick()).isEqualTo(-1);
        e.onReply(filled(asked.get(0), 1));
        assertThat(e.pick()).isZero();
        assertThat(e.remove(0)).isSameAs(first);
        e.release(first);
        assertThat(e.candidates()).as("the next is ready too").isEqualTo(1);
        assertThat(e.pick()).isZero();
        assertThat(e.remove(0)).isSameAs(second);
        assertThat(e.candidates()).isZero();
        assertThat(e.waiting(0)).isZero();
    }

    @Test
    void queuesTakeTurns() {
        PayloadEngine e = engine(false);
        for (int q : new int[] {4, 2, 9}) {
            add(e, q, q, true);
        }
        assertThat(List.of(e.pick(), e.pick(), e.pick(), e.pick())).containsExactly(4, 2, 9, -1);
    }

    @Test
    void thereIsRoomForSoManyPackets() {
        PayloadEngine e = engine(false);
        List<TxSlot> slots = new ArrayList<>();
        for (int i = 0; i < ROOM; i++) {
            assertThat(e.hasRoom()).isTrue();
            slots.add(add(e, 0, i, true));
        }
        assertThat(e.hasRoom()).isFalse();
        TxSlot gone = e.remove(0);
        assertThat(e.hasRoom()).as("its fields are still read").isFalse();
        e.release(gone);
        assertThat(e.hasRoom()).isTrue();
        assertThat(add(e, 1, 9, true)).as("the slot is used again").isSameAs(gone);
        assertThat(gone.number()).isEqualTo(slots.get(0).number());
        PayloadEngine whole = fresh(true);
        for (int i = 0; i < 2 * ROOM; i++) {
            assertThat(whole.hasRoom()).as("a message may be of any size").isTrue();
            whole.added(whole.add(0, packet(i), 0, i, false));
        }
    }

    @Test
    void aMessageWaitsForAllOfItself() {
        PayloadEngine e = engine(true);
        add(e, 0, 1, false);
        add(e, 0, 2, false, 4);
        add(e, 0, 3, true);
        add(e, 0, 4, true);
        assertThat(e.pick()).as("the second packet's payload is not here").isEqualTo(-1);
        assertThat(e.onReply(filled(asked.get(0), 1))).isNotNull();
        for (int psn = 1; psn <= 4; psn++) {
            assertThat(e.pick()).isZero();
            TxSlot slot = e.remove(0);
            assertThat(slot.packet.psn).isEqualTo(psn);
            e.release(slot);
        }
        assertThat(e.pick()).isEqualTo(-1);
        add(e, 0, 5, false);
        assertThat(e.pick()).as("its end was not made").isEqualTo(-1);
    }

    /** What was flushed with reads on their way is kept until they have come; then slot and packet are free. */
    @Test
    void whatIsGivenUpWaitsForItsReads() {
        PayloadEngine e = engine(false);
        TxSlot reads = add(e, 0, 1, true, 2, 2);
        TxSlot ready = add(e, 0, 2, true);
        e.flush(0);
        assertThat(e.waiting(0)).isZero();
        assertThat(reads.isDead()).isTrue();
        assertThat(ready.isDead()).isFalse();
        assertThat(parts.packets().take()).as("free at once").isSameAs(ready.packet);
        RocePacket lost = reads.packet;
        assertThat(e.onReply(filled(asked.get(1), 1))).isNull();
        assertThat(e.onReply(filled(asked.get(0), 1))).isNull();
        assertThat(parts.packets().take()).isSameAs(lost);
        assertThat(e.candidates()).isZero();
        for (int i = 0; i < ROOM; i++) {
            assertThat(e.hasRoom()).isTrue();
            add(e, 0, 10 + i, true);
        }
        assertThat(e.hasRoom()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSnapshotHasAllPackets(boolean wholeMessages) {
        PayloadEngine e = engine(wholeMessages);
        add(e, 2, 1, true, 2);
        add(e, 2, 2, true);
        TxSlot gone = add(e, 0, 3, true);
        assertThat(e.pick()).isZero();
        assertThat(e.remove(0)).isSameAs(gone);
        e.release(gone);
        Snapshot saved = new Snapshot();
        e.save(saved);
        saved.putLong(4711);
        saved.rewind();
        PayloadEngine c = fresh(wholeMessages);
        c.added(c.add(7, packet(99), 0, 0, true));
        c.load(saved);
        assertThat(saved.getLong()).isEqualTo(4711);
        assertThat(c.waiting(7)).isZero();
        assertThat(c.waiting(2)).isEqualTo(2);
        assertThat(c.pick()).isEqualTo(-1);
        TxSlot first = Objects.requireNonNull(c.onReply(filled(asked.get(0), 6)));
        assertThat(first.packet.psn).isEqualTo(1);
        assertThat(first.packet.payload.byteAt(1)).isEqualTo((byte) 6);
        assertThat(c.pick()).isEqualTo(2);
        assertThat(c.remove(2).packet.psn).isEqualTo(1);
        assertThat(c.pick()).isEqualTo(2);
        assertThat(c.remove(2).packet.psn).isEqualTo(2);
        assertThat(c.add(0, packet(8), 0, 0, true).number()).as("the free slot").isEqualTo(gone.number());
        assertThat(c.hasRoom()).as("three are in use").isEqualTo(wholeMessages);
    }
}
