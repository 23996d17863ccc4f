package dev.clockwire.pcie.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.pcie.config.BarSpec;
import dev.clockwire.pcie.link.FlowCredits;
import dev.clockwire.pcie.link.LinkDirection;
import dev.clockwire.pcie.link.LinkEnd;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An endpoint against a peer that answers as it likes. */
class PcieEndpointTest {
    private static final PcieLinkSpec LINK =
            PcieLinkSpec.of(4, 16).withReadLimits(4, 0).withCredits(FlowCredits.INFINITE, FlowCredits.INFINITE);

    private final Sim sim = new Sim(SimSpec.of(1));
    private final PcieEndpoint endpoint = new PcieEndpoint(sim.root(), "dev", LINK, 0x100);
    private final Block block = new Block(sim.root());
    private final EventPort secondReader = endpoint.readPort("second");
    private final Peer peer = new Peer(sim.root());
    private final WindowMemory memory;

    PcieEndpointTest() {
        endpoint.window(new BarSpec(0, 4096, false), block.stores, (bar, offset, n) -> 7 + offset, 1_000);
        endpoint.window(new BarSpec(2, 65536, true), block.stores, null, 1_000);
        endpoint.bar(new BarSpec(4, 65536, true));
        memory = endpoint.memory(4, 4096, 8192, WindowSpec.SSD);
        LinkEnd.join(peer, endpoint);
        endpoint.connected(peer.transmitter());
        endpoint.placeBar(0, 0x10_0000_0000L);
        endpoint.placeBar(1, 0x20_0000_0000L);
        endpoint.placeBar(2, 0x30_0001_0000L);
    }

    private DmaRead read(long address, int length, int window) {
        DmaRead r = new DmaRead();
        r.address = address;
        r.length = length;
        r.window = window;
        r.reply = block.replies;
        endpoint.readPort().send(1_000, 0, 0, 0, r);
        return r;
    }

    @Test
    void answersInAnyOrderArePutTogether() {
        DmaRead r = read(0x1000, 2048, 4);
        sim.run(200_000);
        assertThat(peer.requests).hasSize(4);
        for (int i : new int[] {2, 0, 3, 1}) {
            peer.answer(i);
        }
        sim.run(1_000_000);
        assertThat(block.back).containsExactly(r);
        assertThat(r.into.length()).isEqualTo(2048);
        for (int i = 0; i < 2048; i++) {
            assertThat(r.into.byteAt(i)).isEqualTo((byte) (i / 512 + 1));
        }
        assertThat(endpoint.readsOutstanding()).isZero();
    }

    @Test
    void aWindowAndTheTagsLimitWhatIsOutstanding() {
        read(0x1000, 512 * 10, 3);
        sim.run(200_000);
        assertThat(peer.requests).hasSize(3);
        peer.answer(0);
        sim.run(400_000);
        assertThat(peer.requests).hasSize(4);
        DmaRead other = read2(512 * 10);
        sim.run(600_000);
        assertThat(peer.requests).hasSize(5); // the fourth tag
        assertThat(endpoint.readsOutstanding()).isEqualTo(4);
        for (int i = 1; i < 20; i++) {
            peer.answer(i);
            sim.run(sim.now() + 200_000);
        }
        assertThat(block.back).hasSize(2).contains(other);
        assertThat(peer.tags).allMatch(tag -> tag >= 0 && tag < 4);
    }

    private DmaRead read2(int length) {
        DmaRead r = new DmaRead();
        r.address = 0x10_0000;
        r.length = length;
        r.flow = 40;
        r.window = 100;
        r.reply = block.replies;
        secondReader.send(sim.now() + 1, 0, 0, 0, r);
        return r;
    }

    @Test
    void aRefusalEndsTheReadWithItsStatus() {
        DmaRead r = read(0x1000, 64, 1);
        sim.run(200_000);
        peer.refuse(0);
        sim.run(400_000);
        assertThat(block.back).containsExactly(r);
        assertThat(r.status).isEqualTo(CompletionStatus.UR);
        assertThat(r.error).isEqualTo(DmaError.UNSUPPORTED);
        assertThat(r.into.length()).as("zeros, as the reader expects a length").isEqualTo(64);
    }

    @Test
    void completionsNobodyAskedForAreCounted() {
        peer.completion(3, 64);
        peer.completion(900, 64);
        sim.run(400_000);
        assertThat(endpoint.unexpectedCompletions()).isEqualTo(2);
        assertThat(sim.stats().value("dev.unexpected_completions")).isEqualTo(2);
    }

