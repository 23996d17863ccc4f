package dev.clockwire.nic.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.dma.PayloadEngine;
import dev.clockwire.nic.dma.TxSlot;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.roce.congestion.TokenBucketSpec;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.trace.JourneyLog;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Whose fault it is that a packet left late. */
class LostTimeTest extends SendRig {
    @Test
    void lostTimeIsTheRatesOrTheOthersOrTheLines() {
        sim.enableJourneys(64);
        SendQueue q = queue();
        sim.elaborate();
        LostTime lost = new LostTime(parts.journal(), clock);
        PayloadEngine engine = payload();
        Wqe w = wqe(0, 1);
        w.journey = 9;
        TxSlot slot = engine.add(0, new RocePacket(), 0, 0, true);
        slot.packet.psn = 4;
        slot.packet.journey = 9;
        q.readyAt = 100;
        lost.made(q, w, slot, false, true, 1000);
        JourneyLog log = Objects.requireNonNull(sim.journeys());
        assertThat(log.size()).isZero();
        assertThat(w.madePs).isEqualTo(1000);
        q.pacedSince = 1100;
        lost.made(q, w, slot, false, false, 1500);
        assertThat(log.size()).as("the packet, and the queue").isEqualTo(2);
        assertThat(log.cause(0)).isEqualTo(parts.journal().causes.rate);
        assertThat(log.in(0)).isEqualTo(1100);
        assertThat(log.out(0)).isEqualTo(1500);
        assertThat(log.seq(0)).isEqualTo(4);
        assertThat(log.journey(1)).isEqualTo(JourneyLog.queue(1L << 40, q.qp.qpn));
        assertThat(log.cause(1)).isEqualTo(parts.journal().causes.rate);
        assertThat(log.in(1)).isEqualTo(1100);
        assertThat(log.out(1)).isEqualTo(1500);
        assertThat(q.pacedSince).isEqualTo(SendQueue.NOTHING);
        assertThat(w.madePs).isEqualTo(1500);
        lost.made(q, w, slot, true, false, 2000);
        assertThat(log.cause(2)).isEqualTo(parts.journal().causes.scheduler);
        assertThat(log.stage(2)).isEqualTo(parts.journal().assembly);
        assertThat(log.in(2)).isEqualTo(100);
        slot.pending = 1;
        lost.made(q, w, slot, true, false, 3000);
        assertThat(log.stage(3)).isEqualTo(parts.journal().payloadDma);
        admit(q, 5000);
        q.issueEntry = 1;
        q.goBack(true);
        lost.made(q, w, slot, false, false, 4000);
        assertThat(log.cause(4)).isEqualTo(parts.journal().causes.rnr);
        assertThat(log.in(4)).isEqualTo(3000);
        assertThat(w.madePs).as("since it was made first").isEqualTo(3000);
        q.goBack(false);
        lost.made(q, w, slot, false, true, 5000);
        assertThat(log.cause(5)).isEqualTo(parts.journal().causes.retransmit);
        assertThat(w.madePs).isEqualTo(5000);
        w.madePs = 0;
        lost.made(q, w, slot, false, false, 6000);
        assertThat(log.size()).as("it was not made before").isEqualTo(6);
        w.journey = 0;
        lost.made(q, w, slot, true, true, 7000);
        assertThat(log.size()).isEqualTo(6);
    }

    /** Of what a paced packet waits for others, the time until it had tokens is the rate's. */
    @Test
    void othersAreToBlameOnlyOnceThereAreTokens() {
        sim.enableJourneys(16);
        SendQueue q = queue();
        sim.elaborate();
        q.gate.change(new TokenBucketSpec(1 << 16, 16, 100), 0, false);
        assertThat(q.gate.pass(0, 100, true, 100, 1)).isTrue();
        assertThat(q.gate.pass(0, 100, true, 100, 1)).isFalse();
        long due = q.gate.due();
        assertThat(due).isGreaterThan(50);
        Wqe w = wqe(0, 1);
        w.journey = 9;
        TxSlot slot = payload().add(0, new RocePacket(), 0, 0, true);
        slot.packet.journey = 9;
        q.readyAt = 100;
        LostTime lost = new LostTime(parts.journal(), clock);
        lost.made(q, w, slot, true, true, 4000 * (due + 10));
        JourneyLog log = Objects.requireNonNull(sim.journeys());
        assertThat(log.in(0)).isEqualTo(4000 * due);
        q.readyAt = 4000 * (due + 5);
        lost.made(q, w, slot, true, true, 4000 * (due + 10));
        assertThat(log.in(1)).isEqualTo(4000 * (due + 5));
    }
}
