package dev.clockwire.bench.replay;

import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.wire.FlowAddress;
import java.util.ArrayList;
import java.util.List;

/** One queue pair of the capture as a responder: the requests that came to it and the answers that it gave. */
final class Endpoint {
    private static final int MAX_KEPT = 16;

    /** The address it has. */
    final Gid address;
    /** Its number. */
    final int qpn;
    /** RC or UC. */
    final QpType type;
    /** Addresses of what it sends. */
    final FlowAddress flow = new FlowAddress();
    /** Requests to it, in file order. */
    final List<Captured> requests = new ArrayList<>();
    /** Answers from it, in file order. */
    final List<Captured> answers = new ArrayList<>();
    /** Number of the peer's queue pair: only answers tell it. */
    int peerQpn;
    /** PSN of the first request. */
    int startPsn;
    /** PSN of the first request that it sends itself. */
    int sendPsn;
    /** Path MTU in bytes. */
    int mtu;
    /** Code of the wait that its RNR NAKs ask for. */
    int rnrTimer;

    Endpoint(Captured first) {
        FlowAddress to = first.packet().flow;
        address = new Gid(to.dstHi, to.dstLo);
        qpn = first.packet().destQp;
        type = first.opcode().service() == QpType.UC.service() ? QpType.UC : QpType.RC;
        flow.set(to);
        flow.srcMac = to.dstMac;
        flow.dstMac = to.srcMac;
        flow.srcHi = to.dstHi;
        flow.srcLo = to.dstLo;
        flow.dstHi = to.srcHi;
        flow.dstLo = to.srcLo;
    }

    /** Creates the queue pair that asks another one: it has its address, its number, and nothing came to it. */
    Endpoint(Endpoint asked, int number) {
        address = asked.peer();
        qpn = number;
        type = asked.type;
        flow.set(asked.flow);
        flow.srcMac = asked.flow.dstMac;
        flow.dstMac = asked.flow.srcMac;
        flow.srcHi = asked.flow.dstHi;
        flow.srcLo = asked.flow.dstLo;
        flow.dstHi = asked.flow.srcHi;
        flow.dstLo = asked.flow.srcLo;
        peerQpn = asked.qpn;
        sendPsn = asked.startPsn;
        mtu = asked.mtu;
    }

    /** Returns the address of the peer. */
    Gid peer() {
        return new Gid(flow.dstHi, flow.dstLo);
    }

    /** Returns how many of its peer's READs and atomics it keeps to answer them again: as many as a ConnectX does. */
    int kept() {
        return MAX_KEPT;
    }
}
