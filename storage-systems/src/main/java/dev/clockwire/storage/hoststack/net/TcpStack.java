package dev.clockwire.storage.hoststack.net;

import dev.clockwire.nic.driver.NicEthernet;
import dev.clockwire.nic.ether.EthFrame;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.hoststack.kernel.KernelCore;
import dev.clockwire.storage.hoststack.kernel.Softirq;
import dev.clockwire.storage.hoststack.tcp.ByteRing;
import dev.clockwire.storage.hoststack.tcp.Gro;
import dev.clockwire.storage.hoststack.tcp.Segmentation;
import dev.clockwire.storage.hoststack.tcp.TcpConnection;
import dev.clockwire.storage.hoststack.tcp.TcpFlow;
import dev.clockwire.storage.hoststack.tcp.TcpOutput;
import dev.clockwire.storage.hoststack.tcp.TcpPhase;
import dev.clockwire.storage.hoststack.tcp.TcpSegment;
import dev.clockwire.storage.hoststack.tcp.TcpSpec;
import dev.clockwire.storage.hoststack.tcp.TcpUser;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a host and its NIC's queues: one is received from, by NAPI; the other sends, and what it has sent is found by the same
 * polls, as drivers do. The NIC's WQE takes a frame in one piece, so a frame stands in a buffer of the ring; bytes that are sent without a copy
 * get there for nothing, as by a gather list.
 */
public final class TcpStack extends Softirq implements TcpOutput {
    /** The queue that receives. */
    public static final int RECEIVE = 0;
    /** The queue that sends. */
    public static final int SEND = 1;

    private static final int BUDGET = 64;
    private static final int FIRST_PORT = 32_768;
    private static final int ISS_STEP = 64_013;

    private final KernelCore kernel;
    private final NicEthernet nic;
    private final TcpSpec spec;
    private final boolean offload;
    private final long mac;
    private final int ip;
    private final int slots;
    private final int slotBytes;
    private final long buffers;
    private final Segmentation cutter;
    private final Segmentation.Frames transmits = this::transmit;
    private final Gro gro;
    private final TcpSegment in = new TcpSegment();
    private final List<TcpConnection> connections = new ArrayList<>();
    private final List<byte[]> backlog = new ArrayList<>();
    private final TcpSegment refusal = new TcpSegment();
    private final byte[] reset = new byte[TcpSegment.HEADER_BYTES];
    private final byte[] frame;
    private int listens;
    private Acceptor acceptor = flow -> null;
    private long put;
    private int unrung;
    private int ports = FIRST_PORT;
    private int iss = 1;
    private long foundAt;
    private boolean fresh;
    private long unwanted;
    private long bad;
    private final NicEthernet.Sink sink = new NicEthernet.Sink() {
        @Override
        public void received(int queue, long address, int bytes, int hash) {
            received(queue, address, bytes, hash, 0, 0);
        }

        @Override
        public void received(int queue, long address, int bytes, int hash, int right, int sum) {
            frame(address, bytes, right);
        }

        @Override
        public void sent(int queue) {}
    };

    /** Decides about connections that come. */
    @FunctionalInterface
    public interface Acceptor {
        /** Returns the user of a connection that is to be taken, null to refuse it. */
        @Nullable
        Accepted accept(TcpFlow flow);
    }

    /** Gets the connection that it is the user of. */
    public interface Accepted extends TcpUser {
        /** It is taken. */
        void accepted(TcpConnection connection);
    }

    /**
     * Creates the stack.
     *
     * @param nic two queues of it
     * @param slots of its send queue, a power of two
     * @param offload whether it makes and checks checksums
     * @param mac address of the NIC
     * @param ip address of the host
     */
    public TcpStack(KernelCore kernel, NicEthernet nic, TcpSpec spec, int slots, boolean offload, long mac, int ip) {
        this.kernel = kernel;
        this.nic = nic;
        this.spec = spec;
        this.slots = slots;
        this.offload = offload;
        this.mac = mac;
        this.ip = ip;
        slotBytes = (spec.mtu() + EthFrame.HEADER_BYTES + 63) & -64;
        frame = new byte[slotBytes + 64];
        buffers = memory().allocate("skb", (long) slots * slotBytes, Allocation.Kind.REAL, 64)
                .address();
        cutter = new Segmentation(spec.mss(), !offload);
        gro = new Gro(spec.gro(), this::segment);
        kernel.add(this);
    }

    private AddressSpace memory() {
        return kernel.cpu().memory();
    }

    /** Returns when what is being handled was found: when the interrupt came, or the poll behind it began. */
    public long foundAt() {
        return foundAt;
    }

    /** Returns the connections. */
    public List<TcpConnection> connections() {
        return List.copyOf(connections);
    }

    /** Returns the received frames that were no segments, or broken. */
    public long bad() {
        return bad;
    }

    /** Returns the segments of no connection. */
    public long unwanted() {
        return unwanted;
    }

