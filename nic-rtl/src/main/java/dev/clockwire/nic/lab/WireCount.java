package dev.clockwire.nic.lab;

import dev.clockwire.roce.cm.CmRep;
import dev.clockwire.roce.cm.CmReq;
import dev.clockwire.roce.cm.Mad;
import dev.clockwire.roce.fabric.Link;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.fabric.host.LightFrame;
import dev.clockwire.roce.transport.Psn;
import dev.clockwire.roce.transport.Syndrome;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.roce.wire.Service;
import dev.clockwire.sim.state.Token;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Counts reliable connections on the lines of hosts: messages by kind, each once however often it is sent again, and bytes of each NIC with frame check
 * sequences. It also follows what must come before what: a message has the depth of its host when it leaves plus one, and gives it to the host
 * that takes it; an answer of a NIC has the depth of its request plus one, and gives it to the host that waits for it. The depth of the answer that ends a
 * lone operation is the number of one-way trips behind it.
 *
 * <p>Who posts says what for ({@link #posted}): what is no part of an operation is counted beside, by its name, when it leaves, with its frames and their
 * acknowledgements; so are frames that leave again ({@link #RESENT}).
 */
public final class WireCount {
    /** Name of the bytes of frames that leave a second time, and of answers to them. */
    public static final String RESENT = "resent";

    private static final int FCS = 4;
    private static final int GSI = 1;
    private static final int NAK = 0x60;

    private final StreamTable streams = new StreamTable();
    private final Map<Long, Integer> asked = new TreeMap<>();
    private final Map<String, WireAside> asides = new TreeMap<>();
    private final byte[] mad = new byte[Mad.BYTES];
    private final long[] tx;
    private final long[] rx;
    private final long[] asideTx;
    private final long[] asideRx;
    private final int[] depth;
    private final long[] messages = new long[3];
    private final long[] payload = new long[3];
    private long immediates;
    private long frames;
    private long ackBytes;
    private @Nullable MessageTap tap;
    private @Nullable WireTap watch;

    /** Counts on the lines of a lab's hosts from now on. */
    public WireCount(ClusterLab lab) {
        int hosts = lab.hosts().size();
        tx = new long[hosts];
        rx = new long[hosts];
        asideTx = new long[hosts];
        asideRx = new long[hosts];
        depth = new int[hosts];
        for (int i = 0; i < hosts; i++) {
            int host = i;
            LinkEnd own = lab.wiring().hostEnd(i);
            Link line = lab.wiring().hostLink(i);
            LinkEnd other = line.a() == own ? line.b() : line.a();
            own.tapDepartures((ps, end, token) -> left(host, ps, token));
            other.tapArrivals((ps, end, token) -> came(host, ps, token));
        }
    }

    /** Tells somebody of every message from now on, or nobody. */
    public void listen(@Nullable MessageTap who) {
        tap = who;
    }

    /** Tells somebody of receivers that are not ready, and of READs, from now on. */
    public void watch(WireTap who) {
        watch = who;
    }

    private static long key(int host, int qpn) {
        return (long) host << Integer.SIZE | qpn;
    }

    private WireStream stream(int host, int qpn) {
        return streams.of(key(host, qpn));
    }

    /**
     * Says what a message is for that is posted now: messages of a queue pair leave in that order, so one that names any names all.
     *
     * @param host number of the host that posts it
     * @param qpn of its queue pair
     */
    public void posted(int host, int qpn, MessageName name) {
        WireStream toPeer = stream(host, qpn).peer;
        if (toPeer != null) {
            toPeer.posted(name);
        }
    }

    private void left(int host, long ps, Token token) {
        if (!(token instanceof RocePacket p)) {
            return;
        }
        Opcode op = Opcode.find(p.opcode);
        if (op == null) {
            return;
        }
        int to = LightFrame.hostOf(p.flow.dstMac);
        if (op == Opcode.UD_SEND_ONLY && p.destQp == GSI) {
            connecting(host, to, p);
        }
        if (op.service() != Service.RC) {
            return;
        }
        int bytes = p.wireBytes() + FCS;
        tx[host] += bytes;
        frames++;
        WireStream s = stream(to, p.destQp);
        if (op.isResponse()) {
            answerLeft(host, to, ps, p, op, s, bytes);
            return;
        }
        if (op == Opcode.RC_RDMA_READ_REQUEST) {
            readLeft(ps, p, s);
        }
        if (!s.isNew(p.psn)) {
            aside(RESENT, host, to, bytes);
            return;
        }
        if (op.startsMessage()) {
            s.begins(p.psn, depth[host] + 1, ps);
        }
        WireMessage m = s.last();
        if (m == null) {
            return; // it began before anybody counted
        }
        m.psn = p.psn;
        m.bytes += op == Opcode.RC_RDMA_READ_REQUEST ? p.dmaLen : p.payloadLength;
        if (m.name.isAside()) {
            aside(m.name.overhead(), host, to, bytes);
        }
        if (op.endsMessage()) {
            ends(m, op);
        }
    }

    private void readLeft(long ps, RocePacket p, WireStream s) {
        WireTap w = watch;
        WireStream own = s.peer;
        if (own != null) {
            int underWay = s.reads.left(p.psn, p.va + p.dmaLen);
            if (w != null) {
                w.readLeft(ps, own.host(), own.qpn(), underWay);
            }
        }
    }

    private void ends(WireMessage m, Opcode op) {
        m.kind = kind(op);
        m.whole = true;
        m.immediate = op.hasImm();
        immediates += m.immediate ? 1 : 0;
        if (m.name.isAside()) {
            asideOf(m.name.overhead()).messages++;
        } else {
            messages[m.kind]++;
            payload[m.kind] += m.bytes;
        }
    }

    private void answerLeft(int host, int to, long ps, RocePacket p, Opcode op, WireStream s, int bytes) {
        WireStream requests = s.peer;
        boolean ofRead = op != Opcode.RC_ACKNOWLEDGE;
        WireTap w = watch;
        if (w != null && !ofRead && Syndrome.isRnr(p.syndrome)) {
            w.notReady(ps, host, to, p.destQp);
        }
        WireMessage m = requests == null ? null : requests.answeredBy(p.psn, ofRead);
        if (m == null || m.name.isAside()) {
            aside(m == null ? RESENT : m.name.overhead(), host, to, bytes);
        } else if (!ofRead) {
            ackBytes += bytes;
        }
        if (m != null && m.answerPs == 0) {
            m.answerPs = ps;
        }
    }

    private void aside(String what, int from, int to, int bytes) {
        asideOf(what).bytes += bytes;
        asideTx[from] += bytes;
        asideRx[to] += bytes;
    }

    private WireAside asideOf(String what) {
        return asides.computeIfAbsent(what, k -> new WireAside());
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

    private void came(int host, long ps, Token token) {
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
        int from = LightFrame.hostOf(p.flow.srcMac);
        if (!op.isResponse()) {
            WireMessage m = s.endingAt(p.psn);
            if (m != null) {
                boolean bare = op.hasImm() && p.payloadLength == 0;
                if (op.makesRecvCqe() && !bare && !m.name.isAside()) {
                    raise(host, m.depth);
                }
                tell(from, host, kindOf(m.kind), m, m.leftPs, ps, m.depth);
            }
            return;
        }
        WireStream requests = s.peer;
        if (requests == null) {
            return;
        }
        boolean ack = op == Opcode.RC_ACKNOWLEDGE;
        if (!ack && op != Opcode.RC_ATOMIC_ACKNOWLEDGE) {
            requests.reads.answered(p.psn);
        }
        int upTo = ack && (p.syndrome & NAK) != 0 ? Psn.plus(p.psn, -1) : p.psn; // a NAK names what is missing
        WireMessage m = ack ? requests.acknowledged(upTo) : requests.answered();
        if (m != null) {
            if (m.name.isAwaited()) {
                raise(host, m.depth + 1);
            }
            tell(
                    from,
                    host,
                    ack ? MessageTap.Kind.ACK : MessageTap.Kind.READ_RESPONSE,
                    m,
                    m.answerPs == 0 ? ps : m.answerPs,
                    ps,
                    m.depth + 1);
        }
    }

    private static MessageTap.Kind kindOf(int kind) {
        return switch (kind) {
            case WireStream.READ -> MessageTap.Kind.READ;
            case WireStream.WRITE -> MessageTap.Kind.WRITE;
            default -> MessageTap.Kind.SEND;
        };
    }

    private void tell(int from, int to, MessageTap.Kind kind, WireMessage m, long leftPs, long ps, int trips) {
        MessageTap t = tap;
        if (t != null) {
            long bytes = kind == MessageTap.Kind.ACK ? 0 : m.bytes;
            t.arrived(new MessageTap.Seen(from, to, kind, m.immediate, m.name, bytes, leftPs, ps, trips));
        }
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
            Integer qpn = asked.remove(key(to, rep.remoteCommId())); // a REP that is sent again makes nothing anew
            if (qpn != null) {
                WireStream toServer = stream(from, rep.qpn());
                WireStream toClient = stream(to, qpn);
                toServer.begin(from, rep.qpn());
                toClient.begin(to, qpn);
                toServer.peer = toClient;
                toClient.peer = toServer;
            }
        }
    }

    /** Begins to count anew: connections stay known. */
    public void restart() {
        for (long[] sums : new long[][] {tx, rx, asideTx, asideRx, messages, payload}) {
            Arrays.fill(sums, 0);
        }
        Arrays.fill(depth, 0);
        asides.values().forEach(WireAside::restart);
        immediates = 0;
        frames = 0;
        ackBytes = 0;
    }

    /** Returns the SENDs of operations. */
    public long sends() {
        return messages[WireStream.SEND];
    }

    /** Returns the RDMA WRITEs of operations, with immediate data or without. */
    public long writes() {
        return messages[WireStream.WRITE];
    }

    /** Returns the RDMA READs of operations. */
    public long reads() {
        return messages[WireStream.READ];
    }

    /** Returns the messages with immediate data, whatever they are for. */
    public long immediates() {
        return immediates;
    }

    /** Returns the messages that are no part of an operation, by name. */
    public Map<String, Long> overheads() {
        return byName(a -> a.messages);
    }

    /** Returns the bytes of their frames and of what acknowledges or answers them, by name, and of frames that were sent again. */
    public Map<String, Long> overheadBytes() {
        return byName(a -> a.bytes);
    }

    private Map<String, Long> byName(ToLongFunction<WireAside> what) {
        Map<String, Long> all = new TreeMap<>();
        asides.forEach((name, a) -> {
            if (what.applyAsLong(a) > 0) {
                all.put(name, what.applyAsLong(a));
            }
        });
        return all;
    }

    /** Returns the payload that messages of operations carried, READs in their answers. */
    public long payloadBytes() {
        return payload[WireStream.SEND] + oneSidedBytes();
    }

    /** Returns how much of it moved by RDMA READ and WRITE. */
    public long oneSidedBytes() {
        return payload[WireStream.WRITE] + payload[WireStream.READ];
    }

    /** Returns the bytes of frames that only acknowledge messages of operations. */
    public long ackBytes() {
        return ackBytes;
    }

    /** Returns the frames of all hosts that have left: a wire without new ones is silent. */
    public long frames() {
        return frames;
    }

    /** Returns the bytes of a host's frames out that belong to operations, acknowledgements included. */
    public long operationTxBytes(int host) {
        return tx[host] - asideTx[host];
    }

    /** Returns the bytes of a host's frames in that belong to operations, if no frame was lost. */
    public long operationRxBytes(int host) {
        return rx[host] - asideRx[host];
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
