package dev.clockwire.sim.wave;

import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Wire;
import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.trace.Signals;
import dev.clockwire.sim.trace.Tap;
import dev.clockwire.sim.trace.WaveSink;
import dev.clockwire.sim.trace.WaveSource;
import org.jspecify.annotations.Nullable;

/**
 * A channel as signals: {@code occupancy}, {@code valid} and {@code ready} as the registers behind them hold them (what changes at an
 * edge is what the ends see at the next one), and the word put last, of a token channel its journey.
 */
final class ChannelWaves implements WaveSource {
    private final Wire wire;

    ChannelWaves(Wire wire) {
        this.wire = wire;
    }

    @Override
    public String path() {
        return wire.path();
    }

    @Override
    public void trace(Signals signals, WaveSink sink, long ps) {
        String path = wire.path();
        int occupancy = signals.vector(path + ".occupancy", 64 - Long.numberOfLeadingZeros(wire.capacity()));
        int valid = signals.vector(path + ".valid", 1);
        int ready = signals.vector(path + ".ready", 1);
        int word = signals.vector(path + (wire instanceof LongChannel ? ".bits" : ".journey"), 64);
        Levels levels = new Levels(wire, sink, occupancy, valid, ready, word);
        levels.show(ps);
        wire.tap(levels);
    }

    private record Levels(Wire wire, WaveSink sink, int occupancy, int valid, int ready, int word) implements Tap {
        @Override
        public void put(long cycle, long ps, long bits, @Nullable Token token) {
            sink.change(word, ps, bits);
            show(ps);
        }

        @Override
        public void take(long cycle, long ps, long bits, @Nullable Token token) {
            show(ps);
        }

        void show(long ps) {
            int n = wire.occupancy();
            sink.change(occupancy, ps, n);
            sink.change(valid, ps, n > 0 ? 1 : 0);
            sink.change(ready, ps, n < wire.capacity() ? 1 : 0);
        }
    }
}
