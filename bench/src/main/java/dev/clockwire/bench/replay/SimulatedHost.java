package dev.clockwire.bench.replay;

import dev.clockwire.roce.transport.SendWork;
import dev.clockwire.roce.wire.RocePacket;
import java.util.List;

/**
 * One simulated side of the connections of a capture: the queue pairs of one host address. Everything happens at once: a call
 * returns when nothing more goes on. What the host sends meanwhile is kept until {@link #takeSent}.
 */
interface SimulatedHost {
    /** Makes memory exist, page-aligned; ranges do not overlap. */
    void reserve(long va, long length);

    /** Makes a queue pair with the capture's numbers that receives and sends. */
    void connect(Endpoint qp);

    /** Lets peers reach a region under its key. */
    void register(Given.Region region);

    /** Ends the validity of a key. */
    void deregister(int key);

    /** Posts receives of this size. */
    void postReceives(int qpn, long size, int count);

    /** Changes memory as a program of this host does. */
    void poke(long va, byte[] bytes);

    /** Posts a send work request. */
    void postSend(int qpn, SendWork work, byte[] payload);

    /** Lets time pass until the queue pair sends again what is not acknowledged. */
    void retransmit(int qpn);

    /** Lets a packet arrive. */
    void feed(RocePacket packet);

    /** Returns what was sent since the last call, in order. */
    List<RocePacket> takeSent();
}
