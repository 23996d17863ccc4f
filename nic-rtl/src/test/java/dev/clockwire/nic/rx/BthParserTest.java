package dev.clockwire.nic.rx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.testkit.Stall;
import dev.clockwire.testkit.TokenSink;
import dev.clockwire.testkit.TokenSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Article 1's parser: bytes of a BTH in, its fields three cycles later. */
class BthParserTest {
    /** IBTA 1.7, 9.2: opcode; SE, M, pad count, version; P_Key; F, B, reserved; destination QP; A, reserved; PSN. */
    private static BthBeat beat() {
        BthBeat beat = new BthBeat();
        int[] bytes = {0x0A, 0xE3, 0x12, 0x34, 0xC0, 0xAB, 0xCD, 0xEF, 0x80, 0x65, 0x43, 0x21, 1, 2, 3, 4};
        for (int i = 0; i < bytes.length; i++) {
            beat.bytes[i] = (byte) bytes[i];
        }
        return beat;
    }

    @Test
    void fieldsAreThereAfterThreeCycles() {
        Sim sim = new Sim(SimSpec.of(1));
        Clock clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
        Channel<BthBeat> in = new Channel<>(sim.root(), "in", clock, 2);
        Channel<BthBeat> out = new Channel<>(sim.root(), "out", clock, 2);
        new TokenSource<>(sim.root(), "source", clock, in, Stall.none(), 1, i -> beat());
        new BthParser(sim.root(), clock, in, out, BthParser.ARTICLE_CYCLES);
        List<RocePacket> found = new ArrayList<>();
        TokenSink<BthBeat> sink = new TokenSink<>(sim.root(), "sink", clock, out, Stall.none(), b -> {
            found.add(b.fields);
            return b.digest();
        });
        sim.run(100_000);
        assertThat(sink.cycles()).containsExactly(1L + 3);
        RocePacket f = found.get(0);
        assertThat(f.opcode).isEqualTo(0x0A);
        assertThat(f.solicited).isTrue();
        assertThat(f.migReq).isTrue();
        assertThat(f.padCount).isEqualTo(2);
        assertThat(f.tver).isEqualTo(3);
        assertThat(f.pkey).isEqualTo(0x1234);
        assertThat(f.fecn).isTrue();
        assertThat(f.becn).isTrue();
        assertThat(f.destQp).isEqualTo(0xABCDEF);
        assertThat(f.ackReq).isTrue();
        assertThat(f.psn).isEqualTo(0x654321);
        assertThat(sink.values()).as("what a probe sees is the fields").containsExactly(f.digest());
    }

    @Test
    void aCopyHasBytesAndFields() {
        BthBeat beat = beat();
        beat.fields.psn = 77;
        beat.journey = 5;
        BthBeat copy = (BthBeat) beat.copy();
        assertThat(copy.bytes).isEqualTo(beat.bytes).isNotSameAs(beat.bytes);
        assertThat(copy.fields.psn).isEqualTo(77);
        assertThat(copy.journey).isEqualTo(5);
        assertThat(copy.digest()).isEqualTo(beat.digest());
        beat.fields.psn = 78;
        assertThat(copy.digest()).isNotEqualTo(beat.digest());
    }
}
