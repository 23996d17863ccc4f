package dev.clockwire.pcie.link;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Plain;
import java.util.List;

/**
 * A data link layer at work: packets can be damaged on the lanes, and are sent again. Without one a link loses nothing, which is the
 * same as one whose packets are never damaged, and costs less.
 *
 * @param bitErrorRate chance of each bit to arrive wrong; the base specification allows 1e-12
 * @param retryBytes packets that may wait for their acknowledgement, in bytes on the wire; 0 for as many as sequence numbers allow
 * @param retrainPs how long both directions rest when the same packet was sent in vain four times
 * @param damages packets that arrive damaged whatever the rate says
 */
public record DataLinkSpec(double bitErrorRate, int retryBytes, long retrainPs, List<Damage> damages) {
    /** Highest rate at which a packet still has a fair chance to arrive. */
    public static final double MOST_ERRORS = 1e-4;

    private static final int LARGEST_BUFFER = 1 << 24;
    private static final long LONGEST_RETRAIN_PS = 1_000_000_000_000L;
    private static final double PS_NS = 1e3;
    /** Recovery of a trained link takes a few microseconds. */
    private static final long RECOVERY_PS = 4_000_000;

    /** Checks the ranges. */
    public DataLinkSpec {
        damages = List.copyOf(damages);
        if (!(bitErrorRate >= 0 && bitErrorRate <= MOST_ERRORS)) {
            throw new ConfigurationException(
                    "pcie.ber=" + Plain.text(bitErrorRate) + " is not in 0.." + Plain.text(MOST_ERRORS));
        }
        if (retryBytes < 0 || retryBytes > LARGEST_BUFFER) {
            throw new ConfigurationException("pcie.retry_bytes " + retryBytes + " is not in 0.." + LARGEST_BUFFER);
        }
        if (retrainPs < 1 || retrainPs > LONGEST_RETRAIN_PS) {
            throw new ConfigurationException("pcie.retrain_ns=" + Plain.text(retrainPs / PS_NS) + " is not in 0.001.."
                    + Plain.text(LONGEST_RETRAIN_PS / PS_NS));
        }
    }

    /** Returns a layer with a bit error rate, a buffer that is never full, and 4 us for retraining. */
    public static DataLinkSpec of(double bitErrorRate) {
        return new DataLinkSpec(bitErrorRate, 0, RECOVERY_PS, List.of());
    }

    /** Returns a copy that damages these packets too. */
    public DataLinkSpec damage(Damage... packets) {
        return new DataLinkSpec(bitErrorRate, retryBytes, retrainPs, List.of(packets));
    }

    /** Returns a copy with another retry buffer, 0 for one that is never full. */
    public DataLinkSpec withRetryBytes(int bytes) {
        return new DataLinkSpec(bitErrorRate, bytes, retrainPs, damages);
    }

    /** Returns a copy that damages packets of one direction only; the rate stays. */
    public DataLinkSpec ofDirection(boolean upstream) {
        return new DataLinkSpec(
                bitErrorRate,
                retryBytes,
                retrainPs,
                damages.stream().filter(d -> d.upstream() == upstream).toList());
    }

    /**
     * One packet that arrives damaged.
     *
     * @param upstream true on its way to the root port
     * @param dllp true for a data link layer packet (acknowledgement or credit update), false for a TLP
     * @param number which one, counted from 1 among those of its kind that arrive in this direction, damaged and repeated ones included
     */
    public record Damage(boolean upstream, boolean dllp, long number) {
        /** Checks the range. */
        public Damage {
            if (number < 1) {
                throw new ConfigurationException("damage of packet " + number + ": they count from 1");
            }
        }

        /** Returns the nth TLP of a direction. */
        public static Damage tlp(boolean upstream, long number) {
            return new Damage(upstream, false, number);
        }

        /** Returns the nth DLLP of a direction. */
        public static Damage dllp(boolean upstream, long number) {
            return new Damage(upstream, true, number);
        }
    }
}