    @Test
    void storesAndLoadsFindTheirWindow() {
        peer.store(0x10_0000_0ff8L, 8);
        peer.store(0x20_0000_0000L, 64);
        peer.store(0x30_0000_0000L, 4);
        peer.store(0x10_0000_0ffcL, 8);
        peer.load(0x10_0000_0010L, 4, 0);
        peer.load(0x20_0000_0010L, 4, 1);
        peer.load(0x40_0000_0010L, 4, 2);
        sim.run(2_000_000);
        assertThat(block.taken).extracting(w -> w.bar).containsExactly(0, 2, 0);
        assertThat(block.taken)
                .extracting(w -> w.offset)
                .containsExactly(0xff8L, 0L, 0xffcL); // the last one only in part
        assertThat(endpoint.unsupportedRequests()).isEqualTo(4);
        assertThat(peer.answers).containsExactlyInAnyOrder("CPLD 0 23", "CPL 1 UR", "CPL 2 UR");
        assertThat(endpoint.barAddress(2)).isEqualTo(0x20_0000_0000L);
    }

    @Test
    void mistakesAreNamed() {
        assertThatThrownBy(() -> endpoint.barAddress(1)).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> endpoint.window(new BarSpec(0, 4096, false), block.stores, null, 1_000))
                .hasMessageContaining("BAR 0");
        assertThatThrownBy(() -> endpoint.window(new BarSpec(4, 4096, false), block.stores, null, 0))
                .hasMessageContaining("BAR 4");
        assertThatThrownBy(() -> new BarSpec(6, 4096, false)).hasMessageContaining("BAR 6");
        assertThatThrownBy(() -> new BarSpec(0, 5000, false)).hasMessageContaining("5000");
        read(0x1000, -1, 1);
        assertThatThrownBy(() -> sim.run(2_000))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("length -1");
    }

    @Test
    void anEmptyWriteIsABug() {
        endpoint.writePort().send(1, 0, 0, 0, new DmaWrite());
        assertThatThrownBy(() -> sim.run(2_000)).isInstanceOf(InvariantViolation.class);
    }

    @Test
    void writesComeBackThroughTheInlet() {
        DmaWrite w = new DmaWrite();
        w.address = 0x1000;
        w.length = 600;
        w.data.appendZeros(700);
        w.offset = 100;
        w.done = block.written;
        endpoint.writePort("second").send(1_000, 0, 0, 0, w);
        sim.run(200_000);
        assertThat(block.left).containsExactly(w);
        assertThat(peer.written).isEqualTo(600);
    }

    /** A clocked block of the device. */
    private static final class Block extends SimModule {
        final Inlet<MmioWrite> stores;
        final Inlet<DmaRead> replies;
        final Inlet<DmaWrite> written;
        final List<MmioWrite> taken = new ArrayList<>();
        final List<DmaRead> back = new ArrayList<>();
        final List<DmaWrite> left = new ArrayList<>();

        Block(Scope parent) {
            super(parent, "block", new Clock(parent, "clk", Frequency.mhz(250)));
            stores = new Inlet<>(this, "stores", 8, 1);
            replies = new Inlet<>(this, "replies", 8, 1);
            written = new Inlet<>(this, "written", 8, 1);
        }

        @Override
        protected boolean tick(long cycle) {
            boolean worked = false;
            while (stores.valid(cycle)) {
                taken.add(stores.take(cycle));
                worked = true;
            }
            while (replies.valid(cycle)) {
                back.add(replies.take(cycle));
                worked = true;
            }
            while (written.valid(cycle)) {
                left.add(written.take(cycle));
                worked = true;
            }
            return worked;
        }
    }

    /** Several packets that are handed over at once are taken one by one, each when it is here; memory is a part of its window here. */
    @Test
    void memoryTakesTrains() {
        long at = 0x30_0001_0000L + 4096;
        TlpTrain write = new TlpTrain().writes(at + 100, 2_000, 256, 0);
        for (int i = 0; i < 2_000; i++) {
            write.data.appendBytes(new byte[] {(byte) i}, 0, 1);
        }
        int packets = write.count;
        peer.order(write);
        TlpTrain reads = new TlpTrain().reads(at + 100, 0);
        reads.addRead(412, 5);
        reads.addRead(512, 6);
        peer.order(reads);
        peer.store(at - 64, 64); // in the window, but nobody is there
        peer.load(at + 8192, 8, 7);
        sim.run(2_000_000);
        assertThat(sim.stats().value("dev.bar4at4096.writes")).isEqualTo(packets);
        assertThat(sim.stats().value("dev.bar4at4096.reads")).isEqualTo(2);
        assertThat(peer.answers.get(0)).isEqualTo("CPL 7 UR");
        assertThat(peer.answers).contains("CPLD 5 0", "CPLD 6 -100").hasSize(5); // bytes 0 and 412
        assertThat(endpoint.unsupportedRequests()).isEqualTo(2);
        Payload p = new Payload();
        memory.peek(100, 2_000, p);
        for (int i = 0; i < 2_000; i++) {
            assertThat(p.byteAt(i)).isEqualTo((byte) i);
        }
    }

    /** Blocks with a clock get their own accesses back through inlets. */
    @Test
    void blocksReachTheirMemoryThroughInlets() {
        EventPort reads = memory.readPort("block");
        EventPort writes = memory.writePort("block");
        DmaWrite w = new DmaWrite();
        w.address = 8_000;
        w.length = 192;
        w.data.appendBytes(new byte[] {1, 2, 3}, 0, 3);
        w.data.appendZeros(189);
        w.done = block.written;
        writes.send(1_000, 0, 0, 0, w);
        DmaRead r = new DmaRead();
        r.address = 8_000;
        r.length = 192;
        r.reply = block.replies;
        reads.send(1_001, 0, 0, 0, r);
        sim.run(1_000_000);
        assertThat(block.left).containsExactly(w);
        assertThat(block.back).containsExactly(r);
        assertThat(r.into.array()).startsWith(1, 2, 3, 0);
        reads.send(sim.now() + 1, 0, 0, 0, w);
        assertThatThrownBy(() -> sim.run(2_000_000)).isInstanceOf(InvariantViolation.class);
    }

    /** The other end of the link, driven by hand. */
    private static final class Peer extends SimNode implements LinkEnd {
        final LinkDirection down = new LinkDirection(this, "down", LINK, false);
        final List<long[]> requests = new ArrayList<>();
        final List<Integer> tags = new ArrayList<>();
        final List<String> answers = new ArrayList<>();
        int written;
        private final EventPort arrivals;
        private final EventPort orders;

        Peer(Scope parent) {
            super(parent, "peer");
            arrivals = new EventPort(this, "up") {
                @Override
                protected void event(int kind, long a, long b, @Nullable Token token) {
                    if (token instanceof TlpTrain t) {
                        arrived(t, (int) a, (int) b);
                    }
                }
            };
            orders = new EventPort(this, "orders") {
                @Override
                protected void event(int kind, long a, long b, @Nullable Token token) {
                    if (token instanceof TlpTrain t) {
                        down.submit(t);
                    }
                }
            };
        }

        private void arrived(TlpTrain t, int from, int to) {
            for (int i = from; i < to; i++) {
                if (t.type == TlpType.MRD) {
                    requests.add(new long[] {t.address + t.offset[i], t.bytes(i), t.tag[i]});
                    tags.add(t.tag[i]);
                } else if (t.type == TlpType.MWR) {
                    written += t.bytes(i);
                } else {
                    answers.add(t.type + " " + t.tag[i] + " "
                            + (t.type == TlpType.CPLD ? Integer.toString(t.data.byteAt(0)) : t.status.toString()));
                }
            }
        }

        void answer(int i) {
            long[] q = requests.get(i);
            TlpTrain t = new TlpTrain().completions(q[0], (int) q[1], 256, 0, 0x100, (int) q[2]);
            byte[] data = new byte[(int) q[1]];
            Arrays.fill(data, (byte) (i + 1));
            t.data.appendBytes(data, 0, data.length);
            order(t);
        }

        void refuse(int i) {
            long[] q = requests.get(i);
            order(new TlpTrain().refusal(CompletionStatus.UR, (int) q[1], 0, 0x100, (int) q[2]));
        }

        void completion(int tag, int bytes) {
            TlpTrain t = new TlpTrain().completions(0, bytes, 256, 0, 0x100, tag);
            t.data.appendZeros(bytes);
            order(t);
        }

        void store(long address, int bytes) {
            TlpTrain t = new TlpTrain().writes(address, bytes, 256, 0);
            t.data.appendZeros(bytes);
            order(t);
        }

        void load(long address, int bytes, int tag) {
            TlpTrain t = new TlpTrain().reads(address, 0);
            t.addRead(bytes, tag);
            order(t);
        }

        private void order(TlpTrain t) {
            orders.send(now() + 1, 0, 0, 0, t);
        }

        @Override
        public EventPort arrivals() {
            return arrivals;
        }

        @Override
        public LinkDirection transmitter() {
            return down;
        }
    }
}
