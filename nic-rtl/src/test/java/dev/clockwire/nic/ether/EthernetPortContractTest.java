package dev.clockwire.nic.ether;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.LoneParts;
import dev.clockwire.nic.context.SavedRun;
import dev.clockwire.nic.context.StalledClient;
import dev.clockwire.nic.format.Cqe;
import dev.clockwire.nic.format.RawPacketWqe;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.Probe;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.state.Token;
import dev.clockwire.testkit.BlockContract;
import dev.clockwire.testkit.Stall;
import dev.clockwire.testkit.TokenSink;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Ethernet queues alone: a line and a driver that stall, and a host memory that answers late and in any order. */
class EthernetPortContractTest {
    private static final int FRAMES = 50;
    private static final int LOG = 6;
    private static final long UNTIL_PS = 200_000_000;
    private static final long SENDS = 0x10_0000;
    private static final long RECEIVES = 0x20_0000;
    private static final long PAYLOAD = 0x100_0000;
    private static final long BUFFERS = 0x200_0000;

    private static int bytes(int i) {
        return 60 + i * 37 % 1000;
    }

    /** Rings the send queue once for each frame, and receives frames from the line, as fast as its pattern lets it. */
    private static final class Outside extends StalledClient {
        private final EventPort line;
        private final boolean sends;

        Outside(Scope parent, String name, Clock clock, EventPort line, Stall stall, boolean sends) {
            super(parent, name, clock, stall, FRAMES);
            this.line = line;
            this.sends = sends;
        }

        @Override
        protected void send(int n) {
            if (sends) {
                line.send(now() + 1, EthernetPort.SEND, 0, n + 1);
            } else {
                EthFrame frame = new EthFrame();
                frame.resize(bytes(n));
                Arrays.fill(frame.bytes, 0, frame.length, (byte) n);
                frame.bytes[0] = 1; // for everybody
                frame.seal();
                line.send(now() + 1, EthernetPort.FRAME, 0, 0, frame);
            }
        }
    }

    /** Rings, frames to send, and what was received. */
    private static final class Memory extends SimNode {
        private final Probe probe = new Probe(this, "writes");
        private final List<String> written = new ArrayList<>();

        Memory(Sim sim) {
            super(sim.root(), "memory");
        }

        EventPort reads() {
            EventPort answer = new EventPort(this, "answer") {
                @Override
                protected void event(int kind, long a, long b, @Nullable Token token) {
                    DmaRead read = (DmaRead) Objects.requireNonNull(token);
                    read.into.appendBytes(content(read.address, read.length), 0, read.length);
                    Objects.requireNonNull(read.reply).write(read);
                }
            };
            return new EventPort(this, "reads") {
                @Override
                protected void event(int kind, long a, long b, @Nullable Token token) {
                    DmaRead read = (DmaRead) Objects.requireNonNull(token);
                    answer.send(now() + 50_000 + read.address * 7919 % 300_000, 0, 0, 0, read);
                }
            };
        }

        EventPort writes() {
            return new EventPort(this, "writes") {
                @Override
                protected void event(int kind, long a, long b, @Nullable Token token) {
                    DmaWrite write = (DmaWrite) Objects.requireNonNull(token);
                    probe.fold(now(), write.length, write.address);
                    written.add(write.address + " " + write.length + " " + write.data.byteAt(write.length - 1));
                    Objects.requireNonNull(write.done).write(write);
                }
            };
        }

        private static byte[] content(long address, int length) {
            ByteBuffer out = ByteBuffer.allocate(length);
            while (out.hasRemaining()) {
                long at = address + out.position();
                if (at >= PAYLOAD) {
                    out.put((byte) (at >>> 11)); // the number of its frame
                } else if (at >= RECEIVES) {
                    out.putInt(2048).putInt(0).putLong(BUFFERS + (at - RECEIVES) / 16 * 2048);
                } else {
                    int i = (int) (at - SENDS) / RawPacketWqe.BYTES;
                    RawPacketWqe wqe = new RawPacketWqe();
                    wqe.write(i, 0, new byte[] {9, (byte) i}, 2, bytes(i) - 2, PAYLOAD + i * 2048L);
                    out.put(wqe.raw);
                }
            }
            return out.array();
        }
    }

    private static Supplier<List<List<?>>> build(Sim sim, BlockContract.Stalls stalls) {
        Clock clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
        Memory memory = new Memory(sim);
        Channel<Completion> completions = new Channel<>(sim.root(), "completions", clock, 2);
        Channel<EthFrame> out = new Channel<>(sim.root(), "out", clock, 2);
        EthernetPort port = new EthernetPort(
                sim.root(),
                clock,
                completions,
                out,
                memory.reads(),
                memory.writes(),
                LoneParts.of(
                        sim,
                        clock,
                        Profiles.named("cx7-400g").with("nic.eth.queues", "1").with("nic.eth.checksums", "true"),
                        new ContextTable()));
        port.table()
                .open(List.of(new EthTable.Ring(SENDS, LOG, 1)), List.of(new EthTable.Ring(RECEIVES, LOG, 2)), 1500);
        port.line().send(1, EthernetPort.RECEIVE, 0, 1 << LOG);
        new Outside(sim.root(), "driver", clock, port.line(), stalls.of("driver"), true);
        new Outside(sim.root(), "sender", clock, port.line(), stalls.of("sender"), false);
        TokenSink<Completion> ends = new TokenSink<>(
                sim.root(),
                "completed",
                clock,
                completions,
                stalls.of("completed"),
                c -> (long) c.opcode << 40 | (long) c.wqeCounter << 20 | c.byteCount);
        TokenSink<EthFrame> sent =
                new TokenSink<>(sim.root(), "mac", clock, out, stalls.of("mac"), f -> (long) f.fcs << 16 | f.length);
        return () -> List.of(
                ends.values().stream().filter(v -> v >>> 40 == Cqe.REQ).toList(),
                ends.values().stream().filter(v -> v >>> 40 != Cqe.REQ).toList(),
                sent.values(),
                List.copyOf(memory.written));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void keepsTheLawsOfBlocks(long seed) {
        BlockContract contract = BlockContract.of(EthernetPortContractTest::build, UNTIL_PS);
        contract.modes(seed);
        contract.stalls(seed);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void allLeavesOnceAndInOrder(long seed) {
        Sim sim = new Sim(SimSpec.of(seed));
        Supplier<List<List<?>>> left = build(sim, name -> Stall.random(0.3, seed));
        sim.run(UNTIL_PS);
        assertThat(left.get()).allSatisfy(list -> assertThat(list).hasSize(FRAMES));
        for (int i = 0; i < FRAMES; i++) {
            assertThat(left.get().get(0).get(i)).isEqualTo((long) i << 20 | bytes(i));
            assertThat(left.get().get(3).get(i)).isEqualTo(BUFFERS + 2048L * i + " " + bytes(i) + " " + i);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aRunThatIsSavedGoesOn(long seed) {
        Sim sim = new Sim(SimSpec.of(seed));
        build(sim, name -> Stall.random(0.3, seed));
        SavedRun.goesOn(sim, UNTIL_PS, 50_000, 277_777, 5_000_000, 2_000_000);
    }
}
