package dev.clockwire.storage.threefs.net;

import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.WcFlag;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.storage.cluster.Node;
import java.util.function.Consumer;

/**
 * How both ends of a socket become ready: who connects sends the {@link Probe} and is ready when that has arrived, the other side when it comes, or it gives up after some
 * time.
 */
final class Greeting {
    /** How long a connection without the other side's probe is kept; an assumption. */
    private static final long ACCEPT_PS = 15_000_000_000_000L;

    private final Probe probe;
    private final Node node;
    private final Consumer<WrOpcode> send;
    private final Runnable ready;
    private final Runnable giveUp;
    private boolean dials;
    private boolean established;
    private boolean arrived;
    private boolean over;

    /**
     * Begins.
     *
     * @param send posts the probe
     * @param ready runs once
     */
    Greeting(Probe probe, Node node, Consumer<WrOpcode> send, Runnable ready, Runnable giveUp) {
        this.probe = probe;
        this.node = node;
        this.send = send;
        this.ready = ready;
        this.giveUp = giveUp;
    }

    /** Returns whether a message is the other side's probe: it has no bytes, and acknowledges nothing. */
    static boolean isProbe(WorkCompletion wc) {
        return wc.byteLength == 0 && (!WcFlag.WITH_IMM.in(wc.flags) || wc.immOrKey == 0);
    }

    /** This is the side that connects. */
    void dials() {
        dials = true;
    }

    /** The connection manager says that both queue pairs are there. */
    void established() {
        if (established) {
            return;
        }
        established = true;
        if (probe == Probe.NONE || arrived) {
            end();
        } else if (dials) {
            send.accept(probe == Probe.EMPTY_SEND ? WrOpcode.SEND : WrOpcode.SEND_WITH_IMM);
        } else {
            node.worker(0).after(ACCEPT_PS, (a, b) -> late(), 0, 0);
        }
    }

    /** The probe has arrived, at either side's word. */
    void arrived() {
        arrived = true;
        if (established) {
            end();
        }
    }

    private void end() {
        if (!over) {
            over = true;
            ready.run();
        }
    }

    private void late() {
        if (!over) {
            giveUp.run();
        }
    }
}
