package dev.clockwire.nic.ether;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.LoneParts;
import dev.clockwire.nic.format.Cqe;
import dev.clockwire.nic.format.RawPacketWqe;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.pcie.endpoint.DmaError;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.state.Token;
import dev.clockwire.testkit.Stall;
import dev.clockwire.testkit.TokenSink;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Ethernet block with two queues and a memory that says what a test wants: each frame ends in one place, and is counted there. */
class EthernetPortTest {
    private static final long SENDS = 0x10_0000;
    private static final long RECEIVES = 0x20_0000;
    private static final long PAYLOAD = 0x100_0000;
    private static final long BUFFERS = 0x200_0000;
    private static final int MTU = 200;

    private final Sim sim = new Sim(SimSpec.of(1));
    private final List<Completion> told = new ArrayList<>();
    private final List<EthFrame> sent = new ArrayList<>();
    private final List<DmaWrite> written = new ArrayList<>();
    private final EthernetPort port;
    private final DeviceParts parts;
    private final RawPacketWqe[] wqes = new RawPacketWqe[16];
    private int receiveBytes = 256;
    private long failsFrom = Long.MAX_VALUE;

    EthernetPortTest() {
        Clock clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
        parts = LoneParts.of(
                sim,
                clock,
                Profiles.named("cx7-400g").with("nic.eth.queues", "2").with("nic.eth.checksums", "true"),
                new ContextTable());
        SimNode memory = new SimNode(sim.root(), "memory") {};
        EventPort answers = new EventPort(memory, "answers") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                DmaRead r = (DmaRead) Objects.requireNonNull(token);
                r.error = r.address >= failsFrom ? DmaError.ABORTED : DmaError.NONE;
                r.into.appendBytes(content(r.address, r.length), 0, r.length);
                Objects.requireNonNull(r.reply).write(r);
            }
        };
        EventPort reads = new EventPort(memory, "reads") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                answers.send(now() + 100_000, 0, 0, 0, token);
            }
        };
        EventPort writes = new EventPort(memory, "writes") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                DmaWrite w = (DmaWrite) Objects.requireNonNull(token);
                DmaWrite copy = new DmaWrite();
                copy.address = w.address;
                copy.length = w.length;
                copy.data.appendFrom(w.data, 0, w.length);
                written.add(copy);
                Objects.requireNonNull(w.done).write(w);
            }
        };
        Channel<Completion> completions = new Channel<>(sim.root(), "completions", clock, 2);
        Channel<EthFrame> out = new Channel<>(sim.root(), "out", clock, 2);
        port = new EthernetPort(sim.root(), clock, completions, out, reads, writes, parts);
        new TokenSink<>(sim.root(), "completed", clock, completions, Stall.none(), c -> {
            told.add(c);
            return c.wqeCounter;
        });
        new TokenSink<>(sim.root(), "mac", clock, out, Stall.none(), f -> {
            sent.add(f);
            return f.length;
        });
        sim.elaborate();
    }

    private void open() {
        port.table()
                .open(
                        List.of(new EthTable.Ring(SENDS, 4, 1), new EthTable.Ring(SENDS + 0x1000, 4, 2)),
                        List.of(new EthTable.Ring(RECEIVES, 4, 3), new EthTable.Ring(RECEIVES + 0x1000, 4, 4)),
                        MTU);
    }

    private byte[] content(long address, int length) {
        ByteBuffer out = ByteBuffer.allocate(length);
        while (out.hasRemaining()) {
            long at = address + out.position();
            if (at >= PAYLOAD) {
                out.put((byte) (at - PAYLOAD));
            } else if (at >= RECEIVES) {
                out.putInt(receiveBytes).putInt(0).putLong(BUFFERS + (at - RECEIVES) / 16 * 2048);
            } else {
                RawPacketWqe w = wqes[(int) (at >>> 6 & 15)];
                out.put(w == null ? new byte[64] : w.raw);
            }
        }
        return out.array();
    }

    private void post(int i, int inline, int bytes) {
        RawPacketWqe w = new RawPacketWqe();
        byte[] head = new byte[18];
        Arrays.fill(head, (byte) 9);
        w.write(i, 0, head, inline, bytes, PAYLOAD);
        wqes[i] = w;
    }

    private void ring(int kind, int queue, int index) {
        port.line().send(sim.now() + 1, kind, queue, index);
        run();
    }

    private void run() {
        sim.run(sim.now() + 2_000_000);
    }

    private EthFrame frame(int bytes) {
        EthFrame f = new EthFrame();
        f.resize(bytes);
        long mac = parts.port().mac();
        for (int i = 0; i < 6; i++) {
            f.bytes[i] = (byte) (mac >>> (40 - 8 * i));
        }
        f.bytes[12] = 0x12; // no IP
        f.bytes[20] = 77;
        f.seal();
        return f;
    }

    private void arrives(EthFrame f) {
        port.line().send(sim.now() + 1, EthernetPort.FRAME, 0, 0, f);
        run();
    }

    private Map<String, Long> counters() {
        Map<String, Long> all = new TreeMap<>();
        for (EthCounter c : EthCounter.values()) {
            if (port.counter(c) != 0) {
                all.put(c.name(), port.counter(c));
            }
        }
        return all;
    }

    @Test
    void aFrameIsItsInlineBytesAndTheRestFromMemory() {
        open();
        post(0, 18, 100);
        post(1, 14, 0);
        ring(EthernetPort.SEND, 0, 2);
        assertThat(sent).hasSize(2);
        EthFrame f = sent.get(0);
        assertThat(f.length).isEqualTo(118);
        assertThat(f.bytes[17]).isEqualTo((byte) 9);
        assertThat(f.bytes[18]).isZero();
        assertThat(f.bytes[117]).isEqualTo((byte) 99);
        assertThat(f.check()).isEqualTo(f.fcs);
        assertThat(sent.get(1).length).as("padded").isEqualTo(60);
        Completion c = told.get(0);
        assertThat(new long[] {c.opcode, c.cqn, c.qpn, c.wqeCounter, c.byteCount, c.syndrome})
                .containsExactly(Cqe.REQ, 1, 0, 0, 118, 0);
        assertThat(told.get(1).wqeCounter).isEqualTo(1);
        assertThat(port.sent(0)).isEqualTo(2);
        assertThat(port.sentBytes(0)).isEqualTo(118 + 14);
        assertThat(port.sent(1)).isZero();
        assertThat(counters()).containsExactly(Map.entry("TX_CSUM_NONE", 2L));
    }

    @Test
    void aWqeThatMakesNoSenseIsAnError() {
        open();
        post(0, 18, MTU + 1); // one byte longer than header, VLAN tag and MTU
        post(1, 18, MTU);
        post(2, 13, 0);
        ring(EthernetPort.SEND, 1, 3);
        assertThat(told).extracting(c -> c.opcode).containsExactly(Cqe.REQ_ERR, Cqe.REQ, Cqe.REQ_ERR);
        assertThat(told.get(0).cqn).isEqualTo(2);
        assertThat(told.get(0).syndrome).isEqualTo(2);
        assertThat(told.get(0).byteCount).isZero();
        assertThat(sent).hasSize(1);
        assertThat(port.sent(1)).isEqualTo(1);
        assertThat(counters()).containsEntry("TX_ERRORS", 2L);
    }

    @ParameterizedTest
    @CsvSource({"1048576", "16777216"})
    void whatCannotBeReadIsAnError(long from) {
        open();
        failsFrom = from; // the WQEs, or the rest of the frame only
        post(0, 18, 100);
        ring(EthernetPort.SEND, 0, 1);
        assertThat(told).hasSize(1);
        assertThat(told.get(0).opcode).isEqualTo(Cqe.REQ_ERR);
        assertThat(sent).isEmpty();
        assertThat(counters()).containsExactly(Map.entry("TX_ERRORS", 1L));
        failsFrom = Long.MAX_VALUE;
        post(1, 18, 100);
        ring(EthernetPort.SEND, 0, 2);
        assertThat(sent).as("and it goes on").hasSize(1);
    }

    @Test
    void queuesThatNobodyOpenedAreNotRung() {
        ring(EthernetPort.SEND, 0, 1);
        open();
        ring(EthernetPort.SEND, 2, 1);
        run();
        assertThat(told).isEmpty();
        arrives(frame(60));
        assertThat(counters()).as("nothing was posted").containsExactly(Map.entry("RX_OUT_OF_BUFFER", 1L));
    }

    @Test
    void aFrameIsPlacedInTheNextBuffer() {
        open();
        ring(EthernetPort.RECEIVE, 0, 2);
        ring(EthernetPort.RECEIVE, 1, 2);
        port.table().add(FlowRule.parse("flow-type ether action 1"));
        EthFrame f = frame(100);
        arrives(f);
        arrives(frame(60));
        assertThat(written).hasSize(2);
        assertThat(written.get(0).address).isEqualTo(BUFFERS + 0x100 * 2048);
        assertThat(written.get(0).length).isEqualTo(100);
        assertThat(written.get(0).data.byteAt(20)).isEqualTo((byte) 77);
        assertThat(written.get(1).address).isEqualTo(BUFFERS + 0x101 * 2048);
        Completion c = told.get(0);
        assertThat(new long[] {c.cqn, c.qpn, c.wqeCounter, c.byteCount, c.syndrome})
                .containsExactly(4, 1, 0, 100, 0);
        assertThat(c.opcode).isNotIn(Cqe.REQ, Cqe.REQ_ERR);
        assertThat(told.get(1).wqeCounter).isEqualTo(1);
        assertThat(port.received(1)).isEqualTo(2);
        assertThat(port.receivedBytes(1)).isEqualTo(160);
        assertThat(counters()).containsExactly(Map.entry("RX_CSUM_NONE", 2L));
        arrives(frame(60));
        assertThat(counters()).as("both are used up").containsEntry("RX_OUT_OF_BUFFER", 1L);
    }

    @Test
    void eachFrameThatIsNotDeliveredIsCounted() {
        arrives(frame(60));
        assertThat(counters()).as("no queue is open").containsExactly(Map.entry("RX_MISSED", 1L));
        open();
        ring(EthernetPort.RECEIVE, 0, 8);
        ring(EthernetPort.RECEIVE, 1, 8);
        EthFrame wrong = frame(60);
        wrong.fcs++;
        arrives(wrong);
        arrives(frame(MTU + 18));
        arrives(frame(MTU + 19));
        EthFrame other = frame(60);
        other.bytes[5]++;
        other.seal();
        arrives(other);
        EthFrame group = frame(60);
        group.bytes[0] |= 1;
        group.seal();
        arrives(group);
        port.table().add(FlowRule.parse("flow-type ether action -1"));
        arrives(frame(60));
        assertThat(counters())
                .containsOnly(
                        Map.entry("RX_MISSED", 2L),
                        Map.entry("RX_CRC_ERRORS", 1L),
                        Map.entry("RX_OVERSIZE", 1L),
                        Map.entry("RX_RULE_DROPS", 1L),
                        Map.entry("RX_CSUM_NONE", 2L));
        assertThat(written).as("one as long as may be, and one for a group").hasSize(2);
    }

    @Test
    void checkSequencesAndWrongFramesOnDemand() {
        open();
        ring(EthernetPort.RECEIVE, 0, 8);
        ring(EthernetPort.RECEIVE, 1, 8);
        port.table().rxFcs = true;
        port.table().rxAll = true;
        EthFrame f = frame(60);
        f.fcs = 0x0403_0201;
        arrives(f);
        assertThat(written.get(0).length).isEqualTo(64);
        byte[] end = new byte[4];
        written.get(0).data.copyTo(60, end, 0, 4);
        assertThat(end).containsExactly(1, 2, 3, 4);
        assertThat(told.get(0).byteCount).isEqualTo(64);
        assertThat(port.receivedBytes(0) + port.receivedBytes(1))
                .as("without it")
                .isEqualTo(60);
    }

    @Test
    void aBufferThatIsTooSmallIsUsedUp() {
        receiveBytes = 100;
        open();
        ring(EthernetPort.RECEIVE, 0, 8);
        ring(EthernetPort.RECEIVE, 1, 8);
        arrives(frame(100));
        arrives(frame(101));
        assertThat(written).hasSize(1);
        assertThat(told).hasSize(2);
        assertThat(told.get(1).byteCount).isZero();
        assertThat(counters()).containsEntry("RX_TOO_LONG", 1L);
        assertThat(port.received(0) + port.received(1)).isEqualTo(1);
    }
}
