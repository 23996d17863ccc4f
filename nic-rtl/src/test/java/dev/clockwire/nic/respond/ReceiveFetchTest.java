package dev.clockwire.nic.respond;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.LoneParts;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.context.SrqContext;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.pcie.endpoint.DmaError;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.RequestDecision;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.MemoryUser;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.state.Token;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How receives are read ahead, and where received payload goes. */
class ReceiveFetchTest {
    private static final long RING = 0x8000;
    private static final long RECORD = 0x9000;
    private static final int STRIDE = 16;

    private final Sim sim = new Sim(SimSpec.of(1));
    private final Clock clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
    private final ContextTable table = new ContextTable();
    private final DeviceParts parts = LoneParts.of(sim, clock, Profiles.named("cx7-400g"), table);
    private final QpContext qp = new QpContext(0x55, QpType.RC, 1, 0, 4, RING, 3, STRIDE, RECORD, 10, 11);
    private final RespondState s;
    private final List<DmaRead> asked = new ArrayList<>();
    private final List<DmaWrite> writes = new ArrayList<>();
    private final List<@Nullable ReceiveWqes> told = new ArrayList<>();
    private final Responder owner = new Responder();
    private final ReceiveFetch fetch;
    private final RemoteAccess access = new RemoteAccess(table);
    private final Placer placer;

