package dev.clockwire.storage.check.monitor;

/**
 * A client's request: all its tries are one.
 *
 * @param client with its incarnation
 * @param channel of the client, which has one request at a time
 * @param sequence place in the channel, from 1
 */
public record Request(long client, int channel, long sequence) {
    @Override
    public String toString() {
        return "request " + sequence + " of channel " + channel + " of client 0x" + Long.toHexString(client);
    }
}
