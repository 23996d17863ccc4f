package dev.clockwire.pcie.endpoint;

import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.link.TrainPool;
import dev.clockwire.pcie.tlp.TlpHeader;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/** The writes of a device: held while the host does not let it send, translated, sent, and given back when their last bit has left. */
final class Writer {
    private final PcieEndpoint owner;
    private final TrainPool pool;
    private final EndpointState s;
    private final Requester requester;
    private final EventPort port;
    private final EventPort left;

    Writer(PcieEndpoint owner, TrainPool pool, EndpointState s, Requester requester) {
        this.owner = owner;
        this.pool = pool;
        this.s = s;
        this.requester = requester;
        port = new WritePort(owner, "write");
        left = new Left(owner);
    }

    EventPort port() {
        return port;
    }

    EventPort port(String client) {
        return new WritePort(owner, "write." + client);
    }

    /** Returns where the link tells that the last bit of a write has left. */
    EventPort left() {
        return left;
    }

    /** Writes what has been held, as far as the host lets the device send now. */
    void release() {
        for (DmaWrite w = s.next(); w != null; w = s.next()) {
            write(w);
        }
    }

    private void write(DmaWrite w) {
        if (w.length < 1) {
            throw new InvariantViolation(owner.path(), owner.now(), "DMA write of " + w.length + " bytes");
        }
        if (!s.masters) {
            s.hold(w);
            return;
        }
        AddressTranslation translation = owner.translation();
        if (translation == null || passes(translation, w)) {
            send(w);
        }
    }

    private boolean passes(AddressTranslation translation, DmaWrite w) {
        requester.collect(owner.now());
        boolean known = translation.passes(w);
        requester.flush();
        requester.lookLater();
        owner.watchTimeouts();
        return known;
    }

    /** Returns whether the host lets the device send requests. */
    boolean masters() {
        return s.masters;
    }

    /** Tells the host that translations have been forgotten; bit n of the tags answers its message n. */
    void tellInvalidated(int tags) {
        requester.submit(pool.take().invalidated(tags, owner.id(), 0));
    }

    /** Sends a write whose address is known. */
    void send(DmaWrite w) {
        TlpTrain t = pool.take().writes(w.address, w.length, s.maxPayload, owner.id());
        t.relaxed = w.relaxed && s.relaxed;
        t.poisoned = w.poisoned;
        t.idBased = s.idBased;
        t.addressType = w.translated ? TlpHeader.AT_TRANSLATED : 0;
        t.followed(w.journey, w.stage, w.part);
        t.user = w.user;
        t.stage = w.stage;
        t.data.appendFrom(w.data, w.offset, w.length);
        if (w.done != null || w.donePort != null) {
            t.announced = true;
            s.add(w);
        }
        requester.submit(t);
        w.goHome();
    }

    private void lastBitLeft(long now) {
        DmaWrite w = s.remove();
        w.leftPs = now;
        if (w.done != null) {
            w.done.write(w);
        } else if (w.donePort != null) {
            w.donePort.send(now + 1, 0, 0, 0, w);
        }
    }

    private final class WritePort extends EventPort {
        WritePort(SimNode target, String name) {
            super(target, name);
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            if (!(token instanceof DmaWrite w)) {
                throw new InvariantViolation(path(), now(), "something other than a DmaWrite was sent");
            }
            write(w);
        }
    }

    /** The last bit of a write that somebody waits for has left. */
    private final class Left extends EventPort {
        Left(SimNode target) {
            super(target, "left");
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            lastBitLeft(now());
        }
    }
}
