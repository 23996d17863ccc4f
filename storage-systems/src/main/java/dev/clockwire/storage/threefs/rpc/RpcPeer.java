package dev.clockwire.storage.threefs.rpc;

import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.cluster.Task;
import dev.clockwire.storage.threefs.net.IbSocket;
import dev.clockwire.storage.threefs.net.RdmaDone;
import dev.clockwire.storage.threefs.net.RdmaRange;
import dev.clockwire.storage.threefs.net.SocketUser;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One end of a connection over which both sides may ask. */
public final class RpcPeer implements SocketUser {
    /** Bits of a notice's word that tell how long the request is; the others are the slot's number. */
    private static final int NOTICE_HEAD = 14;

    private final Node node;
    private final RpcNet net;
    private final RpcHandler handler;
    private final boolean active;
    private final Map<Long, Call> calls = new TreeMap<>();
    private final Task timeout = this::timedOut;
    private @Nullable IbSocket socket;
    private byte[] stream = {};
    private int held;
    private final List<Runnable> closing = new ArrayList<>();
    private boolean gone;
    private long nextId = 1;
    /** Whatever the handler keeps for this connection. */
    private @Nullable Object attachment;

    /** Who waits for an answer, and the timer that ends it. */
    private record Call(RpcReply reply, long timer) {}

    RpcPeer(Node node, RpcNet net, RpcHandler handler, boolean active) {
        this.node = node;
        this.net = net;
        this.handler = handler;
        this.active = active;
    }

    void use(IbSocket s) {
        socket = s;
    }

    /** Returns the connection, for one-sided operations. */
    public IbSocket socket() {
        return java.util.Objects.requireNonNull(socket);
    }

    /** Keeps something for the handler. */
    public void attach(@Nullable Object what) {
        attachment = what;
    }

    /** Returns what the handler keeps, null if nothing. */
    public @Nullable Object attachment() {
        return attachment;
    }

    /** Returns whether the connection is gone. */
    public boolean isLost() {
        return socket().isDead();
    }

    /**
     * Asks.
     *
     * @param timeoutPs after which there is no answer any more
     */
    public void call(Message request, long timeoutPs, RpcReply reply) {
        if (begins(request, timeoutPs, reply)) {
            byte[] b = request.encode();
            socket().send(b, b.length, request.name());
        }
    }

    /**
     * Asks by a notice: the request is written before the bytes that it is about.
     *
     * @param slot number of the other side's slot
     * @param written when the bytes here may change again, beside the answer
     */
    void call(Message request, RdmaRange bytes, int slot, long timeoutPs, RdmaDone written, RpcReply reply) {
        if (begins(request, timeoutPs, reply)) {
            byte[] b = request.encode();
            socket().notice(b, bytes, slot << NOTICE_HEAD | b.length, request.name(), written);
        } else {
            written.done(false);
        }
    }

    /**
     * Asks by another way than this connection, over which only the answer comes.
     *
     * @return what is to be sent, null if there is nobody to ask
     */
    public byte @Nullable [] expect(Message request, long timeoutPs, RpcReply reply) {
        return begins(request, timeoutPs, reply) ? request.encode() : null;
    }

    private boolean begins(Message request, long timeoutPs, RpcReply reply) {
        request.id = nextId++;
        if (isLost()) {
            fail(request.id, Status.COMMUNICATION, reply);
            return false;
        }
        calls.put(request.id, new Call(reply, node.worker(0).after(timeoutPs, timeout, request.id, 0)));
        return true;
    }

    /** Answers a request of the other side; into the void if the connection is gone. */
    public void answer(Message answer) {
        byte[] b = answer.encode();
        socket().send(b, b.length, answer.name());
    }

    /** Ends the connection; {@code then} runs when neither side can touch the other's memory over it any more. */
    public void close(Runnable then) {
        socket().close();
        if (gone) {
            node.worker(0).post((a, b) -> then.run(), 0, 0);
        } else {
            closing.add(then);
        }
    }

    private void timedOut(long id, long unused) {
        Call call = calls.remove(id);
        if (call != null) {
            fail(id, Status.TIMEOUT, call.reply);
        }
    }

    private static void fail(long id, Status how, RpcReply reply) {
        Message m = new Message();
        m.answer = true;
        m.id = id;
        m.status = how;
        reply.answered(m);
    }

    @Override
    public void received(byte[] bytes, int length) {
        int taken = held == 0 ? messages(bytes, length) : 0; // most come whole: they are not kept here
        if (taken < 0 || taken == length) {
            return;
        }
        keep(bytes, taken, length - taken);
        if (held > length - taken) {
            int more = messages(stream, held);
            if (more > 0) {
                System.arraycopy(stream, more, stream, 0, held - more);
                held -= more;
            }
        }
    }

    private void keep(byte[] bytes, int from, int length) {
        if (held + length > stream.length) {
            stream = Arrays.copyOf(stream, Math.max(2 * stream.length, held + length));
        }
        System.arraycopy(bytes, from, stream, held, length);
        held += length;
    }

    /** Takes the whole messages at the front of some bytes; returns how many bytes they are, -1 if somebody else speaks. */
    private int messages(byte[] bytes, int length) {
        int at = 0;
        while (length - at >= Message.HEAD) {
            int n = Message.lengthOf(bytes, at);
            if (n > length - at) {
                break;
            }
            Message m = n < 0 ? null : Message.decode(bytes, at, n);
            if (m == null) {
                socket().close(); // not one of ours speaks
                return -1;
            }
            at += n;
            take(m);
        }
        return at;
    }

    @Override
    public void noticed(int word, int length) {
        handler.noticed(this, word, length);
    }

    /** Returns the slot that a notice names. */
    public static int noticedSlot(int word) {
        return word >>> NOTICE_HEAD;
    }

    /** Returns the bytes of the request that a notice names. */
    public static int noticedHead(int word) {
        return word & ((1 << NOTICE_HEAD) - 1);
    }

    private void take(Message m) {
        if (!m.answer) {
            handler.request(this, m);
            return;
        }
        Call call = calls.remove(m.id);
        if (call != null) {
            node.worker(0).cancel(call.timer);
            call.reply.answered(m);
        }
    }

    @Override
    public void established() {
        if (!active) {
            handler.joined(this);
        }
    }

    @Override
    public void broken() {
        net.broken(this);
        List<Call> open = new ArrayList<>(calls.values());
        calls.clear();
        open.forEach(call -> node.worker(0).cancel(call.timer));
        gone = true;
        handler.lost(this);
        open.forEach(call -> fail(0, Status.COMMUNICATION, call.reply));
        closing.forEach(Runnable::run);
        closing.clear();
    }
}
