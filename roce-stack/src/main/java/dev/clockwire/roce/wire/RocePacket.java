package dev.clockwire.roce.wire;

import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.random.RandomStream;

/**
 * One RoCE packet, parsed. Mutable and made to be pooled: whoever takes it from a pool calls {@link #reset()}. Which fields
 * mean something is decided by the opcode's headers; the others are 0. Keys, QPNs and PSNs are unsigned.
 */
public final class RocePacket extends Frame {
    /** Bytes of the invariant CRC at the end of a packet. */
    public static final int ICRC_BYTES = 4;

    /** The value of {@link #flippedBit} of a frame that nothing happens to. */
    public static final int INTACT = -1;

    /** The P_Key of the default partition, full member. */
    public static final int DEFAULT_PKEY = 0xFFFF;

    /** Addresses of the frame. */
    public final FlowAddress flow = new FlowAddress();
    /** IPv4 identification, 16 bits; 0 with IPv6. */
    public int ipId;

    /** BTH opcode, 0 to 255; its row is {@code Opcode.find(opcode)}. */
    public int opcode;
    /** BTH: solicited event. */
    public boolean solicited;
    /** BTH: migration request; hardware sends 1, Linux soft-RoCE 0, a receiver ignores it. */
    public boolean migReq;
    /** BTH: pad bytes behind the payload, 0 to 3. */
    public int padCount;
    /** BTH: transport header version, 4 bits, 0. */
    public int tver;
    /** BTH: partition key; bit 15 = full member. */
    public int pkey;
    /** BTH: forward congestion notification. */
    public boolean fecn;
    /** BTH: backward congestion notification. */
    public boolean becn;
    /** BTH: destination queue pair, 24 bits. */
    public int destQp;
    /** BTH: the sender wants an acknowledgement. */
    public boolean ackReq;
    /** BTH: packet sequence number, 24 bits. */
    public int psn;

    /** RETH or AtomicETH: virtual address. */
    public long va;
    /** RETH or AtomicETH: remote key. */
    public int rkey;
    /** RETH: length of the whole message in bytes, 0 to 2^32 - 1. */
    public long dmaLen;
    /** AtomicETH: the value to swap in or to add. */
    public long swapAdd;
    /** AtomicETH: the value to compare with. */
    public long compare;
    /** AETH: syndrome, 8 bits. */
    public int syndrome;
    /** AETH: message sequence number, 24 bits. */
    public int msn;
    /** AtomicAckETH: the value before the operation. */
    public long original;
    /** ImmDt: the four bytes in wire order, first byte on top. */
    public int imm;
    /** IETH: the key to invalidate. */
    public int invalidateKey;
    /** DETH: queue key. */
    public int qkey;
    /** DETH: source queue pair, 24 bits. */
    public int srcQp;
    /** RDETH: end-to-end context, 24 bits; decoded only. */
    public int eeContext;
    /** XRCETH: shared receive queue, 24 bits; decoded only. */
    public int xrcSrq;
    /** FETH: placement type in bits 3:0, selectivity in bits 5:4. */
    public int flush;

    /** Payload in bytes without padding. Always right, also when {@link #payload} is empty because nobody needs its content. */
    public int payloadLength;
    /** The payload without padding: bytes, or extents of bulk memory. */
    public final Payload payload = new Payload();
    /** The verdict on the invariant CRC; a fault that corrupts a packet whose bytes are not here clears it. */
    public boolean icrcOk;

    /**
     * The bit of the frame that a fault flips on the line, {@link #INTACT} if none: 0 is the top bit of the destination MAC's first
     * byte. Only the encoder looks at it; a receiver gets what is left of the packet, and its verdict.
     */
    public int flippedBit;

    /** The present owner's own mark: never on the wire, not taken over by {@link #set}, kept by a snapshot. */
    public long tag;

    /** Creates a packet as {@link #reset()} leaves it. */
    public RocePacket() {
        pkey = DEFAULT_PKEY;
        icrcOk = true;
        flippedBit = INTACT;
    }

    /** Makes this a packet of the default partition with a good ICRC and zeros everywhere else; the journey is forgotten. */
    public void reset() {
        journey = 0;
        tag = 0;
        flow.reset();
        ipId = 0;
        resetBth();
        resetExtended();
        payloadLength = 0;
        payload.clear();
        icrcOk = true;
        flippedBit = INTACT;
    }

    private void resetBth() {
        opcode = 0;
        solicited = false;
        migReq = false;
        padCount = 0;
        tver = 0;
        pkey = DEFAULT_PKEY;
        fecn = false;
        becn = false;
        destQp = 0;
        ackReq = false;
        psn = 0;
    }

    private void resetExtended() {
        va = 0;
        rkey = 0;
        dmaLen = 0;
        swapAdd = 0;
        compare = 0;
        syndrome = 0;
        msn = 0;
        original = 0;
        imm = 0;
        invalidateKey = 0;
        qkey = 0;
        srcQp = 0;
        eeContext = 0;
        xrcSrq = 0;
        flush = 0;
    }

