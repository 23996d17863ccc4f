package dev.clockwire.storage.nvmf.target;

import dev.clockwire.nvme.fabrics.ConnectData;
import dev.clockwire.nvme.fabrics.FabricsCommand;
import dev.clockwire.nvme.fabrics.RdmaPrivateData;
import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.SglDescriptor;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.roce.cm.CmEvent;
import dev.clockwire.roce.cm.CmEventType;
import dev.clockwire.roce.cm.CmId;
import dev.clockwire.roce.cm.CmParameters;
import dev.clockwire.roce.cm.PrivateData;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.WcOpcode;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One queue of a host that does by hand what it is told, wrong things too. */
final class HostQueue {
    private static final int SLOTS = 64;
    private static final int CAPSULE = 8192;

    final TargetRig rig;
    final int qid;
    final List<CmEvent> events = new ArrayList<>();
    final List<CqEntry> responses = new ArrayList<>();
    final List<Integer> invalidated = new ArrayList<>();

    @Nullable
    WcStatus broken;

    private final CompletionQueue cq;
    private final CmId id;
    private final QueuePair qp;
    private final Allocation buffers;
    private final MemoryRegion region;
    private final WorkCompletion[] wc = WorkCompletion.array(32);
    private int next;
    int cid;
    /** How long a response is waited for, in us. */
    long patience = 50_000;

