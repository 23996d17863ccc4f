package dev.clockwire.roce.cm;

import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.verbs.AddressHandle;
import dev.clockwire.roce.verbs.AddressVector;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.Context;
import dev.clockwire.roce.verbs.DeviceAttributes;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.random.RandomStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes and ends connections over queue pair 1 of a device, as librdmacm does. There is one for each device. It does nothing by itself: the program of
 * its core calls {@link #poll} in its steps, at {@link #nextDeadline} at the latest.
 */
public final class ConnectionManager implements AutoCloseable {
    /** Bytes of memory that {@link #open} needs for its datagrams. */
    public static final long BUFFER_BYTES = MadPort.BUFFER_BYTES;

    private static final int PSN_BITS = 24;
    private static final int FIRST_EPHEMERAL = 0x8000;
    private static final int LABEL_FACTOR = 31;
    private static final int LABEL = 0xF_FFFF;
    private static final int MAX_PORT = 0xFFFF;
    private static final int ACK_TIMEOUT = 19;
    private static final int MAX_TIMEOUT = 31;
    private static final int TARGET_ACK_DELAY = 15;
    private static final int MIN_RNR_TIMER = 12;
    private static final int DEFAULT_PKEY = 0xFFFF;

    private final ProtectionDomain pd;
    private final MadPort port;
    private final CmTimes times;
    private final RandomStream random;
    private final Map<Integer, CmHandler> listeners = new TreeMap<>();
    private final Map<Integer, CmId> byId = new TreeMap<>();
    private final Map<Peer, CmId> byPeer = new LinkedHashMap<>();
    private final Map<PeerQp, CmId> byQp = new LinkedHashMap<>();
    private final Sidr sidr = new Sidr(this);
    private long nextDeadline = CmId.NEVER;
    private int nextPort = FIRST_EPHEMERAL;
    private Mtu mostMtu = Mtu.MTU_4096;
    private boolean removed;
    private int ackTimeout = ACK_TIMEOUT;

    /** A client, as a request tells it. */
    private record Peer(int commId, long caGuid) {}

    /** A client's queue pair: it has one connection at a time. */
    private record PeerQp(long caGuid, int qpn) {}

    private ConnectionManager(ProtectionDomain pd, MadPort port, CmTimes times, RandomStream random) {
        this.pd = pd;
        this.port = port;
        this.times = times;
        this.random = random;
    }

    /**
     * Opens queue pair 1.
     *
     * @param buffers at least {@link #BUFFER_BYTES} bytes with LOCAL_WRITE, in the domain
     * @param random a stream of its own, for communication ids and first PSNs
     */
    public static Completion<ConnectionManager> open(
            ProtectionDomain pd, MemoryRegion buffers, CmTimes times, RandomStream random) {
        if (buffers.length() < BUFFER_BYTES) {
            throw new ConfigurationException(
                    "connection manager: " + buffers.length() + " bytes of buffers, needs " + BUFFER_BYTES);
        }
        return MadPort.open(pd, buffers).map(port -> new ConnectionManager(pd, port, times, random));
    }

    /** Accepts requests for a port ({@code rdma_listen}); each comes to the handler as an event with a connection of its own. */
    public void listen(int servicePort, CmHandler handler) {
        check(servicePort);
        if (listeners.putIfAbsent(servicePort, handler) != null) {
            throw new ConfigurationException("port " + servicePort + " is already listened to");
        }
    }

    /** Stops to listen; connections live on. */
    public void unlisten(int servicePort) {
        listeners.remove(servicePort);
    }

    /**
     * Answers those who look for a datagram service ({@code rdma_listen} in port space UDP). Repeated questions are not passed on.
     *
     * @param answer gets what the other side's application sent along
     */
    public void listenDatagrams(int servicePort, Function<PrivateData, SidrAnswer> answer) {
        check(servicePort);
        if (sidr.serves(servicePort)) {
            throw new ConfigurationException("port " + servicePort + " is already listened to");
        }
        sidr.listen(servicePort, answer::apply);
    }

    /** Stops to answer those who look for a datagram service. */
    public void unlistenDatagrams(int servicePort) {
        sidr.unlisten(servicePort);
    }

    /**
     * Looks for the queue pair of a datagram service ({@code rdma_connect} in port space UDP).
     *
     * @param data for the other side's application, at most 180 bytes
     * @param done gets the answer, or {@link SidrAnswer#UNREACHABLE} if there is none
     */
    public void resolveDatagrams(Gid server, int servicePort, PrivateData data, Consumer<SidrAnswer> done) {
        check(servicePort);
        data.atMost(CmAttribute.SIDR_REQ.privateBytes() - IpCmHeader.BYTES, "a SIDR_REQ");
        IpCmHeader ip = new IpCmHeader(sourcePort(), own(server), server);
        sidr.ask(freshId(), Integer.toUnsignedLong(random.nextInt()), ip, servicePort, data, done);
    }

    /** Creates a client's end of a connection ({@code rdma_create_id}). */
    public CmId createId(CmHandler handler) {
        int id = freshId();
        CmId made = new CmId(this, handler, CmSession.client(id, Integer.toUnsignedLong(random.nextInt())));
        byId.put(id, made);
        return made;
    }

    private int freshId() {
        int id = random.nextInt();
        while (id == 0 || byId.containsKey(id)) {
            id = random.nextInt();
        }
        return id;
    }

    private static void check(int servicePort) {
        if (servicePort < 1 || servicePort > MAX_PORT) {
            throw new ConfigurationException("port " + servicePort + ": must be 1 to " + MAX_PORT);
        }
    }

    /** Handles what has arrived and what is due; returns whether there was anything. To be called in a step of the core. */
    public boolean poll() {
        if (removed) {
            return false;
        }
        boolean did = port.poll(this::received);
        long now = now();
        if (now < nextDeadline) {
            return did;
        }
        nextDeadline = CmId.NEVER;
        sidr.look(now);
        for (CmId id : new ArrayList<>(byId.values())) {
            if (id.deadline <= now) {
                id.timeout();
            } else {
                deadline(id.deadline);
            }
        }
        return true;
    }

    /** Returns when {@link #poll} has something to do at the latest, in ps; {@code Long.MAX_VALUE} if nothing is waited for. */
    public long nextDeadline() {
        return nextDeadline;
    }

    /** Returns the queue in which datagrams arrive: something to idle on. */
    public CompletionQueue cq() {
        return port.cq();
    }

    /** Returns how many connections there are, those that wait for their numbers to become free included. */
    public int connections() {
        return byId.size();
    }

    private void received(Mad mad, Completion<AddressHandle> back) {
        CmMessage m = mad.message();
        if (m instanceof CmReq req) {
            requested(mad, req, back);
            return;
        }
        if (sidr.received(mad, back)) {
            return;
        }
        CmId id = m instanceof CmRej && m.remoteCommId() == 0 ? refused(m.localCommId()) : byId.get(m.remoteCommId());
        if (id != null && speaksFor(m, id.session.remoteId())) {
            id.received(mad, back);
        } else if (m instanceof CmDreq dreq) {
            CmDrep drep = new CmDrep(
                    /* localCommId= */ dreq.remoteCommId(), /* remoteCommId= */ dreq.localCommId(), PrivateData.NONE);
            send(new Mad(mad.transactionId(), drep), back);
        } else if (m instanceof CmRep rep) {
            refuse(mad, rep.localCommId(), rep.remoteCommId(), 1, CmReason.INVALID_COMM_ID, back);
        }
    }

    /** A client that gives up does not know the server's number: its own tells which connection it means, unless several clients have that number. */
    private @Nullable CmId refused(int clientId) {
        List<CmId> asked = byId.values().stream()
                .filter(id -> !id.session.active() && id.session.remoteId() == clientId)
                .toList();
        return asked.size() == 1 ? asked.get(0) : null;
    }

    /** Before the reply a client does not know the server's number: the reply tells it, and a refusal or a delay comes without it. */
    private static boolean speaksFor(CmMessage m, int remoteId) {
        return m instanceof CmRep
                || m instanceof CmRej
                || (m instanceof CmMra && remoteId == 0)
                || m.localCommId() == remoteId;
    }

    private void requested(Mad mad, CmReq req, Completion<AddressHandle> back) {
        Peer peer = new Peer(req.localCommId(), req.caGuid());
        CmId known = byPeer.get(peer);
        CmHandler handler = ServiceId.isTcp(req.serviceId()) ? listeners.get(ServiceId.port(req.serviceId())) : null;
        CmReason problem = handler == null ? CmReason.INVALID_SERVICE_ID : problem(req);
        PeerQp qp = new PeerQp(req.caGuid(), req.qpn());
        CmId old = byQp.get(qp);
        if (known != null) {
            known.received(mad, back);
        } else if (old != null && handler != null) {
            // the client has forgotten that connection: it is over here, too, and the new one can come afterwards
            refuse(mad, req.localCommId(), 0, 0, CmReason.STALE_CONNECTION, back);
            old.stale();
        } else if (handler == null || problem != null) {
            CmReason reason = problem == null ? CmReason.INVALID_SERVICE_ID : problem;
            refuse(mad, req.localCommId(), 0, 0, reason, back);
        } else {
            CmId made = new CmId(this, handler, CmSession.server(freshId()));
            byId.put(made.session.localId(), made);
            byPeer.put(peer, made);
            byQp.put(qp, made);
            made.received(mad, back);
        }
    }

    private static @Nullable CmReason problem(CmReq req) {
        if (IpCmHeader.read(req.privateData()) == null) {
            return CmReason.CONSUMER_DEFINED;
        }
        if (req.transport() != 0) {
            return CmReason.INVALID_TRANSPORT;
        }
        return req.mtu() < 1 || req.mtu() > Mtu.values().length ? CmReason.INVALID_MTU : null;
    }

    private void refuse(Mad mad, int peer, int own, int message, CmReason reason, Completion<AddressHandle> back) {
        CmRej rej = new CmRej(own, peer, message, reason.code(), PrivateData.NONE, PrivateData.NONE);
        send(new Mad(mad.transactionId(), rej), back);
    }

    boolean isRemoved() {
        return removed;
    }

    CmTimes times() {
        return times;
    }

    long now() {
        return pd.context().cpu().now();
    }

    void send(Mad mad, Completion<AddressHandle> way) {
        if (!removed) {
            port.send(mad, way);
        }
    }

    void deadline(long ps) {
        nextDeadline = Math.min(nextDeadline, ps);
    }

    void forget(CmId id) {
        byId.remove(id.session.localId());
        byPeer.values().remove(id);
        byQp.values().remove(id);
    }

    private Context context() {
        return pd.context();
    }

    private int sgidIndex(Gid own) {
        List<Gid> gids = context().device().port(1).gids();
        return Math.max(0, gids.indexOf(own));
    }

    Completion<AddressHandle> way(CmPath path) {
        return port.way(new AddressVector(
                path.remoteGid(), sgidIndex(path.localGid()), 1, 0, path.hopLimit(), path.trafficClass(), 0));
    }

    /** Returns the attributes with which a queue pair learns of its path; both ends take the request's flow label. */
    QpAttributes path(Gid own, Gid other, CmReq req) {
        CmPath path = req.primary();
        return new QpAttributes()
                .state(QpState.RTR)
                .addressVector(CmId.vector(
                        sgidIndex(own), other, path.flowLabel(), path.trafficClass(), Math.max(1, path.hopLimit())))
                .pathMtu(mtu(req.mtu()))
                .minRnrTimer(MIN_RNR_TIMER);
    }

    /** Returns the smaller of the port's MTU and that of a code. */
    private Mtu mtu(int code) {
        Mtu smaller = activeMtu();
        for (Mtu mtu : Mtu.values()) {
            smaller = mtu.code() == code && code < smaller.code() ? mtu : smaller;
        }
        return smaller;
    }

    private Mtu activeMtu() {
        Mtu port = context().device().port(1).activeMtu();
        return port.code() < mostMtu.code() ? port : mostMtu;
    }

    /** Asks for, and accepts, paths of no larger MTU than this, whatever the port could do: that of the network between. */
    public void limitMtu(Mtu most) {
        mostMtu = most;
    }

    /**
     * Asks for paths with another acknowledge timeout ({@code RDMA_OPTION_ID_ACK_TIMEOUT}); both ends take that of the request.
     *
     * @param code 4.096 us * 2^code, 1 to 31
     */
    public void ackTimeout(int code) {
        if (code < 1 || code > MAX_TIMEOUT) {
            throw new ConfigurationException("acknowledge timeout " + code + ": must be 1 to " + MAX_TIMEOUT);
        }
        ackTimeout = code;
    }

    private int psn() {
        return context().device().firstPsn((int) (random.nextLong() >>> (Long.SIZE - PSN_BITS)));
    }

    private DeviceAttributes limits() {
        return context().device().attributes();
    }

    private Gid own(Gid server) {
        return context().device().port(1).gids().stream()
                .filter(gid -> gid.isIpv4() == server.isIpv4())
                .findFirst()
                .orElseThrow(() -> new ConfigurationException("no own address can reach " + server));
    }

    private int sourcePort() {
        int port = nextPort;
        nextPort = nextPort == MAX_PORT ? FIRST_EPHEMERAL : nextPort + 1;
        return port;
    }

    CmReq request(CmId id, Gid server, int servicePort, CmParameters p) {
        check(servicePort);
        Gid from = own(server);
        int sourcePort = sourcePort();
        int label = LABEL_FACTOR * sourcePort + servicePort & LABEL;
        return new CmReq(
                id.session.localId(),
                ServiceId.tcp(servicePort),
                limits().nodeGuid(),
                0,
                id.qp().qpn(),
                Math.min(p.responderResources(), limits().maxQpRdAtomic()),
                Math.min(p.initiatorDepth(), limits().maxQpInitRdAtomic()),
                times.responseTimeout(),
                0,
                p.flowControl(),
                psn(),
                times.responseTimeout(),
                p.retryCount(),
                DEFAULT_PKEY,
                activeMtu().code(),
                false,
                p.rnrRetry(),
                times.maxRetries(),
                false,
                0,
                0,
                0,
                CmPath.ethernet(from, server, label, ackTimeout),
                CmPath.NONE,
                new IpCmHeader(sourcePort, from, server).with(p.privateData()));
    }

    /** Never more than the client asked for, the application allows and the device can. */
    CmRep reply(CmId id, CmReq req, CmParameters p) {
        int resources = Math.min(p.responderResources(), limits().maxQpRdAtomic());
        int depth = Math.min(p.initiatorDepth(), limits().maxQpInitRdAtomic());
        return new CmRep(
                id.session.localId(),
                req.localCommId(),
                0,
                id.qp().qpn(),
                psn(),
                Math.min(resources, req.initiatorDepth()),
                Math.min(depth, req.responderResources()),
                TARGET_ACK_DELAY,
                0,
                p.flowControl(),
                p.rnrRetry(),
                false,
                0,
                limits().nodeGuid(),
                p.privateData());
    }

    /**
     * Ends everything after {@link dev.clockwire.roce.verbs.AsyncEventType#DEVICE_FATAL}: each connection hears {@link
     * CmEventType#DEVICE_REMOVAL}, nobody is listened to or answered any more, queue pair 1 is closed. When the device is back {@link
     * #successor} opens it anew.
     */
    public void deviceRemoved() {
        List<CmId> all = new ArrayList<>(byId.values());
        byId.clear();
        byPeer.clear();
        byQp.clear();
        listeners.clear();
        nextDeadline = CmId.NEVER;
        all.forEach(CmId::removed);
        sidr.removed();
        removed = true;
        close();
    }

    /**
     * Opens queue pair 1 of a device that is back; who listened has to listen again.
     *
     * @param fresh a domain of the device as it was opened anew
     * @param buffers as for {@link #open}
     */
    public Completion<ConnectionManager> successor(ProtectionDomain fresh, MemoryRegion buffers) {
        return open(fresh, buffers, times, random).map(next -> {
            next.limitMtu(mostMtu);
            next.nextPort = nextPort;
            return next;
        });
    }

    /** Closes queue pair 1; the queue pairs of connections are the application's. */
    @Override
    public void close() {
        port.close();
    }
}
