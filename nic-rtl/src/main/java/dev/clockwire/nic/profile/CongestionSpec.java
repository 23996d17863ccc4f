package dev.clockwire.nic.profile;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.Locale;

/**
 * What the port does about congestion: pauses (IEEE 802.1Qbb, 802.3x) and notifications (RoCEv2 annex A17). A packet's class is its code
 * point divided by eight.
 *
 * @param lossless bit n: class n is paused rather than lost
 * @param wholeLink pauses stop the whole link, not a class
 * @param xoffBytes bytes of a class in the receive buffer that stop the sender
 * @param xonBytes bytes at which it may go on
 * @param bufferBytes of the receive buffer; 0: as large as needed
 * @param capable RoCE packets say that marks are understood
 * @param notifies who answers marks
 * @param cnpIntervalPs least time between notifications in ps; 0: one for each mark
 * @param cnpDscp code point of notifications
 * @param cnpCycles core clocks from a mark's verdict until the notification is at the MAC
 */
public record CongestionSpec(
        int lossless,
        boolean wholeLink,
        int xoffBytes,
        int xonBytes,
        int bufferBytes,
        boolean capable,
        Notify notifies,
        long cnpIntervalPs,
        int cnpDscp,
        int cnpCycles) {
    private static final long US = 1_000_000;
    private static final int ALL = 0xFF;

    /** Whose interval limits notifications. */
    public enum Notify {
        /** Marks are not answered. */
        OFF,
        /** Each queue pair's own. */
        QP,
        /** One of the port. */
        PORT
    }

    /** Checks what depends on each other. */
    public CongestionSpec {
        if (wholeLink && lossless != 0) {
            throw new ConfigurationException("nic.pause.global=true: a port pauses classes or the whole link, not both;"
                    + " nic.pfc.classes is " + lossless);
        }
        if (xonBytes > xoffBytes) {
            throw new ConfigurationException("nic.pause.xon_bytes=" + xonBytes + ": must not be more than"
                    + " nic.pause.xoff_bytes=" + xoffBytes);
        }
    }

    /** Whether the port sends and obeys pauses. */
    public boolean pauses() {
        return wholeLink || lossless != 0;
    }

    /** Returns the classes that pauses are about, bit n for class n. */
    public int paused() {
        return wholeLink ? ALL : lossless;
    }

    static CongestionSpec from(Profile p) {
        return new CongestionSpec(
                p.integer("nic.pfc.classes"),
                p.flag("nic.pause.global"),
                p.integer("nic.pause.xoff_bytes"),
                p.integer("nic.pause.xon_bytes"),
                p.integer("nic.rx.buffer_bytes"),
                p.flag("nic.ecn.capable"),
                Notify.valueOf(p.text("nic.ecn.notify").toUpperCase(Locale.ROOT)),
                US * p.integer("nic.ecn.cnp_interval_us"),
                p.integer("nic.ecn.cnp_dscp"),
                p.integer("nic.ecn.cnp_cycles"));
    }
}
