package dev.clockwire.pcie.link;

import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.Timer;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/**
 * The transmit half of the data link layer: sequence numbers, packets that wait for their acknowledgement, and their repetition after a
 * NAK or when none came in time. At the fourth repetition without progress the link is retrained; the packets are kept.
 */
final class Retransmitter implements State {
    static final int ACK = 0;
    static final int NAK = 1;
    static final int RETRAIN = 2;

    static final int SEQUENCES = 4096;
    /** More may not be under way, or a receiver could not tell old from new. */
    static final int HALF = SEQUENCES / 2;

    private static final int TRIES = 4;
    /** As the table of the base specification, which has three acknowledge limits. */
    private static final int LIMITS = 3;

    private final LinkDirection direction;
    private final SimNode owner;
    private final DataLinkSpec spec;
    private final LinkErrors errors;
    private final BitErrors damage;
    private final RetryBuffer buffer = new RetryBuffer();
    private final EventPort control;
    private final Timer timer;
    private final long limitPs;
    private @Nullable EventPort peer;
    private int next;
    private int acknowledged = SEQUENCES - 1;
    private int tries;
    private boolean resending;
    private int resendAt;
    private long pausedUntil;
    private long resentFrom = -1;
    /** Whether nothing has waited behind the repetitions so far. */
    private boolean caughtUp = true;

    private long resentTo = -1;

    /**
     * Creates the half of a transmitter.
     *
     * @param damage what is drawn for packets that arrive at this end
     */
    Retransmitter(
            LinkDirection direction,
            SimNode owner,
            String name,
            PcieLinkSpec link,
            DataLinkSpec spec,
            LinkErrors errors,
            BitErrors damage) {
        this.direction = direction;
        this.owner = owner;
        this.spec = spec;
        this.errors = errors;
        this.damage = damage;
        if (Math.min(link.upPs(), link.downPs()) < 2) {
            throw new ConfigurationException(
                    owner.path(),
                    ConfigurationException.BEFORE_TIME_ZERO,
                    name + ": a link whose packets can be damaged takes at least 2 ps each way, not "
                            + Math.min(link.upPs(), link.downPs()));
        }
        limitPs = LIMITS * ackLimitPs(link) + link.upPs() + link.downPs();
        control = new Control(name + "Dllps");
        timer = new ReplayTimer(name + "Replay");
    }

    /** Returns how long a receiver waits before it acknowledges, in ps. */
    static long ackLimitPs(PcieLinkSpec link) {
        PcieGeneration g = link.generation();
        return g.ackLimitSymbols(link.maxPayload(), link.lanes())
                * 8_000_000L
                * g.codeDen()
                / ((long) g.megaTransfers() * g.codeNum());
    }

    /** Returns the port for acknowledgements and for what the other end says about retraining. */
    EventPort control() {
        return control;
    }

    /** Says where the other end hears of retraining. */
    void peer(EventPort port) {
        peer = port;
    }

    /** Returns the time before which nothing may be sent. */
    long pausedUntil() {
        return pausedUntil;
    }

    /** Returns whether packets are to be sent again before new ones. */
    boolean resends() {
        return resending;
    }

    /** Returns whether a new packet of so many bytes may be sent. */
    boolean hasRoom(int bytes) {
        return buffer.size() < HALF - 1
                && (spec.retryBytes() == 0 || buffer.size() == 0 || buffer.bytes() + bytes <= spec.retryBytes());
    }

    /** Takes note of a packet that is sent for the first time, and returns its sequence number. */
    int sent(TlpTrain train, int packet, int wireBytes, int flowClass, long digest, long finish) {
        int number = next;
        next = next + 1 & SEQUENCES - 1;
        buffer.add(train, packet, wireBytes, flowClass, number, digest);
        if (!timer.armed()) {
            timer.arm(finish + limitPs);
        }
        return number;
    }

    /** Sends the next packet again. */
    void resend() {
        int i = resendAt++;
        long finish = direction.again(
                buffer.train(i),
                buffer.packet(i),
                buffer.wireBytes(i),
                buffer.flowClass(i),
                buffer.sequence(i),
                buffer.digest(i));
        errors.repeat();
        if (i == 0) {
            timer.arm(finish + limitPs);
        }
        if (resendAt == buffer.size()) {
            resending = false;
            resentTo = finish;
        }
    }

    /** Nothing waits to be sent: what comes later does not stand behind the repetitions so far. */
    void caughtUp() {
        caughtUp = true;
    }

    /** Returns when the first of the repetitions began that what waits now may stand behind, -1 before the first. */
    long resentFrom() {
        return resentFrom;
    }

    /** Returns when the last repetition ended. */
    long resentTo() {
        return resentTo;
    }

    private void acknowledge(int number, long now) {
        int n = number - acknowledged & SEQUENCES - 1;
        if (n == 0 || n > buffer.size()) {
            return; // nothing new, or a number that was never sent
        }
        buffer.drop(n);
        acknowledged = number;
        tries = 0;
        resendAt = Math.max(0, resendAt - n);
        if (buffer.size() == 0) {
            timer.cancel();
            if (resending) {
                resending = false;
                resentTo = now;
            }
        } else {
            timer.arm(now + limitPs);
        }
    }

    private void repeat(long now) {
        if (buffer.size() == 0) {
            return;
        }
        if (!resending) {
            resentFrom = caughtUp ? now : resentFrom;
            caughtUp = false;
        }
        resending = true;
        resendAt = 0;
        timer.cancel();
        if (++tries == TRIES) {
            tries = 0;
            errors.report(LinkError.REPLAY_ROLLOVER);
            pause(now + spec.retrainPs());
            EventPort other = peer;
            if (other != null) {
                other.send(now + direction.delayPs(), RETRAIN, spec.retrainPs(), 0);
            }
        }
    }

    private void pause(long until) {
        pausedUntil = Math.max(pausedUntil, until);
        if (timer.armed()) {
            timer.arm(Math.max(timer.deadline(), pausedUntil + limitPs));
        }
    }

    @Override
    public void save(Snapshot out) {
        buffer.save(out);
        out.putInt(next);
        out.putInt(acknowledged);
        out.putInt(tries);
        out.putBoolean(resending);
        out.putInt(resendAt);
        out.putLong(pausedUntil);
        out.putLong(resentFrom);
        out.putBoolean(caughtUp);
        out.putLong(resentTo);
    }

    @Override
    public void load(Snapshot in) {
        buffer.load(in);
        next = in.getInt();
        acknowledged = in.getInt();
        tries = in.getInt();
        resending = in.getBoolean();
        resendAt = in.getInt();
        pausedUntil = in.getLong();
        resentFrom = in.getLong();
        caughtUp = in.getBoolean();
        resentTo = in.getLong();
    }

    /** Acknowledgements that arrive, and what the other end says about retraining. */
    private final class Control extends EventPort {
        Control(String name) {
            super(owner, name);
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            long now = owner.now();
            if (kind == RETRAIN) {
                pause(now + a);
            } else if (damage.dllp()) {
                errors.report(LinkError.BAD_DLLP);
                return;
            } else {
                acknowledge((int) a, now);
                if (kind == NAK) {
                    repeat(now);
                }
            }
            direction.goOn();
        }
    }

    /** No acknowledgement came in time. */
    private final class ReplayTimer extends Timer {
        ReplayTimer(String name) {
            super(owner, name);
        }

        @Override
        protected void expired(long at) {
            errors.report(LinkError.REPLAY_TIMER);
            repeat(at);
            direction.goOn();
        }
    }
}
