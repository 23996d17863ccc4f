package dev.clockwire.testkit.nic.rtl;

import dev.clockwire.nic.rx.BthBeat;
import dev.clockwire.nic.rx.BthParser;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.Wire;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.trace.Tap;
import dev.clockwire.sim.wave.Waves;
import dev.clockwire.testkit.LongSink;
import dev.clockwire.testkit.LongSource;
import dev.clockwire.testkit.Stall;
import dev.clockwire.testkit.TokenSink;
import dev.clockwire.testkit.TokenSource;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Blocks of a stream beside their Verilog twins: the same words, the same stalls, every move in the same cycle. */
class StreamTwinsTest {
    private static final int CYCLES = 100_000;
    private static final int PERIOD_PS = 4000;

    @TempDir
    private Path folder;

    /** Who may move in which cycle: bit 1 the source, bit 0 the sink. */
    private record Stalls(Stall source, Stall sink) {
        static Stalls random(double in, double out, long seed) {
            return new Stalls(Stall.random(in, seed), Stall.random(out, seed + 1));
        }

        List<String> hex(int cycles) {
            List<String> all = new ArrayList<>();
            for (int c = 0; c < cycles; c++) {
                all.add(Integer.toString((source.open(c) ? 2 : 0) | (sink.open(c) ? 1 : 0)));
            }
            return all;
        }
    }

    /** Cycles in which a word enters the first channel or leaves the last, as the bench prints them. */
    private static final class Moves {
        private final boolean[] entered = new boolean[CYCLES];
        private final @Nullable String[] left = new String[CYCLES];

        Moves(Wire first, Wire last, BiFunction<Long, @Nullable Token, String> text) {
            first.tap(new Tap() {
                @Override
                public void put(long cycle, long ps, long bits, @Nullable Token token) {
                    entered[(int) cycle] = true;
                }

                @Override
                public void take(long cycle, long ps, long bits, @Nullable Token token) {}
            });
            last.tap(new Tap() {
                @Override
                public void put(long cycle, long ps, long bits, @Nullable Token token) {}

                @Override
                public void take(long cycle, long ps, long bits, @Nullable Token token) {
                    left[(int) cycle] = text.apply(bits, token);
                }
            });
        }

        List<String> lines(int cycles) {
            List<String> all = new ArrayList<>();
            for (int c = 0; c < cycles; c++) {
                if (entered[c] || left[c] != null) {
                    all.add(c + " " + (entered[c] ? 1 : 0) + " " + (left[c] == null ? "-" : left[c]));
                }
            }
            return all;
        }
    }

    private static long[] words(long seed) {
        return new RandomStream(seed).longs(CYCLES).toArray();
    }

    private static List<String> hex(long[] words) {
        List<String> all = new ArrayList<>();
        for (long w : words) {
            all.add(Long.toHexString(w));
        }
        return all;
    }

    @ParameterizedTest
    @CsvSource({"1, 0, 0", "2, 0.5, 0.5", "3, 0.1, 0.9"})
    void skidBufferIsAChannelOfTwo(long seed, double in, double out) {
        long[] words = words(seed);
        Stalls stalls = Stalls.random(in, out, seed);
        Sim sim = new Sim(SimSpec.of(1));
        LongChannel channel = skid(sim, stalls, words);
        Moves moves = new Moves(channel, channel, (bits, token) -> Long.toHexString(bits));
        sim.run((long) CYCLES * PERIOD_PS);
        bench(CYCLES, stalls, hex(words), false).isTheSameAs(moves.lines(CYCLES));
    }

    private static LongChannel skid(Sim sim, Stalls stalls, long[] words) {
        Clock clock = new Clock(sim.root(), "clk", Frequency.mhz(250));
        LongChannel channel = new LongChannel(sim.root(), "slice", clock, 2);
        new LongSource(sim.root(), "source", clock, channel, stalls.source(), words);
        new LongSink(sim.root(), "sink", clock, channel, stalls.sink());
        return channel;
    }

    private Rtl bench(int cycles, Stalls stalls, List<String> words, boolean parser) {
        return Rtl.of(folder, "skid_buffer.v", "bth_parser.v", "bench_stream.v")
                .with("N", cycles)
                .with("WORDS", words.size())
                .with("PARSER", parser ? 1 : 0)
                .words("stimulus", stalls.hex(cycles))
                .words("words", words);
    }

    @ParameterizedTest
    @CsvSource({"1, 0, 0, 3", "2, 0.5, 0.5, 3", "3, 0, 0.9, 3", "4, 0.2, 0.2, 1", "5, 0, 0.3, 8"})
    void bthParser(long seed, double in, double out, int cycles) {
        long[] words = words(seed);
        Stalls stalls = Stalls.random(in, out, seed);
        Sim sim = new Sim(SimSpec.of(1));
        Parser parser = Parser.of(sim, stalls, words, cycles);
        Moves moves = parser.moves();
        sim.run((long) CYCLES * PERIOD_PS);
        bench(CYCLES, stalls, beats(words), true).with("LATENCY", cycles).isTheSameAs(moves.lines(CYCLES));
    }