    /** Begins a connection, in a step. */
    public TcpConnection connect(long peerMac, int peerIp, int port, TcpUser user) {
        TcpConnection c = new TcpConnection(spec, new TcpFlow(mac, peerMac, ip, peerIp, ports++, port), this, user);
        connections.add(c);
        c.connect(nextIss(), kernel.now());
        return c;
    }

    private int nextIss() {
        iss += ISS_STEP;
        return iss;
    }

    /** Takes connections to a port from now on. */
    public void listen(int port, Acceptor by) {
        listens = port;
        acceptor = by;
    }

    /** The receiving queue has interrupted the core. */
    public void interrupted() {
        fresh = true;
        kernel.interrupted(this);
    }

    @Override
    protected boolean run() {
        foundAt = fresh ? kernel.interruptedAt() : kernel.now();
        fresh = false;
        long since = kernel.now();
        kernel.charge(kernel.costs().napiPoll());
        int n = nic.poll(RECEIVE, BUDGET, sink);
        if (n == 0) {
            kernel.foundNothing(since);
        }
        gro.flush();
        reclaim();
        if (n == BUDGET) {
            return true;
        }
        nic.arm(RECEIVE);
        return false;
    }

    /** Whoever takes completions makes room for what waits: nobody else would come for it. */
    private void reclaim() {
        if (nic.hasCompletion(SEND)) {
            nic.poll(SEND, slots, sink);
            while (!backlog.isEmpty() && nic.sendSpace(SEND) > 0) {
                byte[] next = backlog.remove(0);
                post(next, next.length);
            }
            ring();
        }
    }

    @Override
    protected long deadline() {
        long first = Long.MAX_VALUE;
        for (int i = 0; i < connections.size(); i++) {
            first = Math.min(first, connections.get(i).deadline());
        }
        return first;
    }

    @Override
    protected void expired() {
        long now = kernel.now();
        for (int i = 0; i < connections.size(); i++) {
            if (connections.get(i).deadline() <= now) {
                connections.get(i).expired(now);
            }
        }
    }

    private void frame(long address, int bytes, int right) {
        kernel.charge(kernel.costs().rxFrame());
        if (bytes > frame.length) {
            bad++;
            return;
        }
        memory().getBytes(address, frame, 0, bytes);
        boolean checked = offload && (right & 6) == 6;
        if (!offload) {
            kernel.charge(bytes * kernel.costs().checksumByte());
        }
        if ((offload && !checked) || !in.read(frame, bytes, checked)) {
            bad++;
            return;
        }
        gro.add(in, frame);
    }

    private void segment(TcpSegment s, byte[] data) {
        kernel.charge(kernel.costs().tcpRx());
        for (int i = 0; i < connections.size(); i++) {
            TcpConnection c = connections.get(i);
            if (c.flow().owns(s) && c.phase() != TcpPhase.CLOSED) {
                c.arrived(s, data, kernel.now());
                return;
            }
        }
        if (s.dstPort != listens || !s.has(TcpSegment.SYN) || s.has(TcpSegment.ACK) || s.dstIp != ip) {
            refuse(s);
            return;
        }
        TcpFlow flow = new TcpFlow(mac, s.srcMac, ip, s.srcIp, s.dstPort, s.srcPort);
        Accepted user = acceptor.accept(flow);
        if (user == null) {
            refuse(s);
            return;
        }
        TcpConnection c = new TcpConnection(spec, flow, this, user);
        connections.removeIf(old -> old.phase() == TcpPhase.CLOSED);
        connections.add(c);
        user.accepted(c);
        c.accept(s, nextIss(), kernel.now());
    }

    /** Nobody wants a segment: its sender is told. */
    private void refuse(TcpSegment s) {
        unwanted++;
        if (!s.has(TcpSegment.RST) && s.dstIp == ip) {
            kernel.charge(kernel.costs().tcpAck());
            transmit(reset, refusal.refuse(s).write(reset, 0, !offload));
            ring();
        }
    }

    @Override
    public void send(TcpSegment headers, ByteRing data, int bytes) {
        kernel.charge(bytes > 0 ? kernel.costs().tcpTx() : kernel.costs().tcpAck());
        if (!offload) {
            kernel.charge(bytes * kernel.costs().checksumByte());
        }
        cutter.cut(headers, data, bytes, transmits);
        ring();
    }

    private void transmit(byte[] bytes, int length) {
        kernel.charge(kernel.costs().txFrame());
        if (nic.sendSpace(SEND) == 0) {
            reclaim();
        }
        if (!backlog.isEmpty() || nic.sendSpace(SEND) == 0) {
            backlog.add(Arrays.copyOf(bytes, length));
            return;
        }
        post(bytes, length);
    }

    private void post(byte[] bytes, int length) {
        long at = buffers + (put++ & slots - 1) * slotBytes;
        memory().putBytes(at, bytes, 0, length);
        nic.send(SEND, at, length);
        unrung++;
    }

    private void ring() {
        if (unrung > 0) {
            unrung = 0;
            nic.ring(SEND);
        }
    }
}
