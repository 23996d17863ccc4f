package dev.clockwire.nic.rx;

import dev.clockwire.nic.stage.LatencyStage;
import dev.clockwire.roce.wire.FrameDecoder;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Scope;

/**
 * The parser of article 1 as a block of its own: one BTH a cycle, three cycles (12 ns at 250 MHz) from bytes to fields. {@link RxParser}
 * works on whole packets and has this block's cycles among its own; here the bytes can be driven and its Verilog twin compared.
 */
public final class BthParser extends LatencyStage<BthBeat> {
    /** Cycles the article gives its parser. */
    public static final int ARTICLE_CYCLES = 3;

    /**
     * Creates the block and connects it.
     *
     * @param cycles latency, at least 1
     */
    public BthParser(Scope parent, Clock clock, Channel<BthBeat> in, Channel<BthBeat> out, int cycles) {
        super(parent, "bthParser", clock, in, out, cycles);
    }

    @Override
    protected void enter(BthBeat beat, long cycle) {
        FrameDecoder.readBth(beat.bytes, 0, beat.fields);
    }
}
