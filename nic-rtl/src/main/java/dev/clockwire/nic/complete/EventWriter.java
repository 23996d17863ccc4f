package dev.clockwire.nic.complete;

import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.EqContext;
import dev.clockwire.nic.context.Interrupts;
import dev.clockwire.nic.format.Eqe;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.mem.MemoryUser;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes event queue entries, each with its interrupt behind it, or one interrupt for several if the device moderates; part of the
 * completion unit. A queue whose consumer index the driver writes back takes no more entries than it has room for.
 */
final class EventWriter implements State {
    private static final int MESSAGE_BYTES = 4;
    private static final int EQN = 0;

    private final EventPort writes;
    private final Inlet<DmaWrite> written;
    private final DeviceParts parts;
    private final byte[] bytes = new byte[Eqe.BYTES];
    /** Null: each entry has an interrupt of its own. */
    private final @Nullable InterruptModerator moderator;

    private final boolean bounded;
    private final HeldJourneys held = new HeldJourneys();
    private @Nullable EventPort timer;
    private int writtenKind;
    private int expiredKind;
    private long entries;
    private long interrupts;
    private long overruns;

    EventWriter(EventPort writes, Inlet<DmaWrite> written, DeviceParts parts, Clock clock) {
        this.writes = writes;
        this.written = written;
        this.parts = parts;
        moderator = parts.spec().queues().moderation() ? new InterruptModerator(clock) : null;
        bounded = parts.spec().queues().logEvents() > 0;
    }

    /** Sets the port of the completion unit that gets the events of moderation, and their kinds. */
    void timer(EventPort port, int kindWritten, int kindExpired) {
        timer = port;
        writtenKind = kindWritten;
        expiredKind = kindExpired;
    }

    /** Returns entries written. */
    long entries() {
        return entries;
    }

    /** Returns interrupts asked for, those that a mask keeps pending included. */
    long interrupts() {
        return interrupts;
    }

    /** Returns entries lost because the queue was full. */
    long overruns() {
        return overruns;
    }

    /**
     * Writes an entry, and the message that interrupts the host now or later; nobody hears of it before the driver has made the queue.
     *
     * @param cause operations that have waited for this entry; forgotten
     * @return false if the entry is lost: the queue is full
     */
    boolean write(int type, int number, long at, HeldJourneys cause) {
        EqContext eq = parts.table().events();
        if (eq == null) {
            cause.clear();
            return true;
        }
        if (bounded && (int) entries - parts.interrupts().consumed(EQN) >= 1 << eq.logEntries()) {
            overruns++;
            return false;
        }
        long index = entries++;
        Eqe.write(bytes, type, number, (index >>> eq.logEntries() & 1) != 0);
        send(eq.base() + (index & (1L << eq.logEntries()) - 1) * Eqe.BYTES, Eqe.BYTES, at);
        if (moderator == null) {
            cause.release(parts.journal(), at, cause);
            interrupt(eq, at + 1);
        } else {
            cause.release(parts.journal(), at, held);
            Objects.requireNonNull(timer).send(at, writtenKind, 0, 0);
        }
        return true;
    }

    /** An entry is being written now. */
    void entryWritten(long now) {
        InterruptModerator m = Objects.requireNonNull(moderator);
        if (m.written(parts.interrupts().moderation(EQN), now)) {
            moderated(now);
        } else if (m.started()) {
            Objects.requireNonNull(timer).send(m.due(), expiredKind, m.round(), 0);
        }
    }

    /** The period of a round is over now. */
    void periodOver(int round, long now) {
        if (Objects.requireNonNull(moderator).expired(round)) {
            moderated(now);
        }
    }

    private void moderated(long now) {
        held.release(parts.journal(), now, held);
        interrupt(Objects.requireNonNull(parts.table().events()), now + 1);
    }

    private void interrupt(EqContext eq, long at) {
        interrupts++;
        Interrupts vectors = parts.interrupts();
        if (vectors.request(eq.vector())) {
            int message = vectors.data(eq.vector());
            for (int i = 0; i < MESSAGE_BYTES; i++) {
                bytes[i] = (byte) (message >>> (8 * i));
            }
            send(vectors.address(eq.vector()), MESSAGE_BYTES, at);
        }
    }

    private void send(long address, int length, long at) {
        DmaWrite w = parts.writes().take();
        w.user = MemoryUser.NONE;
        w.relaxed = false;
        w.address = address;
        w.length = length;
        w.data.clear();
        w.data.appendBytes(bytes, 0, length);
        w.journey = 0;
        w.stage = 0;
        w.done = written;
        writes.send(at, 0, 0, 0, w);
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(entries);
        out.putLong(interrupts);
        out.putLong(overruns);
        held.save(out);
        if (moderator != null) {
            moderator.save(out);
        }
    }

    @Override
    public void load(Snapshot in) {
        entries = in.getLong();
        interrupts = in.getLong();
        overruns = in.getLong();
        held.load(in);
        if (moderator != null) {
            moderator.load(in);
        }
    }
}