    /** A parser between two channels. */
    private record Parser(Channel<BthBeat> before, Channel<BthBeat> behind) {
        static Parser of(Sim sim, Stalls stalls, long[] words, int cycles) {
            Clock clock = new Clock(sim.root(), "clk", Frequency.mhz(250));
            Channel<BthBeat> before = new Channel<>(sim.root(), "in", clock, 2);
            Channel<BthBeat> behind = new Channel<>(sim.root(), "out", clock, 2);
            new TokenSource<>(sim.root(), "source", clock, before, stalls.source(), CYCLES / 2, i -> beat(words, i));
            new BthParser(sim.root(), clock, before, behind, cycles);
            new TokenSink<>(sim.root(), "sink", clock, behind, stalls.sink(), b -> b.fields.psn);
            return new Parser(before, behind);
        }

        Moves moves() {
            return new Moves(before, behind, (bits, token) -> fields((BthBeat) Objects.requireNonNull(token)));
        }
    }

    private static List<String> beats(long[] words) {
        List<String> beats = new ArrayList<>();
        for (int i = 0; i < CYCLES / 2; i++) {
            beats.add(String.format("%016x%016x", words[2 * i], words[2 * i + 1]));
        }
        return beats;
    }

    private static BthBeat beat(long[] words, int i) {
        BthBeat b = new BthBeat();
        ByteBuffer.wrap(b.bytes).putLong(words[2 * i]).putLong(words[2 * i + 1]);
        return b;
    }

    private static String fields(BthBeat beat) {
        RocePacket p = beat.fields;
        long[][] layout = {
            {8, p.opcode},
            {1, p.solicited ? 1 : 0},
            {2, p.padCount},
            {4, p.tver},
            {16, p.pkey},
            {1, p.fecn ? 1 : 0},
            {1, p.becn ? 1 : 0},
            {24, p.destQp},
            {1, p.ackReq ? 1 : 0},
            {24, p.psn}
        };
        BigInteger bits = BigInteger.ZERO;
        for (long[] field : layout) {
            bits = bits.shiftLeft((int) field[0]).or(BigInteger.valueOf(field[1]));
        }
        return bits.toString(16);
    }

    /** The channel's waves are those of the buffer's registers, edge by edge. */
    @Test
    void wavesOfBothAreTheSame() throws IOException {
        int cycles = 5_000;
        long[] words = words(9);
        Stalls stalls = Stalls.random(0.3, 0.4, 9);
        Sim sim = new Sim(SimSpec.of(1));
        LongChannel channel = skid(sim, stalls, words);
        Moves moves = new Moves(channel, channel, (bits, token) -> Long.toHexString(bits));
        StringBuilder ours = new StringBuilder();
        Waves waves = new Waves(sim, "slice");
        waves.writeTo(ours, 0, Long.MAX_VALUE);
        sim.run((long) cycles * PERIOD_PS);
        waves.finish();
        Path theirs = folder.resolve("verilog.vcd");
        bench(cycles, stalls, hex(words), false).argument("waves", theirs).isTheSameAs(moves.lines(cycles));
        WavePair pair = new WavePair(ours.toString(), PERIOD_PS, Files.readString(theirs));
        pair.same("slice.occupancy", "bench.slice.dut.count");
        pair.same("slice.valid", "bench.slice.dut.out_valid");
        pair.same("slice.ready", "bench.slice.dut.in_ready");
    }

    /** The waves in front of the parser and behind it are those of its twin. */
    @Test
    void wavesOfBothParsersAreTheSame() throws IOException {
        int cycles = 12_000;
        long[] words = words(10);
        Stalls stalls = Stalls.random(0.3, 0.4, 10);
        Sim sim = new Sim(SimSpec.of(1));
        Moves moves = Parser.of(sim, stalls, words, BthParser.ARTICLE_CYCLES).moves();
        StringBuilder ours = new StringBuilder();
        Waves waves = new Waves(sim, "");
        waves.writeTo(ours, 0, Long.MAX_VALUE);
        sim.run((long) cycles * PERIOD_PS);
        waves.finish();
        Path theirs = folder.resolve("verilog.vcd");
        bench(cycles, stalls, beats(words), true)
                .with("LATENCY", BthParser.ARTICLE_CYCLES)
                .argument("waves", theirs)
                .isTheSameAs(moves.lines(cycles));
        WavePair pair = new WavePair(ours.toString(), PERIOD_PS, Files.readString(theirs));
        for (String side : List.of("in", "out")) {
            pair.same(side + ".occupancy", "bench.parse." + side + ".count");
            pair.same(side + ".valid", "bench.parse." + side + ".out_valid");
            pair.same(side + ".ready", "bench.parse." + side + ".in_ready");
        }
    }
}
