package dev.clockwire.nic.lab;

import dev.clockwire.roce.cm.CmRep;
import dev.clockwire.roce.cm.CmReq;
import dev.clockwire.roce.cm.Mad;
import dev.clockwire.roce.fabric.Link;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.fabric.host.LightFrame;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.roce.wire.Service;
import dev.clockwire.sim.state.Token;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts reliable connections on the lines of hosts: messages by kind, each once however often it is sent again, and bytes of each NIC with frame check
 * sequences. It also follows what must come before what: a message has the depth of its host when it leaves plus one, and gives it to the host
 * that takes it; an answer of a NIC has the depth of its request plus one, and gives it to the host that waits for it. The depth of the answer that ends a
 * lone operation is the number of one-way trips behind it.
 *
 * <p>Who posts what is no part of an operation says so ({@link #overhead}): it is taken off by its name.
 */
public final class WireCount {
    private static final int FCS = 4;
    private static final int GSI = 1;

    private final StreamTable streams = new StreamTable();
    private final Map<Long, Integer> asked = new TreeMap<>();
    private final Map<String, Long> overheads = new TreeMap<>();
    private final byte[] mad = new byte[Mad.BYTES];
    private final long[] tx;
    private final long[] rx;
    private final int[] depth;
    private final long[] messages = new long[3];
    private final long[] taken = new long[3];
    private long immediates;

    /** Counts on the lines of a lab's hosts from now on. */
    public WireCount(ClusterLab lab) {
        int hosts = lab.hosts().size();
        tx = new long[hosts];
        rx = new long[hosts];
        depth = new int[hosts];
        for (int i = 0; i < hosts; i++) {
            int host = i;
            LinkEnd own = lab.wiring().hostEnd(i);
            Link line = lab.wiring().hostLink(i);
            LinkEnd other = line.a() == own ? line.b() : line.a();
            own.tapDepartures((ps, end, token) -> left(host, token));
            other.tapArrivals((ps, end, token) -> came(host, token));
        }
    }

    private static long key(int host, int qpn) {
        return (long) host << Integer.SIZE | qpn;
    }

    private WireStream stream(int host, int qpn) {
        return streams.of(key(host, qpn));
    }

    private void left(int host, Token token) {
        if (!(token instanceof RocePacket p)) {
            return;
        }
        Opcode op = Opcode.find(p.opcode);
        if (op == null) {
            return;
        }
        if (op == Opcode.UD_SEND_ONLY && p.destQp == GSI) {
            connecting(host, LightFrame.hostOf(p.flow.dstMac), p);
        }
        if (op.service() != Service.RC) {
            return;
        }
        tx[host] += p.wireBytes() + FCS;
        if (op.isResponse()) {
            return;
        }
        WireStream s = stream(LightFrame.hostOf(p.flow.dstMac), p.destQp);
        if (!s.isNew(p.psn)) {
            return;
        }
        if (op.startsMessage()) {
            s.begins(depth[host] + 1);
        }
        if (op.endsMessage()) {
            int kind = kind(op);
            messages[kind]++;
            immediates += op.hasImm() ? 1 : 0;
            s.ends(p.psn, kind);
        }
    }

    private static int kind(Opcode op) {
        return switch (op) {
            case RC_RDMA_READ_REQUEST -> WireStream.READ;
            case RC_RDMA_WRITE_ONLY,
                    RC_RDMA_WRITE_LAST,
                    RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE,
                    RC_RDMA_WRITE_LAST_WITH_IMMEDIATE -> WireStream.WRITE;
            default -> WireStream.SEND;
        };
    }

    private void came(int host, Token token) {
        if (!(token instanceof RocePacket p)) {
            return;
        }
        Opcode op = Opcode.find(p.opcode);
        if (op == null || op.service() != Service.RC) {
            return;
        }
        rx[host] += p.wireBytes() + FCS;
        if (!op.endsMessage()) {
            return;
        }
        WireStream s = stream(host, p.destQp);
        if (!op.isResponse()) {
            boolean bare = op.hasImm() && p.payloadLength == 0;
            if (op.makesRecvCqe() && !bare) {
                raise(host, s.depthOf(p.psn));
            }
            return;
        }
        WireStream requests = s.peer;
        if (requests == null) {
            return;
        }
        int of = op == Opcode.RC_ACKNOWLEDGE ? requests.acknowledged(p.psn) : requests.answered();
        raise(host, of == 0 ? 0 : of + 1);
    }

    private void raise(int host, int to) {
        depth[host] = Math.max(depth[host], to);
    }

    /** Learns from the connection manager's datagrams which queue pairs belong together. */
    private void connecting(int from, int to, RocePacket p) {
        if (p.payloadLength != Mad.BYTES) {
            return;
        }
        p.payload.copyTo(0, mad, 0, Mad.BYTES);
        Mad datagram = Mad.decode(mad, 0, Mad.BYTES);
        if (datagram == null) {
            return;
        }
        if (datagram.message() instanceof CmReq req) {
            asked.put(key(from, req.localCommId()), req.qpn());
        } else if (datagram.message() instanceof CmRep rep) {
            Integer qpn = asked.get(key(to, rep.remoteCommId()));
            if (qpn != null) {
                WireStream toServer = stream(from, rep.qpn());
                WireStream toClient = stream(to, qpn);
                toServer.restart();
                toClient.restart();
                toServer.peer = toClient;
                toClient.peer = toServer;
            }
        }
    }

    /**
     * Says that a message which is posted now is no part of an operation.
     *
     * @param what it is, as reports name it
     * @param write whether it is a WRITE, not a SEND
     */
    public void overhead(String what, boolean write) {
        overheads.merge(what, 1L, Long::sum);
        taken[write ? WireStream.WRITE : WireStream.SEND]++;
    }

    /** Begins to count anew: connections stay known. */
    public void restart() {
        java.util.Arrays.fill(tx, 0);
        java.util.Arrays.fill(rx, 0);
        java.util.Arrays.fill(depth, 0);
        java.util.Arrays.fill(messages, 0);
        java.util.Arrays.fill(taken, 0);
        overheads.clear();
        immediates = 0;
    }

    /** Returns the SENDs of operations. */
    public long sends() {
        return messages[WireStream.SEND] - taken[WireStream.SEND];
    }

    /** Returns the RDMA WRITEs of operations, with immediate data or without. */
    public long writes() {
        return messages[WireStream.WRITE] - taken[WireStream.WRITE];
    }

    /** Returns the RDMA READs of operations. */
    public long reads() {
        return messages[WireStream.READ];
    }

    /** Returns the messages with immediate data, whatever they are for. */
    public long immediates() {
        return immediates;
    }

    /** Returns what is no part of an operation, by name. */
    public Map<String, Long> overheads() {
        return new TreeMap<>(overheads);
    }

    /** Returns the bytes of a host's frames out, by its number. */
    public long txBytes(int host) {
        return tx[host];
    }

    /** Returns the bytes of a host's frames in. */
    public long rxBytes(int host) {
        return rx[host];
    }

    /** Returns how many one-way trips lie behind what a host knows. */
    public int depth(int host) {
        return depth[host];
    }
}
