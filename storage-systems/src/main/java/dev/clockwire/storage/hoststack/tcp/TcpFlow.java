package dev.clockwire.storage.hoststack.tcp;

/**
 * Both ends of a connection, as the near one sees them.
 *
 * @param localMac near end's address on the link
 * @param peerMac where its frames go
 * @param localIp IPv4 addresses
 * @param peerIp see {@code localIp}
 * @param localPort 1 to 65535
 * @param peerPort 1 to 65535; 0 for an end that listens
 */
public record TcpFlow(long localMac, long peerMac, int localIp, int peerIp, int localPort, int peerPort) {
    /** Returns whether a segment that was received belongs to the flow. */
    public boolean owns(TcpSegment s) {
        return s.dstPort == localPort && s.srcPort == peerPort && s.srcIp == peerIp && s.dstIp == localIp;
    }
}
