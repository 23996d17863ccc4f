package dev.clockwire.pcie.link;

import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.sim.error.ConfigurationException;

/**
 * Something that happens to one packet in the transaction layer of the end that receives it; the data link layer has nothing to object.
 *
 * @param upstream true if the root port receives it
 * @param type of the packet
 * @param number which one, counted from 1 among those of its type that arrive in this direction
 * @param what happens
 * @param delayPs how much later it is taken, for {@link What#DELAY}; 0 otherwise
 */
public record TlpFault(boolean upstream, TlpType type, long number, What what, long delayPs) {
    private static final long LONGEST_PS = 10_000_000_000_000L;

    /** What happens to a packet. */
    public enum What {
        /** It is gone, its buffer space is free. */
        LOSE("drop"),
        /** It is taken later; those behind it are not held up. */
        DELAY("delay"),
        /** Its data are marked as wrong (EP): nobody may use them. */
        POISON("poison"),
        /** It breaks a rule of the format: it is dropped, and its sender hears nothing. */
        MALFORM("malform"),
        /** A request is answered with UR. */
        REFUSE("ur"),
        /** A request is answered with CA. */
        ABORT("ca");

        private final String label;

        What(String label) {
            this.label = label;
        }

        /** Returns its name in fault files. */
        public String label() {
            return label;
        }
    }

    /** Checks the ranges. */
    public TlpFault {
        if (number < 1) {
            throw new ConfigurationException("fault of packet " + number + ": they count from 1");
        }
        if (what == What.DELAY ? delayPs < 1 || delayPs > LONGEST_PS : delayPs != 0) {
            throw new ConfigurationException(
                    what.label + " of a packet by " + delayPs + " ps: only delay has a time, in 1.." + LONGEST_PS);
        }
        boolean request = type == TlpType.MRD || type.isConfiguration();
        if ((what == What.REFUSE || what == What.ABORT) && !request) {
            throw new ConfigurationException(
                    what.label + " of " + type.label() + ": nobody answers it, only MRd, CfgRd and CfgWr are answered");
        }
        if (what == What.POISON && !type.hasData()) {
            throw new ConfigurationException(what.label + " of " + type.label() + ": it has no data");
        }
    }

    /** Returns a fault without a time. */
    public static TlpFault of(boolean upstream, TlpType type, long number, What what) {
        return new TlpFault(upstream, type, number, what, 0);
    }
}
