package dev.clockwire.storage.threefs.net;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * Sizes of a socket. Defaults and formulas are those of 3FS's IBSocket.
 *
 * @param bufferBytes of a send or receive buffer
 * @param sendBuffers of a socket
 * @param ackBatch received buffers that are acknowledged together
 * @param signalBatch SENDs of which the last is signalled
 * @param maxRdma one-sided work requests under way
 * @param rdmaBatch one-sided work requests that are posted together, of which the last is signalled
 * @param maxRdAtomic READs under way at the peer
 * @param retries of the queue pair after a timeout
 * @param rnrRetries after receiver-not-ready: 0, since credits make it impossible
 * @param timeoutCode of acknowledgements, 4.096 us * 2^code
 * @param probe by which a connection is known to be there at both ends
 */
public record IbSocketSpec(
        int bufferBytes,
        int sendBuffers,
        int ackBatch,
        int signalBatch,
        int maxRdma,
        int rdmaBatch,
        int maxRdAtomic,
        int retries,
        int rnrRetries,
        int timeoutCode,
        Probe probe) {
    private static final int SPARE_ACKS = 4;

    /** Checks the ranges. */
    public IbSocketSpec {
        range("bufferBytes", bufferBytes, 512, 1 << 20);
        range("sendBuffers", sendBuffers, 1, 1024);
        range("ackBatch", ackBatch, 1, sendBuffers);
        range("signalBatch", signalBatch, 1, sendBuffers);
        range("maxRdma", maxRdma, 1, 4096);
        range("rdmaBatch", rdmaBatch, 1, maxRdma);
        range("maxRdAtomic", maxRdAtomic, 1, 255);
        range("retries", retries, 0, 7);
        range("rnrRetries", rnrRetries, 0, 7);
        range("timeoutCode", timeoutCode, 1, 31);
    }

    private static void range(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ConfigurationException("3fs.socket." + what + " " + value + " is not in " + least + ".." + most);
        }
    }

    /** Returns the defaults of 3FS, but for the probe: connections are made by a connection manager. */
    public static IbSocketSpec threeFs() {
        return new IbSocketSpec(16_384, 32, 8, 8, 128, 32, 16, 7, 0, 14, Probe.NONE);
    }

    /** Returns a copy with another probe. */
    public IbSocketSpec withProbe(Probe other) {
        return new IbSocketSpec(
                bufferBytes,
                sendBuffers,
                ackBatch,
                signalBatch,
                maxRdma,
                rdmaBatch,
                maxRdAtomic,
                retries,
                rnrRetries,
                timeoutCode,
                other);
    }

    /** Returns the acknowledgements that may be on their way to a peer. */
    int ackBuffers() {
        return (sendBuffers + ackBatch - 1) / ackBatch + SPARE_ACKS;
    }

    /** Returns the receives that are posted. */
    int receives() {
        return sendBuffers + ackBuffers() + 1;
    }

    /** Returns the entries of the send queue. */
    int sendQueue() {
        return sendBuffers + ackBuffers() + maxRdma + 2;
    }

    /** Returns the entries of the completion queue: it cannot overrun. */
    int completions() {
        return sendQueue() + receives();
    }
}