    HostQueue(TargetRig rig, int qid) {
        this.rig = rig;
        this.qid = qid;
        cq = rig.lab.await(rig.lab.a().context().createCq(512));
        id = rig.cm.createId(events::add);
        qp = rig.lab.await(id.createQp(
                rig.pd,
                QpInit.of(QpType.RC, cq, new QpCapabilities(128, SLOTS, 1, 1, 0)),
                EnumSet.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE)));
        buffers = rig.lab.a().host().memory().allocate("q" + qid, SLOTS * (CAPSULE + 16L), Allocation.Kind.REAL, 4096);
        region = rig.lab.await(rig.pd.regMr(buffers.address(), buffers.length(), EnumSet.of(AccessFlag.LOCAL_WRITE)));
        for (int i = 0; i < SLOTS; i++) {
            receive(i);
        }
    }

    private long responseAt(int slot) {
        return buffers.address() + (long) SLOTS * CAPSULE + 16L * slot;
    }

    private void receive(int slot) {
        ReceiveBatch batch = new ReceiveBatch(1, 1);
        var wr = batch.add();
        wr.wrId = slot;
        wr.sges().add(responseAt(slot), 16, region.lkey());
        qp.postReceive(batch);
    }

    /** Asks for a connection as a host does. */
    HostQueue open(int depth) {
        return open(new RdmaPrivateData.Request(qid, depth, depth, 0).bytes(), 16);
    }

    HostQueue open(byte[] told, int reads) {
        id.connect(rig.server(), TargetRig.PORT, new CmParameters(reads, 0, false, 7, 7, PrivateData.of(told)));
        rig.until(() -> has(CmEventType.ESTABLISHED) || has(CmEventType.REJECTED), patience);
        return this;
    }

    boolean has(CmEventType type) {
        return events.stream().anyMatch(e -> e.type() == type);
    }

    byte[] reply() {
        CmEventType t = has(CmEventType.REJECTED) ? CmEventType.REJECTED : CmEventType.CONNECT_RESPONSE;
        return events.stream()
                .filter(e -> e.type() == t)
                .findFirst()
                .orElseThrow()
                .privateData()
                .bytes(32);
    }

    /** Sends a capsule as it is. */
    void send(byte[] capsule, int length) {
        int slot = next++ % SLOTS;
        long at = buffers.address() + (long) slot * CAPSULE;
        rig.lab.a().host().memory().putBytes(at, capsule, 0, length);
        SendBatch batch = new SendBatch(1, 1);
        SendEntry wr = batch.add();
        wr.wrId = 1000L + slot;
        wr.opcode = WrOpcode.SEND;
        wr.flags = SendFlag.SIGNALED.code();
        wr.sges().add(at, length, region.lkey());
        qp.postSend(batch);
    }

    void send(SqEntry e) {
        send(e.bytes(), SqEntry.BYTES);
    }

    void poll() {
        int n = cq.hasCompletion() ? cq.poll(wc) : 0;
        for (int i = 0; i < n; i++) {
            if (wc[i].status != WcStatus.SUCCESS) {
                broken = broken == null ? wc[i].status : broken;
            } else if (wc[i].opcode == WcOpcode.RECV) {
                byte[] b = new byte[16];
                int slot = (int) wc[i].wrId;
                rig.lab.a().host().memory().getBytes(responseAt(slot), b, 0, 16);
                responses.add(new CqEntry().load(b, 0));
                invalidated.add(wc[i].flags != 0 ? wc[i].immOrKey : 0);
                receive(slot);
            }
        }
    }

    /** Waits for one more response. */
    CqEntry response() {
        return response(patience);
    }

    /** Waits for one more response, so many microseconds. */
    CqEntry response(long us) {
        int had = responses.size();
        boolean came = rig.until(
                () -> {
                    poll();
                    return responses.size() > had || broken != null;
                },
                us);
        if (!came || responses.size() == had) {
            throw new AssertionError("no response: " + broken + ", " + rig.notes + ", " + rig.states);
        }
        return responses.get(responses.size() - 1);
    }

    CqEntry command(SqEntry e) {
        send(e);
        return response();
    }

    /** Returns a command without data; as Linux does it, with a keyed descriptor of nothing. */
    SqEntry entry(int opcode, int nsid) {
        SqEntry e = new SqEntry().command(opcode, cid++, nsid).flags(SqEntry.SGL, 0);
        SglDescriptor.putKeyed(e.bytes(), SqEntry.DATA, SglDescriptor.ADDRESS, 0, 0, 0);
        return e;
    }

    /** Waits for the response to a command. */
    CqEntry responseTo(SqEntry e) {
        CqEntry[] found = new CqEntry[1];
        boolean came = rig.until(
                () -> {
                    poll();
                    responses.stream().filter(r -> r.cid() == e.cid()).forEach(r -> found[0] = r);
                    return found[0] != null;
                },
                patience);
        if (!came) {
            throw new AssertionError("no response: " + broken + ", " + rig.notes + ", " + rig.states);
        }
        return found[0];
    }

    /** Points a command to the host's memory. */
    SqEntry keyed(SqEntry e, int offset, int length) {
        SglDescriptor.putKeyed(
                e.bytes(),
                SqEntry.DATA,
                SglDescriptor.ADDRESS,
                rig.memory.address() + offset,
                length,
                rig.region.rkey());
        return e;
    }

    /** Sends a command with data behind it. */
    CqEntry inCapsule(SqEntry e, byte[] data, int told) {
        byte[] all = new byte[SqEntry.BYTES + data.length];
        SglDescriptor.put(e.bytes(), SqEntry.DATA, SglDescriptor.DATA_BLOCK, SglDescriptor.OFFSET, 0, told);
        e.store(all, 0);
        System.arraycopy(data, 0, all, SqEntry.BYTES, data.length);
        send(all, all.length);
        return response();
    }

    static byte[] connectData(int cntlid, String subsystem, String host) {
        byte[] b = new byte[ConnectData.BYTES];
        new ConnectData(0x1111, 0x2222, cntlid, subsystem, host).store(b, 0);
        return b;
    }

    SqEntry connectEntry(int entries, int katoMs) {
        SqEntry e = new SqEntry();
        FabricsCommand.connect(e, cid++, qid, entries, true, katoMs);
        return e;
    }

    CqEntry connect(int entries, int cntlid, int katoMs) {
        return inCapsule(connectEntry(entries, katoMs), connectData(cntlid, TargetRig.NQN, TargetRig.HOST), 1024);
    }

    CqEntry get(int offset, int bytes) {
        SqEntry e = new SqEntry();
        FabricsCommand.propertyGet(e, cid++, offset, bytes);
        return command(e);
    }

    CqEntry set(int offset, int bytes, long value) {
        SqEntry e = new SqEntry();
        FabricsCommand.propertySet(e, cid++, offset, bytes, value);
        return command(e);
    }

    /** Connects, enables, and returns the number of the controller. */
    int enable(int katoMs) {
        open(32);
        CqEntry c = connect(32, ConnectData.ANY, katoMs);
        if (c.status() != 0) {
            throw new AssertionError(NvmeStatus.describe(c.status()));
        }
        set(Properties.CC, 4, 0x0046_0001);
        return (int) c.result() & 0xFFFF;
    }

    void disconnect() {
        id.disconnect();
    }
}
