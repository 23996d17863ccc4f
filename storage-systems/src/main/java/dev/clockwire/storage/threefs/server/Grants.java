package dev.clockwire.storage.threefs.server;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.Method;
import dev.clockwire.storage.threefs.rpc.RpcPeer;
import dev.clockwire.storage.threefs.rpc.WritePath;

/** Grants slots to whoever connects, and takes the requests that are written into them. */
final class Grants {
    private final StorageService service;

    Grants(StorageService service) {
        this.service = service;
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
        for (int i = 0; i < spec.slots(); i++) {
            service.buffers().take(buffer -> grant(peer, slots, buffer));
        }
    }

    private void grant(RpcPeer peer, Granted slots, long buffer) {
        if (slots.isLost()) {
            service.buffers().give(buffer);
            return;
        }
        Message m = new Message();
        m.method = Method.GRANT;
        m.channel = slots.add(buffer);
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
