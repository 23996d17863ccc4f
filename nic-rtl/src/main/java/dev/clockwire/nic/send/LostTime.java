package dev.clockwire.nic.send;

import dev.clockwire.nic.dma.TxSlot;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.stage.Journal;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.trace.Causes;

/** What operations lost in front of the send engine, noted when a packet is made: its rate, packets of others, packets made in vain. */
final class LostTime {
    private final Journal journal;
    private final Clock clock;

    LostTime(Journal journal, Clock clock) {
        this.journal = journal;
        this.clock = clock;
    }

    /**
     * A packet is made.
     *
     * @param slot it, its payload asked for
     * @param overtaken whether packets of others were made while this one could be
     * @param last whether it ends its message
     */
    void made(SendQueue queue, Wqe wqe, TxSlot slot, boolean overtaken, boolean last, long now) {
        RocePacket packet = slot.packet;
        int next = slot.pending > 0 ? journal.payloadDma : journal.assembly;
        if (queue.pacedSince >= 0) {
            journal.delayedIn(next, packet.journey, packet.psn, journal.causes.rate, queue.pacedSince, now);
            journal.queueDelayed(queue.qp.qpn, journal.causes.rate, queue.pacedSince, now);
            queue.pacedSince = SendQueue.NOTHING;
        }
        if (wqe.journey == 0) {
            return;
        }
        if (overtaken) {
            othersWent(queue, packet, next, now);
        }
        again(queue, wqe, packet, last, now);
    }

    /**
     * What it waited for others is the policy's doing, less the time until it had tokens. It waits in front of its next stage: earlier
     * packets of the message may be on the line meanwhile.
     */
    private void othersWent(SendQueue queue, RocePacket packet, int stage, long now) {
        long from = queue.gate.limits() ? Math.max(queue.readyAt, clock.edgeTime(queue.gate.due())) : queue.readyAt;
        journal.delayedIn(stage, packet.journey, packet.psn, journal.causes.scheduler, from, now);
    }

    /** A packet that is made again has lost everything since it was made before. */
    private void again(SendQueue queue, Wqe wqe, RocePacket packet, boolean last, long now) {
        boolean again = queue.isRewound() && wqe.madePs > 0;
        if (again) {
            Causes causes = journal.causes;
            int cause = queue.rewoundByReceiver ? causes.rnr : causes.retransmit;
            journal.delayed(packet.journey, packet.psn, cause, wqe.madePs, now);
        }
        if (!again || last) {
            wqe.madePs = now;
        }
    }
}
