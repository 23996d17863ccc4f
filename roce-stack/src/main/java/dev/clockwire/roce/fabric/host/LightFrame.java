package dev.clockwire.roce.fabric.host;

import dev.clockwire.roce.wire.Frame;
import dev.clockwire.roce.wire.FrameEncoder;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Token;

/** A packet of a light endpoint: what decides its way and its length, without bytes. Pooled; a receiver turns data into its answer. */
public final class LightFrame extends Frame {
    /** Kind: part of a flow. */
    public static final int DATA = 0;
    /** Kind: everything before {@link #seq} has come. */
    public static final int ACK = 1;
    /** Kind: {@link #seq} is missing. */
    public static final int NAK = 2;
    /** Kind: congestion notification. */
    public static final int CNP = 3;

    private static final long MAC_BASE = 0x0200_0000_0000L;

    int kind;
    int src;
    int dst;
    /** Place of the flow in the table of the host it goes to. */
    int flow;

    int hash;
    /** Number of the packet in its flow. */
    long seq;
    /** A NAK of selective repeat: the packet that came instead. */
    long beyond;
    /** A NAK of selective repeat: which of the 64 packets before that one came, bit n is packet beyond - 1 - n. */
    long before;

    int bytes;
    int payload;
    int dscp;
    boolean capable;
    boolean marked;
    /** An answer says that what it answers was marked. */
    boolean echo;

    /** Creates a frame with nothing in it. */
    public LightFrame() {}

    /** Returns the MAC address of a host by its number. */
    public static long mac(int host) {
        return MAC_BASE + host;
    }

    /** Returns the number of a host by its MAC address; anything else gives a number that no host has. */
    public static int hostOf(long mac) {
        long n = mac - MAC_BASE;
        return n < 0 || n > Integer.MAX_VALUE ? -1 : (int) n;
    }

    @Override
    public int wireBytes() {
        return bytes;
    }

    @Override
    public int payloadBytes() {
        return payload;
    }

    @Override
    public long destination() {
        return MAC_BASE + dst;
    }

    @Override
    public int udpPort() {
        return FrameEncoder.UDP_PORT;
    }

    @Override
    public int flowHash() {
        return hash;
    }

    @Override
    public int dscp() {
        return dscp;
    }

    @Override
    public int pcp() {
        return -1;
    }

    @Override
    public boolean ecnCapable() {
        return capable;
    }

    @Override
    public void markCongestion() {
        marked = true;
    }

    /** Returns the kind. */
    public int kind() {
        return kind;
    }

    /** Returns the flow it belongs to. */
    public int flow() {
        return flow;
    }

    /** Whether it was marked. */
    public boolean marked() {
        return marked;
    }

    @Override
    protected Token copy() {
        LightFrame c = new LightFrame();
        c.kind = kind;
        c.src = src;
        c.dst = dst;
        c.flow = flow;
        c.hash = hash;
        c.seq = seq;
        c.beyond = beyond;
        c.before = before;
        c.bytes = bytes;
        c.payload = payload;
        c.dscp = dscp;
        c.capable = capable;
        c.marked = marked;
        c.echo = echo;
        return c;
    }

    @Override
    public long digest() {
        long h = (long) kind << 60 ^ (long) flow << 28 ^ (marked ? 1L << 58 : 0) ^ (echo ? 1L << 59 : 0);
        return RandomStream.mix(h ^ seq) + ((long) src << 32 | dst) + beyond ^ before;
    }
}