    /** Takes over everything of another packet but its owner's mark; its journey too. */
    public void set(RocePacket from) {
        journey = from.journey;
        flow.set(from.flow);
        ipId = from.ipId;
        setBth(from);
        setExtended(from);
        payloadLength = from.payloadLength;
        payload.clear();
        payload.appendFrom(from.payload, 0, from.payload.length());
        icrcOk = from.icrcOk;
        flippedBit = from.flippedBit;
    }

    private void setBth(RocePacket from) {
        opcode = from.opcode;
        solicited = from.solicited;
        migReq = from.migReq;
        padCount = from.padCount;
        tver = from.tver;
        pkey = from.pkey;
        fecn = from.fecn;
        becn = from.becn;
        destQp = from.destQp;
        ackReq = from.ackReq;
        psn = from.psn;
    }

    private void setExtended(RocePacket from) {
        va = from.va;
        rkey = from.rkey;
        dmaLen = from.dmaLen;
        swapAdd = from.swapAdd;
        compare = from.compare;
        syndrome = from.syndrome;
        msn = from.msn;
        original = from.original;
        imm = from.imm;
        invalidateKey = from.invalidateKey;
        qkey = from.qkey;
        srcQp = from.srcQp;
        eeContext = from.eeContext;
        xrcSrq = from.xrcSrq;
        flush = from.flush;
    }

    @Override
    protected RocePacket copy() {
        RocePacket copy = new RocePacket();
        copy.set(this);
        copy.tag = tag;
        return copy;
    }

    /** Returns a digest of addresses, transport headers, payload length, ICRC verdict and damage; the payload is not in it. */
    @Override
    public long digest() {
        long h = flow.digest() + ipId;
        int bits = (solicited ? 1 : 0)
                | (migReq ? 2 : 0)
                | (fecn ? 4 : 0)
                | (becn ? 8 : 0)
                | (ackReq ? 16 : 0)
                | (icrcOk ? 32 : 0);
        h = RandomStream.mix(h ^ (((long) opcode << 56) | ((long) destQp << 32) | ((long) bits << 24) | psn));
        h = RandomStream.mix(h ^ (((long) pkey << 48) | ((long) tver << 40) | ((long) padCount << 32) | payloadLength));
        h = RandomStream.mix(h ^ va) ^ ((long) rkey << 32);
        h = RandomStream.mix(h ^ dmaLen) + swapAdd;
        h = RandomStream.mix(h) ^ compare;
        h = RandomStream.mix(h ^ (((long) syndrome << 24) | msn)) + original;
        h = RandomStream.mix(h ^ (((long) imm << 32) | (invalidateKey & 0xFFFF_FFFFL)));
        h = RandomStream.mix(h ^ (((long) qkey << 32) | srcQp));
        return RandomStream.mix(h ^ (((long) eeContext << 40) | ((long) xrcSrq << 8) | flush)) ^ (flippedBit + 1L);
    }

    /** Sets the payload length in bytes and the pad count that follows from it; the content is up to the caller. */
    public void setPayloadLength(int bytes) {
        payloadLength = bytes;
        padCount = -bytes & 3;
    }

    /**
     * Returns the size of the packet from the BTH to the ICRC, both included, in bytes. Of a reserved opcode, whose headers nobody
     * knows, all behind the BTH counts as payload.
     */
    public int transportBytes() {
        Opcode known = Opcode.find(opcode);
        int headers = known == null ? Header.BTH.bytes() : known.headerBytes();
        return headers + payloadLength + padCount + ICRC_BYTES;
    }

    /** Whether this is an answer; a packet of a reserved opcode is none. */
    public boolean isResponse() {
        Opcode known = Opcode.find(opcode);
        return known != null && known.isResponse();
    }

    @Override
    public int payloadBytes() {
        return payloadLength;
    }

    @Override
    public long destination() {
        return flow.dstMac;
    }

    @Override
    public int flowHash() {
        return (int)
                (RandomStream.mix(RandomStream.mix(flow.srcLo ^ (long) flow.udpSourcePort << 48) + flow.dstLo) >>> 32);
    }

    @Override
    public int dscp() {
        return flow.dscp;
    }

    /** RoCE v1 has no UDP. */
    @Override
    public int udpPort() {
        return flow.encapsulation == Encapsulation.GRH ? 0 : FrameEncoder.UDP_PORT;
    }

    @Override
    public int pcp() {
        return flow.vlan == FlowAddress.UNTAGGED ? -1 : flow.vlan >> 13 & 7;
    }

    @Override
    public boolean ecnCapable() {
        return flow.ecn != 0;
    }

    @Override
    public void markCongestion() {
        flow.ecn = 3;
    }

    /** Returns the size of the Ethernet frame without preamble and FCS, and not padded to 60 bytes. */
    @Override
    public int wireBytes() {
        return flow.bytes() + transportBytes();
    }
}
