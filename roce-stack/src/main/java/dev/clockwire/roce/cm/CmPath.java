package dev.clockwire.roce.cm;

import dev.clockwire.roce.verbs.Gid;

/**
 * A path as a request describes it, from the sender's view.
 *
 * @param localLid 0xFFFF where there are no local identifiers
 * @param remoteLid the same for the receiver
 * @param localGid the sender's address
 * @param remoteGid the receiver's address
 * @param flowLabel 20 bits; the UDP source port of both directions follows from it
 * @param packetRate 6 bits, 0 on Ethernet
 * @param trafficClass DSCP and ECN
 * @param hopLimit time to live
 * @param serviceLevel 4 bits
 * @param subnetLocal the path does not leave the subnet
 * @param ackTimeout code of the time after which an unacknowledged packet is sent again, 5 bits
 */
public record CmPath(
        int localLid,
        int remoteLid,
        Gid localGid,
        Gid remoteGid,
        int flowLabel,
        int packetRate,
        int trafficClass,
        int hopLimit,
        int serviceLevel,
        boolean subnetLocal,
        int ackTimeout) {
    /** No path. */
    public static final CmPath NONE = new CmPath(0, 0, new Gid(0, 0), new Gid(0, 0), 0, 0, 0, 0, 0, false, 0);

    private static final int PERMISSIVE_LID = 0xFFFF;
    private static final int HOPS = 64;

    /** Returns a path over Ethernet. */
    public static CmPath ethernet(Gid local, Gid remote, int flowLabel, int ackTimeout) {
        return new CmPath(PERMISSIVE_LID, PERMISSIVE_LID, local, remote, flowLabel, 0, 0, HOPS, 0, false, ackTimeout);
    }

    static CmPath read(Bits b, int at) {
        return new CmPath(
                b.int16(at),
                b.int16(at + 2),
                new Gid(b.int64(at + 4), b.int64(at + 12)),
                new Gid(b.int64(at + 20), b.int64(at + 28)),
                (int) b.get(at + 36, 0, 20),
                (int) b.get(at + 39, 2, 6),
                b.int8(at + 40),
                b.int8(at + 41),
                (int) b.get(at + 42, 0, 4),
                b.flag(at + 42, 4),
                (int) b.get(at + 43, 0, 5));
    }

    void write(Bits b, int at) {
        b.put16(at, localLid);
        b.put16(at + 2, remoteLid);
        b.put64(at + 4, localGid.hi());
        b.put64(at + 12, localGid.lo());
        b.put64(at + 20, remoteGid.hi());
        b.put64(at + 28, remoteGid.lo());
        b.put(at + 36, 0, 20, flowLabel);
        b.put(at + 39, 2, 6, packetRate);
        b.put8(at + 40, trafficClass);
        b.put8(at + 41, hopLimit);
        b.put(at + 42, 0, 4, serviceLevel);
        b.flag(at + 42, 4, subnetLocal);
        b.put(at + 43, 0, 5, ackTimeout);
    }
}
