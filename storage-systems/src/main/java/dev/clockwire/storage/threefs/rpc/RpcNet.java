package dev.clockwire.storage.threefs.rpc;

import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.roce.cm.CmEvent;
import dev.clockwire.roce.cm.CmEventType;
import dev.clockwire.roce.cm.CmId;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.threefs.net.IbSocket;
import dev.clockwire.storage.threefs.net.IbSocketSpec;
import dev.clockwire.storage.threefs.net.SocketMemory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The connections of one incarnation of a node: made on first use, one to each other node; taken up from whoever wants one. */
public final class RpcNet {
    /** Where services listen. */
    public static final int PORT = 8000;

    private final Node node;
    private final WireCount wire;
    private final IbSocketSpec spec;
    private final RpcHandler handler;
    private final SocketMemory memory;
    private final Map<Integer, RpcPeer> out = new TreeMap<>();
    private final Map<CmId, IbSocket> in = new LinkedHashMap<>();

    /** Creates a net without connections. */
    public RpcNet(Node node, WireCount wire, IbSocketSpec spec, RpcHandler handler) {
        this.node = node;
        this.wire = wire;
        this.spec = spec;
        this.handler = handler;
        memory = new SocketMemory(spec);
        node.connector().paths(dev.clockwire.roce.verbs.Mtu.MTU_4096, spec.timeoutCode());
    }

    /** Takes connections up. */
    public void listen() {
        node.connector().listen(PORT, this::happened);
    }

    private void happened(CmEvent e) {
        if (e.type() == CmEventType.CONNECT_REQUEST) {
            RpcPeer peer = new RpcPeer(node, this, handler, false);
            IbSocket s = new IbSocket(node, wire, spec, memory, peer);
            peer.use(s);
            in.put(e.id(), s);
            s.accept(e.id());
            return;
        }
        IbSocket s = in.get(e.id());
        if (s != null) {
            s.happened(e);
            if (s.isDead()) {
                in.remove(e.id());
            }
        }
    }

    /** Returns the connection to a node, made now if there is none. */
    public RpcPeer to(Node other) {
        RpcPeer known = out.get(other.number());
        if (known != null && !known.isLost()) {
            return known;
        }
        RpcPeer peer = new RpcPeer(node, this, handler, true);
        IbSocket s = new IbSocket(node, wire, spec, memory, peer);
        peer.use(s);
        out.put(other.number(), peer);
        s.connect(other, PORT);
        return peer;
    }

    /** Returns the connection to a node if there is one. */
    public @Nullable RpcPeer known(Node other) {
        return out.get(other.number());
    }

    void broken(RpcPeer peer) {
        out.values().removeIf(p -> p == peer);
    }
}
