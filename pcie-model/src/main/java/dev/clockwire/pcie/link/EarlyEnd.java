package dev.clockwire.pcie.link;

/**
 * An end of a link that may take packets when they are handed over and not when they arrive, because both ends can look at each other
 * whenever they need to know.
 */
@FunctionalInterface
public interface EarlyEnd {
    /**
     * Is told of packets on their way; {@link TlpTrain#arrival} says when each is there.
     *
     * @return whether this end takes them now; else it gets the event that {@link LinkDirection} describes
     */
    boolean foresees(TlpTrain train, int from, int to);
}
