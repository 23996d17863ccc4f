package dev.clockwire.storage.reactor;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * What a reactor's own work costs, and its limits. The times are assumptions about a server core at 2 to 3 GHz: a look at an empty ring
 * in the cache and a call by pointer take some ten cycles, a cache line from another core some two hundred.
 *
 * @param eventRingPs a look at the event ring
 * @param messageRingPs a look at a thread's message ring
 * @param callPs calling one poller and counting its result
 * @param handlePs taking one message or event out of its ring and calling its function
 * @param sendPs putting one message or event into a ring
 * @param crossPs from that to the moment a core can see it, if it is another one
 * @param adaptive whether a reactor whose pollers all wait for writes or times sleeps, rather than polling on
 * @param eventPool events that can be under way at once
 * @param messagePool messages that can be under way or in caches at once
 * @param messageCache messages that a thread keeps for itself
 */
public record ReactorSpec(
        long eventRingPs,
        long messageRingPs,
        long callPs,
        long handlePs,
        long sendPs,
        long crossPs,
        boolean adaptive,
        int eventPool,
        int messagePool,
        int messageCache) {
    /** Events that one look at the event ring takes. */
    public static final int EVENT_BATCH = 8;
    /** Messages that one poll of a thread takes. */
    public static final int MESSAGE_BATCH = 8;

    private static final long LARGEST = 1_000_000_000L;
    private static final int MOST_OBJECTS = 1 << 24;

    /** Checks the ranges. */
    public ReactorSpec {
        check("reactor.eventRingPs", eventRingPs, 1, LARGEST);
        check("reactor.messageRingPs", messageRingPs, 1, LARGEST);
        check("reactor.callPs", callPs, 1, LARGEST);
        check("reactor.handlePs", handlePs, 0, LARGEST);
        check("reactor.sendPs", sendPs, 0, LARGEST);
        check("reactor.crossPs", crossPs, 1, LARGEST);
        check("reactor.eventPool", eventPool, 1, MOST_OBJECTS);
        check("reactor.messagePool", messagePool, 1, MOST_OBJECTS);
        check("reactor.messageCache", messageCache, 0, messagePool);
    }

    /** Returns a server's core that polls for ever, with SPDK's pools. */
    public static ReactorSpec server() {
        return new ReactorSpec(5_000, 5_000, 4_000, 10_000, 15_000, 70_000, false, 16_383, 262_143, 1_024);
    }

    /** Returns a copy that sleeps, or does not, when there is nothing to do. */
    public ReactorSpec withAdaptive(boolean x) {
        return new ReactorSpec(
                eventRingPs, messageRingPs, callPs, handlePs, sendPs, crossPs, x, eventPool, messagePool, messageCache);
    }

    /** Returns a copy with other pools. */
    public ReactorSpec withPools(int events, int messages, int cache) {
        return new ReactorSpec(
                eventRingPs, messageRingPs, callPs, handlePs, sendPs, crossPs, adaptive, events, messages, cache);
    }

    private static void check(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new ConfigurationException(what + " " + value + " is not in " + least + ".." + most);
        }
    }
}
