package dev.clockwire.testkit.nic;

import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;

/** Work requests from one side of a {@link Pair} to the other, written down in few words. */
public final class Posts {
    private final Pair.Side from;
    private final Pair.Side to;
    private final SendBatch batch = new SendBatch(1, 4);
    private final ReceiveBatch receives = new ReceiveBatch(1, 4);
    private long nextId = 1;

    /** Creates work requests of a side; what is remote lies at the other. */
    public Posts(Pair.Side from, Pair.Side to) {
        this.from = from;
        this.to = to;
    }

    /** Starts a signalled work request from the buffer's start to the peer's; the caller changes what it likes and posts it. */
    public SendEntry begin(WrOpcode opcode, int length) {
        batch.clear();
        SendEntry e = batch.add();
        e.wrId = nextId++;
        e.opcode = opcode;
        e.flags = SendFlag.SIGNALED.code();
        e.remoteAddress = to.at(0);
        e.rkey = to.mr.rkey();
        e.sges().add(from.at(0), length, from.mr.lkey());
        return e;
    }

    /** Posts what was begun last; returns its work request id. */
    public long post() {
        from.qp.postSend(batch);
        return batch.get(0).wrId;
    }

    /** Posts a signalled work request; returns its work request id. */
    public long post(WrOpcode opcode, int length) {
        begin(opcode, length);
        return post();
    }

    /** Posts a receive of the side itself; returns its work request id. */
    public long receive(int offset, int length) {
        receives.clear();
        var r = receives.add();
        r.wrId = nextId++;
        r.sges().add(from.at(offset), length, from.mr.lkey());
        from.qp.postReceive(receives);
        return r.wrId;
    }
}
