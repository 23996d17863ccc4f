package dev.clockwire.nic.context;

import dev.clockwire.nic.format.Cqe;
import dev.clockwire.nic.format.CqeSyndrome;
import dev.clockwire.nic.stage.Journal;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.sim.state.Token;

/** A finished work request on its way to a completion queue. */
public final class Completion extends Token implements BehindWrites {
    /** Completion queue. */
    public int cqn;
    /** Local queue pair. */
    public int qpn;
    /** Opcode of the CQE. */
    public int opcode;
    /** Opcode of the WQE, for requester entries. */
    public int wqeOpcode;
    /** Index of the WQE that the entry frees. */
    public int wqeCounter;
    /** Bytes received or read. */
    public int byteCount;
    /** Immediate data or invalidated key. */
    public int imm;
    /** Source queue pair of a datagram. */
    public int srcQp;
    /** Error code, 0 for success. */
    public int syndrome;
    /** Hash of a received Ethernet frame's flow. */
    public int hash;
    /** Checksums of a received Ethernet frame that are right, as in {@link Cqe#putChecksums}. */
    public int checksums;
    /** Sum over what is behind its Ethernet header; 0 without an IP header. */
    public int sum;
    /** A solicited one. */
    public boolean solicited;
    /** Time at which the operation was finished, or since when it waits for alike ones, in ps. */
    public long donePs;

    /** Creates an empty completion. */
    public Completion() {}

    /** The opcode of what is no completion: a queue pair on its way to RESET has no more behind this. */
    public static final int END = -1;

    /** Makes this the end of the completions of one side of a queue pair. */
    public Completion end(int ofQpn, int toCqn) {
        opcode = END;
        qpn = ofQpn;
        cqn = toCqn;
        journey = 0;
        return this;
    }

    /** Says that this is not of an Ethernet frame: the object may have been. */
    public void ofRdma() {
        hash = 0;
        checksums = 0;
        sum = 0;
    }

    @Override
    public int stage(Journal journal) {
        return opcode == Cqe.REQ || opcode == Cqe.REQ_ERR ? journal.completion : journal.recvCompletion;
    }

    @Override
    public int queuePair() {
        return qpn;
    }

    @Override
    public boolean isEnd() {
        return opcode == END;
    }

    @Override
    public void unplaced(boolean first, int part) {
        boolean failed = syndrome != 0 && syndrome != CqeSyndrome.of(WcStatus.WR_FLUSH_ERR);
        if (!(first && failed)) {
            boolean request = opcode == Cqe.REQ || opcode == Cqe.REQ_ERR;
            opcode = request ? Cqe.REQ_ERR : Cqe.RESP_ERR;
            syndrome = CqeSyndrome.of(first ? WcStatus.LOC_QP_OP_ERR : WcStatus.WR_FLUSH_ERR);
            byteCount = 0;
        }
    }

    @Override
    protected Completion copy() {
        Completion c = new Completion();
        c.cqn = cqn;
        c.qpn = qpn;
        c.opcode = opcode;
        c.wqeOpcode = wqeOpcode;
        c.wqeCounter = wqeCounter;
        c.byteCount = byteCount;
        c.imm = imm;
        c.srcQp = srcQp;
        c.hash = hash;
        c.checksums = checksums;
        c.sum = sum;
        c.syndrome = syndrome;
        c.solicited = solicited;
        c.donePs = donePs;
        return c;
    }
}
