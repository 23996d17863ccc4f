package dev.clockwire.bench.replay;

import dev.clockwire.roce.transport.RequestDecision;
import dev.clockwire.roce.transport.Requester;
import dev.clockwire.roce.transport.Responder;
import dev.clockwire.roce.transport.ResponseResult;
import dev.clockwire.roce.transport.SendWork;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.error.InvariantViolation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A host whose device is the transport's rules and a memory, without any time. */
final class RuleHost implements SimulatedHost {
    private static final int FIRST_PORT = 0xC000;
    private static final int PORTS = 0x4000;

    private final Map<Integer, RuleQp> qps = new HashMap<>();
    private final List<Given.Region> regions = new ArrayList<>();
    private final SparseMemory memory = new SparseMemory();
    private final RequestDecision decision = new RequestDecision();
    private final ResponseResult result = new ResponseResult();
    private List<RocePacket> sent = new ArrayList<>();

    RuleHost() {}

    @Override
    public void reserve(long va, long length) {
        // every address exists
    }

    @Override
    public void connect(Endpoint qp) {
        qps.put(qp.qpn, new RuleQp(qp, regions));
    }

    @Override
    public void register(Given.Region region) {
        regions.removeIf(r -> r.key() >>> 8 == region.key() >>> 8);
        regions.add(region);
    }

    @Override
    public void deregister(int key) {
        regions.removeIf(r -> r.key() == key);
    }

    @Override
    public void postReceives(int qpn, long size, int count) {
        for (int i = 0; i < count; i++) {
            qp(qpn).receives.addLast(size);
        }
    }

    private RuleQp qp(int qpn) {
        RuleQp qp = qps.get(qpn);
        if (qp == null) {
            throw new InvariantViolation("no queue pair " + qpn + " in this replay");
        }
        return qp;
    }

    @Override
    public void poke(long va, byte[] bytes) {
        memory.write(va, bytes, 0, bytes.length);
    }

    @Override
    public List<RocePacket> takeSent() {
        List<RocePacket> all = sent;
        sent = new ArrayList<>();
        return all;
    }

    @Override
    public void feed(RocePacket packet) {
        RuleQp qp = qps.get(packet.destQp);
        if (qp == null || qp.dead) {
            return;
        }
        if (Opcode.of(packet.opcode).isResponse()) {
            Requester.onResponse(qp.requester, packet, result);
            proceed(qp);
        } else {
            request(qp, packet);
        }
    }

    private void request(RuleQp qp, RocePacket packet) {
        RequestDecision d = decision;
        Responder.onRequest(qp.responder, packet, qp, d);
        if (d.takesReceive) {
            qp.takeReceive();
        }
        long original = d.original;
        switch (d.action) {
            case WRITE -> memory.write(d.va, packet.payload.array(), 0, packet.payloadLength);
            case ATOMIC -> original = atomic(qp, d);
            default -> {}
        }
        for (int i = 0; i < Answering.count(d); i++) {
            RocePacket answer = new RocePacket();
            long offset = Answering.fill(qp.responder, d, i, original, answer);
            byte[] bytes = new byte[answer.payloadLength];
            memory.read(d.va + offset, bytes, bytes.length);
            send(qp, answer, bytes);
        }
        qp.dead = d.qpError;
    }

    private long atomic(RuleQp qp, RequestDecision d) {
        byte[] eight = new byte[Long.BYTES];
        memory.read(d.va, eight, eight.length);
        long old = LittleEndian.get(eight);
        if (!d.compareSwap || old == d.compare) {
            poke(d.va, LittleEndian.bytes(d.compareSwap ? d.swapAdd : old + d.swapAdd));
        }
        Responder.atomicDone(qp.responder, d.resource, d.psn, old);
        return old;
    }

    private void send(RuleQp qp, RocePacket packet, byte[] payload) {
        packet.flow.set(qp.endpoint.flow);
        packet.flow.udpSourcePort = FIRST_PORT | (qp.endpoint.qpn & PORTS - 1);
        packet.payload.appendBytes(payload, 0, payload.length);
        sent.add(packet);
    }

    @Override
    public void postSend(int qpn, SendWork work, byte[] payload) {
        RuleQp qp = qp(qpn);
        long entry = Requester.admit(qp.requester, work);
        if (entry < 0) {
            throw new InvariantViolation("a work request of a replay was not admitted: " + entry);
        }
        qp.payloads.put(entry, payload);
        proceed(qp);
    }

    @Override
    public void retransmit(int qpn) {
        RuleQp qp = qp(qpn);
        Requester.onTimeout(qp.requester, result);
        proceed(qp);
    }

    /** Sends what may be sent; waits of any kind are over at once. */
    private void proceed(RuleQp qp) {
        if (qp.requester.rnrWaiting()) {
            Requester.rnrExpired(qp.requester);
        }
        while (Requester.canSend(qp.requester)) {
            RocePacket packet = new RocePacket();
            byte[] all = qp.payloads.get(qp.requester.cursorEntry());
            long offset = Requester.fillNext(qp.requester, packet);
            byte[] bytes = new byte[packet.payloadLength];
            if (all != null && bytes.length > 0) {
                System.arraycopy(all, (int) offset, bytes, 0, bytes.length);
            }
            send(qp, packet, bytes);
        }
    }
}
