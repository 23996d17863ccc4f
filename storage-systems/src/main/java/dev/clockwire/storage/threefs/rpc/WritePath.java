package dev.clockwire.storage.threefs.rpc;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.threefs.net.RdmaRange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * Sends requests whose bytes lie in registered memory, on one of the {@link DataPath}s. A granted slot is used again when the request that came with it is
 * answered; if it is not answered in time the connection is closed, so that nothing late can reach a slot that is somebody else's by then.
 */
public final class WritePath {
    /** Flag of a request: its bytes are in memory of the receiver, where {@link Message#address} says. */
    public static final int PUSHED = 4;

    /** Flag of a request: its bytes come by the lane of its client, as the message whose number is in {@link Message#address}. */
    public static final int LANED = 8;

    private final Node node;
    private final DataPath path;
    private final int slots;
    private final Places places;
    private final Notice notice;
    private final Consumer<Message> slotted;

    /** One slot at the other side. */
    private record Slot(int number, long address) {}

    /** Slots at the other side of a connection, for one place in a chain. */
    private static final class Slots {
        final Deque<Slot> free = new ArrayDeque<>();
        final Deque<Waiting> waiting = new ArrayDeque<>();
        int rkey;
        int used;
    }

    /** All of them, lowest place first. */
    private static final class Held {
        final List<Slots> places = new ArrayList<>();
    }

    /** A request that waits for a slot. */
    private record Waiting(Message m, long va, int lkey, long timeoutPs, RpcReply reply, long timer) {}

    /**
     * Creates the path of an incarnation of a node.
     *
     * @param slots that others grant for each place, if bytes are pushed
     * @param places that it writes to
     * @param notice how others hear of what is pushed
     * @param slotted hears of what has got its slot
     */
    public WritePath(Node node, DataPath path, int slots, Places places, Notice notice, Consumer<Message> slotted) {
        this.node = node;
        this.path = path;
        this.slots = slots;
        this.places = places;
        this.notice = notice;
        this.slotted = slotted;
    }

    /**
     * Asks the other side to write.
     *
     * @param va where the bytes lie, until the answer comes
     * @param m what to write; tells its length
     * @param place of the other side in the chain
     */
    public void send(RpcPeer peer, Message m, int place, long va, int lkey, int rkey, long timeoutPs, RpcReply reply) {
        switch (path) {
            case PULL -> {
                m.address = va;
                m.rkey = rkey;
                peer.call(m, timeoutPs, reply);
            }
            case INLINE -> {
                byte[] bytes = new byte[m.length + m.dataLength];
                node.worker(0).core().charge(HostCost.COPY_BYTE, m.length);
                node.worker(0).core().memory().getBytes(va, bytes, 0, m.length);
                System.arraycopy(m.data, 0, bytes, m.length, m.dataLength); // what it carries anyway
                m.with(bytes, bytes.length);
                peer.call(m, timeoutPs, reply);
            }
            case PUSH -> push(peer, slots(peer, places.nearest(place)), m, va, lkey, timeoutPs, reply);
        }
    }

    private Slots slots(RpcPeer peer, int place) {
        return held(peer).places.get(place - places.first());
    }

    private Held held(RpcPeer peer) {
        if (peer.attachment() instanceof Held h) {
            return h;
        }
        Held h = new Held();
        for (int i = 0; i < places.count(); i++) {
            h.places.add(new Slots());
        }
        peer.attach(h);
        return h;
    }

    private void push(RpcPeer peer, Slots s, Message m, long va, int lkey, long timeoutPs, RpcReply reply) {
        Slot slot = peer.isLost() ? null : s.free.poll();
        if (slot == null) {
            if (peer.isLost()) {
                peer.call(m, timeoutPs, reply); // says so
            } else {
                long timer = node.worker(0).after(timeoutPs, (a, b) -> giveUp(peer, s, m), 0, 0);
                s.waiting.add(new Waiting(m, va, lkey, timeoutPs, reply, timer));
            }
            return;
        }
        slotted.accept(m);
        s.used++;
        m.address = slot.address();
        m.flags |= PUSHED;
        WriteEnd both = new WriteEnd(answer -> {
            s.used--;
            if (answer.status.isNoAnswer()) {
                peer.close(() -> reply.answered(answer)); // until then the device may send the bytes again
            } else {
                s.free.add(slot);
                next(peer, s);
                reply.answered(answer);
            }
        });
        RdmaRange bytes = new RdmaRange(va, m.length, lkey, slot.address(), s.rkey);
        if (notice == Notice.IMM) {
            peer.call(m, bytes, slot.number(), timeoutPs, both, both);
        } else {
            peer.socket().write(List.of(bytes), m.bytesName(), both);
            peer.call(m, timeoutPs, both);
        }
    }

    /** No slot came in time. If none of the place is in use either, the other side has granted none, and may not even know of the connection any more. */
    private static void giveUp(RpcPeer peer, Slots s, Message m) {
        for (Waiting w : s.waiting) {
            if (w.m == m) {
                s.waiting.remove(w);
                if (s.used == 0) {
                    peer.socket().close();
                }
                w.reply.answered(new Message().answers(m, Status.TIMEOUT));
                return;
            }
        }
    }

    private void next(RpcPeer peer, Slots s) {
        Waiting first = s.waiting.poll();
        if (first != null) {
            node.worker(0).cancel(first.timer);
            push(peer, s, first.m, first.va, first.lkey, first.timeoutPs, first.reply);
        }
    }

    /** The other side has granted slots. */
    public void granted(RpcPeer peer, Message m) {
        if (!places.contains(m.offset)) {
            peer.socket().close(); // nothing here could use it
            return;
        }
        Slots s = slots(peer, m.offset);
        s.rkey = m.rkey;
        for (int at = 0; at + 8 <= m.dataLength; at += 8) {
            s.free.add(new Slot(m.channel, LittleEndian.get64(m.data, at)));
            next(peer, s);
        }
    }

    /** Returns whether a connection can be used, slots included. */
    public boolean isReady(RpcPeer peer) {
        return peer.socket().isOpen()
                && (path != DataPath.PUSH || held(peer).places.stream().allMatch(s -> s.free.size() == slots));
    }

    /** A connection is gone: who waits for a slot of it hears that. */
    public void lost(RpcPeer peer) {
        if (peer.attachment() instanceof Held h) {
            for (Slots s : h.places) {
                while (!s.waiting.isEmpty()) {
                    next(peer, s);
                }
            }
        }
    }
}
