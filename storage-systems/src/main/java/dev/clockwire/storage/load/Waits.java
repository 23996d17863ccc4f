package dev.clockwire.storage.load;

/**
 * How long a load waits for a system in which nothing comes to an end, in ps: sums of the system's own waits, one behind the other. What takes longer
 * never ends.
 *
 * @param operation from one end of an operation to the next
 * @param rest from the last operation until what can be in service is
 */
public record Waits(long operation, long rest) {
    private static final long S = 1_000_000_000_000L;

    /** Of a system that says nothing about itself: ten minutes. */
    static final Waits LONG = new Waits(600 * S, 600 * S);

    /** What a connection takes until it gives up beside all of them: seven retries of 67 ms, each detected within the factor of four that the standard allows. */
    private static final long TRANSPORT = 5 * S / 2;

    /** Returns the same with time for connections that give up, and for faults that last. */
    Waits with(long faultsPs) {
        return new Waits(operation + TRANSPORT + faultsPs, rest + TRANSPORT + faultsPs);
    }
}
