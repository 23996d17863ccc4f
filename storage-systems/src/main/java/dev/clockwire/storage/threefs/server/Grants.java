package dev.clockwire.storage.threefs.server;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.Method;
import dev.clockwire.storage.threefs.rpc.Places;
import dev.clockwire.storage.threefs.rpc.RpcPeer;
import dev.clockwire.storage.threefs.rpc.SlotShares;
import dev.clockwire.storage.threefs.rpc.WritePath;
import java.util.Collection;

/** Grants slots to whoever connects, for each place in a chain that it may write to, and takes the requests that are written into them. */
final class Grants {
    private final StorageService service;
    private final Collection<Node> nodes;
    private final Places ofNode;

    /**
     * Creates grants.
     *
     * @param nodes that may stand before this one in a chain
     */
    Grants(StorageService service, Collection<Node> nodes, SlotShares shares) {
        this.service = service;
        this.nodes = nodes;
        ofNode = Places.ofNode(shares.replicas());
    }

    /** Somebody has connected. */
    void joined(RpcPeer peer) {
        ServiceSpec spec = service.spec();
        Granted slots = service.parts()
                .granted(
                        service.buffers(),
                        service.worker().core().memory().sanitizer(),
                        spec.chunkBytes(),
                        spec.lead(),
                        peer.socket().qpn());
        peer.attach(slots);
        Gid who = peer.socket().asker();
        Places places = nodes.stream().anyMatch(n -> n.gid().equals(who)) ? ofNode : Places.CLIENT;
        for (int place = places.first(); place <= places.last(); place++) {
            int to = place;
            for (int i = 0; i < spec.slots(); i++) {
                service.buffers().take(buffer -> grant(peer, slots, to, buffer));
            }
        }
    }

    private void grant(RpcPeer peer, Granted slots, int place, long buffer) {
        if (slots.isLost()) {
            service.buffers().give(buffer);
            return;
        }
        Message m = new Message();
        m.method = Method.GRANT;
        m.channel = slots.add(buffer, place);
        m.offset = place;
        m.rkey = service.buffers().rkey();
        byte[] address = new byte[8];
        LittleEndian.put64(address, 0, buffer);
        peer.answer(m.with(address, 8)); // a request that wants no answer
    }

    /** A request has been written before its bytes. */
    void noticed(RpcPeer from, int word, int length) {
        if (!(from.attachment() instanceof Granted slots)) {
            from.close(() -> {});
            return;
        }
        int head = RpcPeer.noticedHead(word);
        byte[] request = new byte[head];
        long slot =
                slots.take(RpcPeer.noticedSlot(word), request, service.worker().core());
        Message m = Message.decode(request);
        if (slot == 0 || m == null || m.answer || head + m.length != length) {
            from.close(() -> {});
            return;
        }
        m.address = slot;
        m.flags |= WritePath.PUSHED;
        service.request(from, m);
    }

    /** A connection is gone. */
    void lost(RpcPeer peer) {
        if (peer.attachment() instanceof Granted slots) {
            slots.lost();
        }
    }
}
