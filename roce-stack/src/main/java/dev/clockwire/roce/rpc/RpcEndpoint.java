package dev.clockwire.roce.rpc;

import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.Errno;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.roce.verbs.WcOpcode;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.AddressSpace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One end of a connection over which both sides call each other. It does nothing by itself: the program of its core calls {@link
 * #poll} in its steps.
 *
 * <p>A side may send as many messages as the other has receives for: credits. They come back with whatever goes the other way;
 * if nothing does, a message of its own returns them when half are used up. The last credit is kept for that message, so that two sides that both
 * wait cannot stop each other.
 */
public final class RpcEndpoint {
    private final QueuePair qp;
    private final CompletionQueue cq;
    private final MemoryRegion region;
    private final AddressSpace memory;
    private final RpcSpec spec;
    private final RpcHandler handler;
    private final WorkCompletion[] wc;
    private final SendBatch send = new SendBatch(1, 1);
    private final ReceiveBatch receive = new ReceiveBatch(1, 1);
    private final byte[] head = new byte[RpcHeader.BYTES];
    private final Deque<Message> waiting = new ArrayDeque<>();
    private final Deque<Integer> freeSlots = new ArrayDeque<>();
    private final Map<Long, Completion<byte[]>> calls = new TreeMap<>();
    private long nextCall = 1;
    private int credits;
    private int owed;
    private WcStatus broken = WcStatus.SUCCESS;
    private long creditMessages;

    /** A message that waits for a credit and a buffer. */
    private static final class Message {
        final int kind;
        final long call;
        final byte[] body;

        Message(int kind, long call, byte[] body) {
            this.kind = kind;
            this.call = call;
            this.body = body;
        }
    }

    /**
     * Creates an end and posts its receives; the other end must have done so before the first message.
     *
     * @param qp ready to receive or about to be; it has at least the slots of the specification in both directions
     * @param cq of the queue pair alone, both directions
     * @param region at least {@link RpcSpec#bufferBytes} bytes with LOCAL_WRITE
     * @param memory of the core
     */
    public RpcEndpoint(
            QueuePair qp,
            CompletionQueue cq,
            MemoryRegion region,
            AddressSpace memory,
            RpcSpec spec,
            RpcHandler handler) {
        if (region.length() < spec.bufferBytes()) {
            throw new ConfigurationException(
                    "RPC: " + region.length() + " bytes of buffers, needs " + spec.bufferBytes());
        }
        this.qp = qp;
        this.cq = cq;
        this.region = region;
        this.memory = memory;
        this.spec = spec;
        this.handler = handler;
        wc = WorkCompletion.array(spec.slots());
        credits = spec.slots();
        for (int i = 0; i < spec.slots(); i++) {
            freeSlots.add(i);
            postReceive(i);
        }
    }

    /**
     * Calls the other side.
     *
     * @return the answer; fails with EIO if the connection breaks
     */
    public Completion<byte[]> call(byte[] body) {
        Completion<byte[]> answer = new Completion<>();
        if (broken != WcStatus.SUCCESS) {
            answer.fail(failure());
            return answer;
        }
        long call = nextCall++;
        calls.put(call, answer);
        queue(new Message(RpcHeader.CALL, call, body));
        return answer;
    }

    private void queue(Message message) {
        if (message.body.length > spec.messageBytes()) {
            throw new ConfigurationException(
                    "RPC message of " + message.body.length + " bytes: at most " + spec.messageBytes());
        }
        waiting.add(message);
        pump();
    }

    /** Sends what may be sent. */
    private void pump() {
        while (broken == WcStatus.SUCCESS && !freeSlots.isEmpty() && !waiting.isEmpty() && credits > 1) {
            transmit(waiting.remove());
        }
        if (owed > spec.slots() / 2 && credits > 0 && !freeSlots.isEmpty() && broken == WcStatus.SUCCESS) {
            creditMessages++;
            transmit(new Message(RpcHeader.CREDITS, 0, new byte[0]));
        }
    }

    private void transmit(Message message) {
        int slot = freeSlots.remove();
        credits--;
        long at = region.address() + (long) (spec.slots() + slot) * spec.slotBytes();
        new RpcHeader(message.kind, owed, message.body.length, message.call).write(head);
        owed = 0;
        memory.putBytes(at, head, 0, head.length);
        memory.putBytes(at + RpcHeader.BYTES, message.body, 0, message.body.length);
        send.clear();
        SendEntry wr = send.add();
        wr.wrId = slot;
        wr.opcode = WrOpcode.SEND;
        wr.flags = SendFlag.SIGNALED.code();
        wr.sges().add(at, RpcHeader.BYTES + message.body.length, region.lkey());
        qp.postSend(send);
    }

    private long receiveAt(int slot) {
        return region.address() + (long) slot * spec.slotBytes();
    }

    private void postReceive(int slot) {
        receive.clear();
        var wr = receive.add();
        wr.wrId = slot;
        wr.sges().add(receiveAt(slot), spec.slotBytes(), region.lkey());
        qp.postReceive(receive);
    }

    /** Handles what has arrived and what has left; returns whether there was anything. To be called in a step of the core. */
    public boolean poll() {
        int n = cq.poll(wc);
        for (int i = 0; i < n; i++) {
            int slot = (int) wc[i].wrId;
            if (wc[i].status != WcStatus.SUCCESS) {
                fail(wc[i].status);
            } else if (wc[i].opcode == WcOpcode.RECV) {
                received(slot);
            } else {
                freeSlots.add(slot);
            }
        }
        if (n > 0) {
            pump();
        }
        return n > 0;
    }

    private void received(int slot) {
        memory.getBytes(receiveAt(slot), head, 0, head.length);
        RpcHeader header = RpcHeader.read(head);
        byte[] body = new byte[Math.max(0, Math.min(header.length(), spec.messageBytes()))];
        memory.getBytes(receiveAt(slot) + RpcHeader.BYTES, body, 0, body.length);
        postReceive(slot);
        owed++;
        credits += header.credits();
        if (header.kind() == RpcHeader.CALL) {
            long call = header.call();
            handler.called(body).whenDone(answer -> queue(new Message(RpcHeader.ANSWER, call, answer)));
        } else if (header.kind() == RpcHeader.ANSWER) {
            Completion<byte[]> open = calls.remove(header.call());
            if (open != null) {
                open.complete(body);
            }
        }
    }

    /** The connection is broken: every open call ends. */
    private void fail(WcStatus status) {
        if (broken == WcStatus.SUCCESS) {
            broken = status;
            waiting.clear();
            List<Completion<byte[]>> open = new ArrayList<>(calls.values());
            calls.clear();
            open.forEach(call -> call.fail(failure()));
        }
    }

    private VerbsException failure() {
        return new VerbsException(Errno.EIO, "rpc", "the connection is broken: " + broken.text());
    }

    /** Returns the calls that have no answer yet. */
    public int openCalls() {
        return calls.size();
    }

    /** Returns the messages that only returned credits. */
    public long creditMessages() {
        return creditMessages;
    }
}
