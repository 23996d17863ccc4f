package dev.clockwire.nic.complete;

import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.doorbell.ArmWord;
import dev.clockwire.nic.format.Eqe;
import dev.clockwire.sim.EventPort;

/** Arms completion queues, moderates their events, and answers who waits for completions. Part of the completion unit, not a block. */
final class CqEvents {
    private static final long US = 1_000_000;

    private final DeviceParts parts;
    private final CqState s;
    private final CqWaits waits;
    private final EventWriter eventWriter;
    private final EventPort events;
    private final HeldJourneys nobody = new HeldJourneys();

    CqEvents(DeviceParts parts, CqState s, CqWaits waits, EventWriter eventWriter, EventPort events) {
        this.parts = parts;
        this.s = s;
        this.waits = waits;
        this.eventWriter = eventWriter;
        this.events = events;
    }

    void happened(int kind, int a, int b, long now) {
        switch (kind) {
            case CqWriter.HAPPENED -> eventWriter.write(a, b, now + 1, nobody);
            case CqWriter.BEHIND -> eventWriter.write(a, b, now + completionPs(), nobody);
            case CqWriter.ENTRY_WRITTEN -> eventWriter.entryWritten(now);
            case CqWriter.INTERRUPT_PERIOD_OVER -> eventWriter.periodOver(a, now);
            default -> {
                if (s.isArmed(a) && s.fired(a) == b) {
                    fire(a, now + 1);
                }
            }
        }
    }

    /** What had come before is answered when it is on its way to memory, as is what comes later. */
    void waitFor(long who, long what, long now) {
        int cqn = (int) who;
        if (parts.table().cq(cqn) == null || parts.table().isBroken(cqn)) {
            waits.answer(who, what, false, now + 1);
        } else if (CqWaits.reached(s.produced(cqn), what)) {
            waits.answer(who, what, true, now + completionPs());
        } else {
            waits.add(who, what);
        }
    }

    void arm(long word, long now) {
        int cqn = ArmWord.cqn(word);
        if (parts.table().cq(cqn) != null) {
            int how = ArmWord.solicitedOnly(word) ? CqState.SOLICITED : CqState.ANY;
            if (s.arm(cqn, how, ArmWord.seen(word), ArmWord.known(word), ArmWord.sequence(word))) {
                due(cqn, now + 1, 0, 0);
            }
        }
    }

    /** A completion counts for the event of an armed queue: it goes out now, or waits for more. */
    private void due(int cqn, long at, long journey, int stage) {
        s.held(cqn).add(journey, stage, at);
        int count = parts.table().moderationCount(cqn);
        int period = parts.table().moderationUs(cqn);
        int waited = s.wait(cqn);
        if ((count <= 1 && period == 0) || (count > 0 && waited >= count)) {
            fire(cqn, at);
        } else if (period > 0 && waited == 1) {
            events.send(at + period * US, CqWriter.PERIOD_OVER, cqn, s.fired(cqn));
        }
    }

    private void fire(int cqn, long at) {
        if (eventWriter.write(Eqe.COMP, cqn, at, s.held(cqn))) {
            s.fire(cqn);
        }
    }

    /** A completion has been written: if its queue is armed, an event may be due. */
    void written(Completion c, long leaves) {
        if (s.counts(c.cqn, c.solicited || c.syndrome != 0)) {
            boolean own = c.stage(parts.journal()) == parts.journal().completion;
            due(c.cqn, leaves + 1, c.journey, own ? parts.journal().poll : parts.journal().recvPoll);
        }
    }

    /** Returns the longest time from taking a completion until its entry leaves, rounded up. */
    private long completionPs() {
        return parts.spec().completionCycles() * US / parts.spec().coreMhz() + 2;
    }
}
