package dev.clockwire.storage.ceph.stream;

import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.sim.error.ConfigurationException;

/**
 * Sizes and switches of the transport. Names and defaults are Ceph's options {@code ms_async_rdma_*}, beside those that its code fixes.
 *
 * @param bufferBytes {@code buffer_size}: of a registered chunk
 * @param sendBuffers {@code send_buffers}: chunks that all connections of a process send from
 * @param receiveBuffers {@code receive_buffers}: chunks that receives may take, at most
 * @param receiveQueue {@code receive_queue_len}: receives that are posted
 * @param sharedReceives {@code support_srq}: all connections share them, else each has so many
 * @param mtu of the path, fixed to 1024 in the code
 * @param pollingPs {@code polling_us}: how long the polling thread finds nothing before it arms the queues and sleeps: 0 is event mode
 * @param reactor no polling thread: the event loop polls the queues itself. Hypothetical, Seastar has no RDMA
 * @param zeroCopy sends do not copy into chunks. Ceph saves the copy only of what already lies in one
 * @param timeoutCode of acknowledgements, 4.096 us * 2^code
 * @param retries after a timeout
 * @param rnrRetries after receiver-not-ready: 7 is for ever
 * @param eventHandles connections that have a file descriptor to wake their reader
 */
public record StreamSpec(
        int bufferBytes,
        int sendBuffers,
        int receiveBuffers,
        int receiveQueue,
        boolean sharedReceives,
        Mtu mtu,
        long pollingPs,
        boolean reactor,
        boolean zeroCopy,
        int timeoutCode,
        int retries,
        int rnrRetries,
        int eventHandles) {
    private static final long US = 1_000_000L;
    private static final int SEVEN = 7;

    /** Checks the ranges. */
    public StreamSpec {
        range("buffer_size", bufferBytes, 1024, 1 << 24);
        range("send_buffers", sendBuffers, 1, 1 << 16);
        range("receive_buffers", receiveBuffers, 1, 1 << 20);
        range("receive_queue_len", receiveQueue, 1, 1 << 15);
        range("timeout code", timeoutCode, 1, 31);
        range("retries", retries, 0, SEVEN);
        range("RNR retries", rnrRetries, 0, SEVEN);
        range("event handles", eventHandles, 1, 1 << 20);
        if (pollingPs < 0) {
            throw new ConfigurationException("ceph: polling_us of " + pollingPs + " ps: must be 0 or more");
        }
    }

    private static void range(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ConfigurationException("ceph: " + what + " " + value + ": must be " + least + " to " + most);
        }
    }

    /** Returns Ceph's defaults. */
    public static StreamSpec asyncRdma() {
        return new StreamSpec(
                131_072, 1024, 32_768, 4096, true, Mtu.MTU_1024, 1000 * US, false, false, 14, 7, 7, 65_536);
    }

    /** Returns a copy with other pools. */
    public StreamSpec withPools(int send, int receive, int queue) {
        return new StreamSpec(
                bufferBytes,
                send,
                receive,
                queue,
                sharedReceives,
                mtu,
                pollingPs,
                reactor,
                zeroCopy,
                timeoutCode,
                retries,
                rnrRetries,
                eventHandles);
    }

    /** Returns a copy whose thread sleeps after another time without work. */
    public StreamSpec withPollingUs(long us) {
        return new StreamSpec(
                bufferBytes,
                sendBuffers,
                receiveBuffers,
                receiveQueue,
                sharedReceives,
                mtu,
                us * US,
                reactor,
                zeroCopy,
                timeoutCode,
                retries,
                rnrRetries,
                eventHandles);
    }

    /** Returns a copy whose event loops poll. */
    public StreamSpec inReactor() {
        return new StreamSpec(
                bufferBytes,
                sendBuffers,
                receiveBuffers,
                receiveQueue,
                sharedReceives,
                mtu,
                pollingPs,
                true,
                zeroCopy,
                timeoutCode,
                retries,
                rnrRetries,
                eventHandles);
    }

    /** Returns a copy with other switches. */
    public StreamSpec with(boolean shared, Mtu path, boolean noCopy) {
        return new StreamSpec(
                bufferBytes,
                sendBuffers,
                receiveBuffers,
                receiveQueue,
                shared,
                path,
                pollingPs,
                reactor,
                noCopy,
                timeoutCode,
                retries,
                rnrRetries,
                eventHandles);
    }

    /** Returns a copy with other limits of connections. */
    public StreamSpec withEventHandles(int most) {
        return new StreamSpec(
                bufferBytes,
                sendBuffers,
                receiveBuffers,
                receiveQueue,
                sharedReceives,
                mtu,
                pollingPs,
                reactor,
                zeroCopy,
                timeoutCode,
                retries,
                rnrRetries,
                most);
    }

    /** Returns the chunks that receives are given from the start: the pool grows when they are short, up to {@link #receiveBuffers}. */
    int firstReceives() {
        return Math.min(receiveBuffers, receiveQueue);
    }
}
