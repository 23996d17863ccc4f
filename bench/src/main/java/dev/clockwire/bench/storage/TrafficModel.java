package dev.clockwire.bench.storage;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an operation of three replicas must cost on the wire, from how each system moves its messages: nothing is simulated here. Frames are RoCEv2 over IPv4 with
 * frame check sequence, payload padded to 4 B; every SEND and WRITE is acknowledged by one frame. The sizes of control messages are assumptions, the same as the simulated
 * systems have.
 */
public final class TrafficModel {
    private static final int FRAME = 14 + 20 + 8 + 12 + 4 + 4;
    private static final int RETH = 16;
    private static final int AETH = 4;
    private static final int MTU = 4096;
    private static final int CEPH_MTU = 1024;
    private static final int CEPH_CHUNK = 128 * 1024;
    private static final int THREE_FS_REQUEST = 320;
    private static final int THREE_FS_ANSWER = 128;
    private static final int DAOS_REQUEST = 640;
    private static final int DAOS_ANSWER = 256;
    private static final int DAOS_BULK = 19_456;
    private static final int DAOS_EAGER = 16_384;
    private static final int RXM_HEADER = 24;
    private static final int MSGR = 32 + 41 + 4 + 13;
    private static final int OSD_OP = MSGR + 260;
    private static final int OSD_OP_REPLY = MSGR + 150;
    private static final int REP_OP = MSGR + 700;
    private static final int REP_OP_REPLY = MSGR + 90;
    private static final String CLIENT = "client";
    private static final List<String> CHAIN = List.of(CLIENT, "s1", "s2", "s3");

    private final int mtu;
    private final Map<String, long[]> nics = new TreeMap<>();
    private int sends;
    private int oneSided;
    private int trips;

    private TrafficModel(int mtu) {
        this.mtu = mtu;
        CHAIN.forEach(n -> nics.put(n, new long[2]));
    }

    /**
     * What it costs.
     *
     * @param sends messages
     * @param oneSided RDMA READs and WRITEs
     * @param trips one-way trips, one behind the other
     * @param client bytes of frames that the client's NIC sends and receives
     * @param servers the same of the three storage nodes, the first one first; those that have no part have zeros
     */
    public record Cost(int sends, int oneSided, int trips, Bytes client, List<Bytes> servers) {}

    /**
     * Bytes of frames of a NIC.
     *
     * @param tx sent
     * @param rx received
     */
    public record Bytes(long tx, long rx) {}

    /** Returns the cost of an operation. */
    public static Cost of(String system, boolean write, int size) {
        return switch (system) {
            case "3fs", "3fs-push", "3fs-inline" -> threeFs(system, write, size);
            case "daos" -> daos(write, size);
            case "ceph", "ceph-crimson-rdma" -> ceph(write, size);
            default -> throw new ConfigurationException("no model of " + system);
        };
    }

    private static Cost threeFs(String system, boolean write, int size) {
        TrafficModel m = new TrafficModel(MTU);
        if (!write) {
            m.send(CLIENT, "s1", THREE_FS_REQUEST);
            m.write("s1", CLIENT, size);
            m.send("s1", CLIENT, THREE_FS_ANSWER);
            return m.cost(4);
        }
        for (int hop = 0; hop < 3; hop++) {
            String from = CHAIN.get(hop);
            String to = CHAIN.get(hop + 1);
            switch (system) {
                case "3fs" -> {
                    m.send(from, to, THREE_FS_REQUEST);
                    m.read(to, from, size);
                }
                case "3fs-push" -> {
                    m.write(from, to, size);
                    m.send(from, to, THREE_FS_REQUEST);
                }
                default -> m.send(from, to, THREE_FS_REQUEST + size);
            }
        }
        for (int hop = 3; hop > 0; hop--) {
            m.send(CHAIN.get(hop), CHAIN.get(hop - 1), THREE_FS_ANSWER);
        }
        return m.cost(system.equals("3fs") ? 12 : 6);
    }