    /** Takes replies in each cycle, as the responder does. */
    private final class Responder extends SimModule {
        final Inlet<DmaRead> replies = new Inlet<>(this, "replies", 16, 1);
        final Inlet<DmaWrite> done = new Inlet<>(this, "done", 64, 1);
        final EventPort port = new EventPort(this, "port") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                if (token instanceof DmaRead r) {
                    asked.add(r);
                } else if (token instanceof DmaWrite w) {
                    writes.add(w);
                }
            }
        };
        final EventPort answers = new EventPort(this, "answers") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                replies.write((DmaRead) Objects.requireNonNull(token));
            }
        };

        Responder() {
            super(sim.root(), "responder", clock);
        }

        @Override
        protected boolean tick(long cycle) {
            if (!replies.valid(cycle)) {
                return false;
            }
            told.add(fetch.tick(cycle, now()));
            return true;
        }
    }

    ReceiveFetchTest() {
        table.setUars(8);
        table.add(qp);
        table.add(new SrqContext(0, 0xA000, 3, STRIDE, 0xB000));
        qp.state = QpState.RTR;
        s = new RespondState(table);
        fetch = new ReceiveFetch(owner.port, owner.replies, s);
        placer = new Placer(owner.port, owner.done, parts, access, s);
        sim.elaborate();
    }

    private void run() {
        sim.run(sim.now() + 100_000);
    }

    private void answer(DmaRead r, byte... bytes) {
        r.into.appendBytes(bytes, 0, bytes.length);
        owner.answers.send(sim.now() + 1, 0, 0, 0, r);
        run();
    }

    private static byte[] record(int producer) {
        return new byte[] {0, 0, (byte) (producer >>> 8), (byte) producer, 0, 0, 0, 0};
    }

    private static byte[] wqes(int count) {
        ByteBuffer b = ByteBuffer.allocate(count * STRIDE);
        for (int i = 0; i < count; i++) {
            b.putInt(100 + i).putInt(7).putLong(0x7000 + i);
        }
        return b.array();
    }

    private DmaRead last() {
        return asked.get(asked.size() - 1);
    }

    @Test
    void theRecordSaysHowManyAndTheRingWhich() {
        ReceiveWqes w = s.at(0).wqes;
        assertThat(fetch.ahead(w, sim.now())).isTrue();
        assertThat(fetch.ahead(w, sim.now())).as("one at a time").isFalse();
        run();
        assertThat(last().address).isEqualTo(RECORD);
        assertThat(last().length).isEqualTo(8);
        assertThat(last().flow).isEqualTo(0xFFFE);
        assertThat(last().window).isEqualTo(1024);
        answer(last(), record(3));
        assertThat(w.producer).isEqualTo(3);
        assertThat(told).containsExactly(w);
        assertThat(asked).hasSize(2);
        assertThat(last().address).isEqualTo(RING);
        assertThat(last().length).isEqualTo(3 * STRIDE);
        answer(last(), wqes(3));
        assertThat(w.available()).isEqualTo(3);
        assertThat(w.length(0)).isEqualTo(100);
        assertThat(asked).as("nothing more is posted").hasSize(2);
        assertThat(w.fetching).isFalse();
        assertThat(fetch.broken()).isFalse();
        assertThat(fetch.checked()).isFalse();
        fetch.ahead(w, sim.now());
        run();
        assertThat(last().into.length()).as("used again, and empty").isZero();
    }

    @Test
    void theRingsEndIsReadByItself() {
        ReceiveWqes w = s.at(0).wqes;
        w.consumed = 6;
        w.fetched = 6;
        w.producer = 9;
        fetch.ahead(w, sim.now());
        run();
        assertThat(last().address).isEqualTo(RING + 6 * STRIDE);
        answer(last(), wqes(2));
        assertThat(last().address).isEqualTo(RING);
        assertThat(last().length).isEqualTo(STRIDE);
    }

    @Test
    void whoWaitsAsksUntilTheRecordHasSaidNo() {
        ReceiveWqes w = s.at(0).wqes;
        fetch.ahead(w, sim.now());
        run();
        w.waited = true; // a packet came after the record was asked for
        answer(last(), record(0));
        assertThat(w.foundNone).as("that answer is too old").isFalse();
        assertThat(asked).hasSize(2);
        answer(last(), record(0));
        assertThat(w.foundNone).isTrue();
        assertThat(asked).hasSize(2);
    }

    @Test
    void aRingWithoutReceivesOrRoomIsNotRead() {
        ReceiveWqes w = s.at(0).wqes;
        w.fetched = ReceiveWqes.AHEAD;
        assertThat(fetch.ahead(w, 0)).isFalse();
        w.consumed = 1;
        assertThat(fetch.ahead(w, 0)).isTrue();
        QpContext none = new QpContext(0x66, QpType.RC, 1, 0, 4, 0, -1, STRIDE, RECORD, 10, 11);
        assertThat(fetch.ahead(new ReceiveWqes(none), 0)).isFalse();
    }

    @Test
    void sharedRingsAreReadTheSame() {
        ReceiveWqes w = s.shared(0);
        w.limit = 2;
        fetch.ahead(w, sim.now());
        run();
        assertThat(last().address).isEqualTo(0xB000);
        answer(last(), record(1));
        assertThat(told).containsExactly(w);
        assertThat(fetch.checked()).as("it seemed to be below its limit").isTrue();
        answer(last(), wqes(1));
        assertThat(w.available()).isEqualTo(1);
        assertThat(fetch.checked()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"RTR,true,false,0", "RTR,false,false,0", "ERR,true,true,0", "ERR,false,false,2"})
    void whatCannotBeRead(QpState state, boolean ofRecord, boolean none, int taken) {
        ReceiveWqes w = s.at(0).wqes;
        w.producer = ofRecord ? 0 : 2;
        w.waited = true;
        qp.state = state;
        fetch.ahead(w, sim.now());
        run();
        last().error = DmaError.UNSUPPORTED;
        answer(last(), new byte[last().length]);
        assertThat(fetch.broken()).isTrue();
        assertThat(fetch.checked()).isFalse();
        assertThat(w.foundNone).isEqualTo(none);
        assertThat(w.available()).as("a flush needs their number only").isEqualTo(taken);
        assertThat(w.fetching).isFalse();
        assertThat(asked).hasSize(1);
    }

    /** Payload goes into the segments of the receive, wherever the packet begins in them. */
    @ParameterizedTest
    @CsvSource({"0,10,'90000:10'", "95,10,'9005f:5,91000:5'", "100,3,'91000:3'", "140,20,'91028:10,93000:10'"})
    void payloadIsScattered(long offset, int bytes, String wanted) {
        table.keys().addRegion(0x500, 1, 0, 100_000, 0x90000, AccessFlag.LOCAL_WRITE.code());
        QpContext wide = new QpContext(0x66, QpType.RC, 1, 0, 4, RING, 3, 64, RECORD, 10, 11);
        table.add(wide);
        ReceiveQueue q = s.queue(0x66);
        ByteBuffer b = ByteBuffer.allocate(64);
        b.putInt(100).putInt(0x500).putLong(0);
        b.putInt(50).putInt(0x500).putLong(0x1000);
        b.putInt(1000).putInt(0x500).putLong(0x3000);
        b.putInt(0).putInt(0x100).putLong(0);
        q.wqes.producer = 1;
        Payload p = new Payload();
        p.appendBytes(b.array(), 0, 64);
        q.wqes.add(p);
        assertThat(access.of(q).localWritable()).isTrue();
        RocePacket packet = new RocePacket();
        packet.psn = 9;
        packet.destQp = 0x66;
        packet.journey = 4;
        packet.payloadLength = bytes;
        for (int i = 0; i < bytes; i++) {
            packet.payload.appendBytes(new byte[] {(byte) (i + 1)}, 0, 1);
        }
        placer.scatter(q, packet, offset, sim.now());
        run();
        assertThat(String.join(
                        ",",
                        writes.stream()
                                .map(w -> Long.toHexString(w.address) + ":" + w.length)
                                .toList()))
                .isEqualTo(wanted);
        DmaWrite w = writes.get(0);
        assertThat(new long[] {w.key, w.part, w.cookie, w.journey, w.stage})
                .containsExactly(0x500, 9, 0x66, 4, parts.journal().rxDma);
        assertThat(w.user).isEqualTo(MemoryUser.work(0, 0x66, 0x500));
        assertThat(w.data.byteAt(0)).isEqualTo((byte) 1);
        assertThat(w.done).isSameAs(owner.done);
        assertThat(s.bytesInFlight).isEqualTo(bytes);
    }

    @Test
    void nothingIsWrittenForNothing() {
        RequestDecision d = new RequestDecision();
        d.va = 0x1000;
        placer.write(s.queue(0x55), new RocePacket(), d, sim.now());
        run();
        assertThat(writes).isEmpty();
        assertThat(s.bytesInFlight).isZero();
    }

    /** In front of a datagram stand the 40 bytes of its global route header. */
    @Test
    void aDatagramBringsItsHeader() {
        QpContext ud = new QpContext(0x66, QpType.UD, 1, 0, 4, RING, 3, STRIDE, RECORD, 10, 11);
        table.add(ud);
        RocePacket packet = new RocePacket();
        packet.flow.setIpv4(1, 2);
        packet.setPayloadLength(5);
        packet.payload.appendBytes(new byte[] {1, 2, 3, 4, 5}, 0, 5);
        assertThat(placer.datagramHeader(s.at(0), packet))
                .as("a connection has none")
                .isZero();
        assertThat(packet.payloadLength).isEqualTo(5);
        assertThat(placer.datagramHeader(s.queue(0x66), packet)).isEqualTo(40);
        assertThat(packet.payloadLength).isEqualTo(45);
        assertThat(packet.payload.length()).isEqualTo(45);
        assertThat(packet.payload.byteAt(40)).isEqualTo((byte) 1);
        assertThat(packet.payload.byteAt(44)).isEqualTo((byte) 5);
    }
}
