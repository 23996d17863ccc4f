package dev.clockwire.roce.verbs;

/**
 * The way to a peer ({@code ibv_ah_attr}); on RoCE it always is a global route.
 *
 * @param dgid identifier of the peer
 * @param sgidIndex index of the own identifier in the port's table
 * @param port own physical port, from 1
 * @param flowLabel 20 bits; with IPv4 it only varies the UDP source port
 * @param hopLimit time to live, 1 to 255
 * @param trafficClass DSCP in bits 7:2, ECN in bits 1:0
 * @param serviceLevel priority, 0 to 15
 */
public record AddressVector(
        Gid dgid, int sgidIndex, int port, int flowLabel, int hopLimit, int trafficClass, int serviceLevel) {
    /** Returns the way over port 1 with the first identifier and usual values. */
    public static AddressVector to(Gid dgid) {
        return new AddressVector(dgid, 0, 1, 0, 64, 0, 0);
    }

    /** Returns a copy with another identifier of the own port. */
    public AddressVector withSgidIndex(int index) {
        return new AddressVector(dgid, index, port, flowLabel, hopLimit, trafficClass, serviceLevel);
    }

    /** Returns a copy with another traffic class. */
    public AddressVector withTrafficClass(int trafficClassByte) {
        return new AddressVector(dgid, sgidIndex, port, flowLabel, hopLimit, trafficClassByte, serviceLevel);
    }
}