    private static Cost daos(boolean write, int size) {
        TrafficModel m = new TrafficModel(MTU);
        boolean bulk = size >= DAOS_BULK;
        int request = DAOS_REQUEST + (write && !bulk ? size : 0);
        m.sendInSegments(CLIENT, "s1", request);
        if (!write) {
            if (bulk) {
                m.write("s1", CLIENT, size);
            }
            m.sendInSegments("s1", CLIENT, DAOS_ANSWER + (bulk ? 0 : size));
            return m.cost(bulk ? 4 : 2);
        }
        m.sendInSegments("s1", "s2", request);
        m.sendInSegments("s1", "s3", request);
        if (bulk) {
            CHAIN.subList(1, 4).forEach(s -> m.read(s, CLIENT, size));
        }
        m.send("s2", "s1", DAOS_ANSWER);
        m.send("s3", "s1", DAOS_ANSWER);
        m.send("s1", CLIENT, DAOS_ANSWER);
        return m.cost(bulk ? 6 : 4);
    }

    private static Cost ceph(boolean write, int size) {
        TrafficModel m = new TrafficModel(CEPH_MTU);
        m.stream(CLIENT, "s1", OSD_OP + (write ? size : 0));
        if (!write) {
            m.stream("s1", CLIENT, OSD_OP_REPLY + size);
            return m.cost(2);
        }
        m.stream("s1", "s2", REP_OP + size);
        m.stream("s1", "s3", REP_OP + size);
        m.stream("s2", "s1", REP_OP_REPLY);
        m.stream("s3", "s1", REP_OP_REPLY);
        m.stream("s1", CLIENT, OSD_OP_REPLY);
        return m.cost(4);
    }

    private Cost cost(int oneWay) {
        trips = oneWay;
        List<Bytes> servers = new ArrayList<>();
        CHAIN.subList(1, 4).forEach(n -> servers.add(bytes(n)));
        return new Cost(sends, oneSided, trips, bytes(CLIENT), servers);
    }

    private Bytes bytes(String nic) {
        long[] b = nics.getOrDefault(nic, new long[2]);
        return new Bytes(b[0], b[1]);
    }

    private void carry(String from, String to, long bytes) {
        nics.getOrDefault(from, new long[2])[0] += bytes;
        nics.getOrDefault(to, new long[2])[1] += bytes;
    }

    private long packets(int bytes) {
        return Math.max(1, (bytes + mtu - 1L) / mtu);
    }

    private static long padded(int bytes) {
        return (bytes + 3L) / 4 * 4;
    }

    private void send(String from, String to, int bytes) {
        carry(from, to, padded(bytes) + packets(bytes) * FRAME);
        carry(to, from, FRAME + AETH);
        sends++;
    }

    /** ofi_rxm cuts what is longer than a bounce buffer. */
    private void sendInSegments(String from, String to, int bytes) {
        int left = bytes;
        send(from, to, Math.min(left, DAOS_EAGER));
        left -= Math.min(left, DAOS_EAGER);
        while (left > 0) {
            int n = Math.min(left, DAOS_EAGER - RXM_HEADER);
            send(from, to, n + RXM_HEADER);
            left -= n;
        }
    }

    /** Ceph cuts its stream at chunks. */
    private void stream(String from, String to, int bytes) {
        for (int left = bytes; left > 0; left -= CEPH_CHUNK) {
            send(from, to, Math.min(left, CEPH_CHUNK));
        }
    }

    private void write(String from, String to, int bytes) {
        carry(from, to, padded(bytes) + packets(bytes) * FRAME + RETH);
        carry(to, from, FRAME + AETH);
        oneSided++;
    }

    private void read(String asks, String has, int bytes) {
        long n = packets(bytes);
        carry(asks, has, FRAME + RETH);
        carry(has, asks, padded(bytes) + n * FRAME + AETH * Math.min(2, n));
        oneSided++;
    }
}
