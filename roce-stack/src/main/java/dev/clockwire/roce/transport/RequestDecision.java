package dev.clockwire.roce.transport;

/** What a request packet means for the receive side. Mutable and reused. */
public final class RequestDecision {
    /** What is to be done with the packet. */
    public enum Action {
        /** Nothing; see {@link RequestDecision#drop}. */
        DROP,
        /** Place the payload at {@link RequestDecision#va}. */
        WRITE,
        /** Place the payload into the receive buffers at {@link RequestDecision#offset}. */
        SEND,
        /** Read {@link RequestDecision#length} bytes at {@link RequestDecision#va} and send the responses. */
        READ,
        /** The same again, for a duplicate: the whole READ or its end. */
        REREAD,
        /** Do the atomic, then call {@link Responder#atomicDone}. */
        ATOMIC,
        /**
         * Send the kept result of {@link RequestDecision#resource} again. While the first try is {@link RequestDecision#unfinished} the
         * answer waits for it: each request gets one answer, the operation is done once.
         */
        REPLAY_ATOMIC,
        /** Acknowledge {@link RequestDecision#ackPsn} again. */
        REACK,
        /** Refuse: send {@link RequestDecision#syndrome} with {@link RequestDecision#ackPsn}. */
        NAK
    }

    /** Why a packet was dropped in silence. */
    public enum Drop {
        /** Not dropped. */
        NONE,
        /** Newer than expected, and the refusal is already on its way. */
        OUT_OF_SEQUENCE,
        /** A duplicate that needs no answer, or for which nothing is kept. */
        DUPLICATE,
        /** An opcode of another service, or no request at all. */
        WRONG_SERVICE,
        /** UC: part of a message that cannot be completed. */
        MESSAGE_LOST,
        /** UC and UD: a request that RC would refuse. */
        INVALID,
        /** UC and UD: access to memory was refused. */
        ACCESS,
        /** UC and UD: no receive work request. */
        NO_RECEIVE
    }

    /** What is to be done with the packet. */
    public Action action = Action.DROP;
    /** With DROP: why. */
    public Drop drop = Drop.NONE;
    /** PSN of the packet. */
    public int psn;
    /** PSN of the acknowledgement or refusal; with READ and ATOMIC, of the first response. */
    public int ackPsn;
    /** Syndrome of the acknowledgement or refusal. */
    public int syndrome;
    /** MSN of whatever is sent. */
    public int msn;
    /** MSN without this message, for a refusal that comes late. */
    int msnBefore;
    /** The peer can be told of a refusal. */
    boolean reliable;
    /** The peer is owed an acknowledgement of {@link #ackPsn}, after the data is placed. */
    public boolean ackDue;
    /** The refusal is final: the queue pair goes to ERR. */
    public boolean qpError;
    /** With WRITE, READ, ATOMIC: the address; of WRITE, of this packet's payload. */
    public long va;
    /** With WRITE, READ, ATOMIC: the key. */
    public int rkey;
    /** With SEND: where the payload goes in the receive buffers; UD leaves 40 bytes for the global route header. */
    public long offset;
    /** Bytes to place or to read. */
    public long length;
    /** A receive work request is taken at this packet. */
    public boolean takesReceive;
    /** The receive work request is complete with this packet. */
    public boolean completesReceive;
    /** With {@link #completesReceive}: bytes received or, with immediate, written. */
    public long byteLength;
    /** With {@link #completesReceive}: the opcode was a write with immediate. */
    public boolean receiveOfWrite;
    /** {@link #immOrKey} is immediate data in wire order. */
    public boolean hasImm;
    /** {@link #immOrKey} is a key to invalidate before the completion. */
    public boolean hasInvalidate;
    /** See {@link #hasImm} and {@link #hasInvalidate}. */
    public int immOrKey;
    /** The completion is a solicited one. */
    public boolean solicited;
    /** With NAK: status of the receive work request in use; SUCCESS if none is concerned. */
    public WcStatus receiveStatus = WcStatus.SUCCESS;
    /** With READ, REREAD, ATOMIC, REPLAY_ATOMIC: the slot that keeps the answer. */
    public int resource;
    /** With READ and REREAD: how many responses to send. */
    public int responses;
    /** With ATOMIC: compare and swap, else fetch and add. */
    public boolean compareSwap;
    /** With ATOMIC: the value to swap in or to add. */
    public long swapAdd;
    /** With ATOMIC: the value to compare with. */
    public long compare;
    /** With REPLAY_ATOMIC: the kept result. */
    public long original;
    /** With REPLAY_ATOMIC: the first try is still being executed, its result is not known yet. */
    public boolean unfinished;

    /** Creates a decision that says nothing. */
    public RequestDecision() {}

    void reset(ResponderState s, int packetPsn) {
        action = Action.DROP;
        drop = Drop.NONE;
        syndrome = Syndrome.ACK;
        reliable = s.type == QpType.RC;
        psn = packetPsn;
        ackPsn = packetPsn;
        msn = s.msn;
        msnBefore = s.msn;
        ackDue = false;
        qpError = false;
        va = 0;
        rkey = 0;
        offset = 0;
        length = 0;
        resetReceive();
        resource = 0;
        responses = 0;
        compareSwap = false;
        swapAdd = 0;
        compare = 0;
        original = 0;
        unfinished = false;
    }

    private void resetReceive() {
        takesReceive = false;
        completesReceive = false;
        byteLength = 0;
        receiveOfWrite = false;
        hasImm = false;
        hasInvalidate = false;
        immOrKey = 0;
        solicited = false;
        receiveStatus = WcStatus.SUCCESS;
    }

    void nak(int code) {
        action = Action.NAK;
        syndrome = code;
        msn = msnBefore;
        ackDue = false;
        completesReceive = false;
    }

    void drop(Drop why) {
        action = Action.DROP;
        drop = why;
    }
}
