package dev.clockwire.nic.ether;

import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.format.Cqe;
import dev.clockwire.nic.format.CqeSyndrome;
import dev.clockwire.nic.format.RawPacketWqe;
import dev.clockwire.nic.format.WqeOpcode;
import dev.clockwire.pcie.endpoint.DmaError;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.mem.MemoryUser;
import dev.clockwire.sim.state.Pool;
import dev.clockwire.sim.state.Token;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The Ethernet queues. Sending: reads WQEs of queues in turn, gathers their frames and hands them to the MAC, in order. Receiving: checks a
 * frame, lets a flow rule or the hash choose a queue, and writes it where that queue's next receive says. The completions go through the
 * completion unit. A WQE that cannot be read or makes no sense ends with an error completion in its turn; a receive that could not be
 * read does so when a frame comes for it, which is dropped.
 */
public final class EthernetPort extends SimModule {
    /** Event of {@link #line}: a frame has been received. */
    public static final int FRAME = 0;
    /** Event of {@link #line}: a send queue was rung; a = queue, b = index. */
    public static final int SEND = 1;
    /** Event of {@link #line}: receives were posted; a = queue, b = index. */
    public static final int RECEIVE = 2;

    private static final int SYNC = 1;
    /** State of a frame to send whose WQE or bytes could not be read, or whose WQE makes no sense. */
    private static final int BROKEN = 2;

    private static final int BUFFER = 1 << 12;
    private static final int READS = 256;
    private static final int WRITES = 1 << 14;

    private final Channel<Completion> completions;
    private final Channel<EthFrame> out;
    private final EventPort writes;
    private final DeviceParts parts;
    private final EthTable table = new EthTable();
    private final Inlet<EthFrame> frames;
    private final Inlet<DmaRead> replies;
    private final Inlet<DmaWrite> written;
    private final EventPort line;
    private final EthSteering steering;
    private final Pool<EthFrame> pool = new Pool<>(EthFrame::new);
    private final FrameFields fields = new FrameFields();
    private final RawPacketWqe wqe = new RawPacketWqe();
    private final byte[] fcs = new byte[EthFrame.FCS_BYTES];
    private final int latency;
    private final EthState s = state(new EthState());
    private final EthFetch fetch;
    /** A completion was put in this cycle. */
    private boolean told;

    /**
     * Creates the block.
     *
     * @param completions to the completion unit
     * @param out to the MAC
     * @param reads the endpoint's port for WQEs, receives and frames to send
     * @param writes the endpoint's port for received frames
     */
    public EthernetPort(
            Scope parent,
            Clock clock,
            Channel<Completion> completions,
            Channel<EthFrame> out,
            EventPort reads,
            EventPort writes,
            DeviceParts parts) {
        super(parent, "ethernet", clock);
        this.completions = completions.from(this);
        this.out = out.from(this);
        this.writes = writes;
        this.parts = parts;
        latency = parts.spec().rxParseCycles() + parts.spec().rxLookupCycles();
        frames = new Inlet<>(this, "frames", BUFFER, parts.spec().rxCrossingCycles());
        replies = new Inlet<>(this, "replies", READS, SYNC);
        written = new Inlet<>(this, "written", WRITES, SYNC);
        line = new EventPort(this, "line") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                onEvent(kind, (int) a, (int) b, token);
            }
        };
        fetch = new EthFetch(reads, replies, table, s);
        steering = new EthSteering(table, parts, line);
    }

    private void onEvent(int kind, int queue, int index, @Nullable Token token) {
        if (token instanceof EthFrame frame) {
            if (frames.space() == 0) {
                count(EthCounter.RX_OUT_OF_BUFFER);
            } else {
                frames.write(frame);
            }
            return;
        }
        if (queue >= table.queues()) {
            return; // nobody has opened it
        }
        long[] producer = kind == SEND ? s.sendProducer : s.receiveProducer;
        producer[queue] += index - (int) producer[queue] & 0xFFFF;
        wake();
    }

    /** Returns where received frames and doorbells come in. */
    public EventPort line() {
        return line;
    }

    /** Returns what parts RDMA from Ethernet in front of this block. */
    public EthSteering steering() {
        return steering;
    }

    /** Returns what commands change. */
    public EthTable table() {
        return table;
    }

    /** Whether the device makes and checks checksums. */
    public boolean checksums() {
        return parts.spec().queues().checksums();
    }

    /** Returns a counter. */
    public long counter(EthCounter which) {
        return s.drops[which.at()];
    }

    private void count(EthCounter which) {
        s.drops[which.at()]++;
    }

    /** Returns frames received by a queue, {@code rxN_packets}. */
    public long received(int q) {
        return s.rxPackets[q];
    }

    /** Returns bytes received by a queue, {@code rxN_bytes}. */
    public long receivedBytes(int q) {
        return s.rxBytes[q];
    }

    /** Returns frames sent by a queue, {@code txN_packets}. */
    public long sent(int q) {
        return s.txPackets[q];
    }

    /** Returns bytes sent by a queue, {@code txN_bytes}. */
    public long sentBytes(int q) {
        return s.txBytes[q];
    }

    @Override
    protected boolean tick(long cycle) {
        boolean did = false;
        told = false;
        while (written.valid(cycle)) {
            parts.writes().give(written.take(cycle));
            did = true;
        }
        if (replies.valid(cycle)) {
            onReply(replies.take(cycle));
            did = true;
        }
        did |= unpack();
        did |= fetch.ask(now());
        did |= transmit(cycle);
        did |= enter(cycle);
        did |= deliver(cycle);
        return did;
    }

    private void onReply(DmaRead reply) {
        int kind = (int) (reply.cookie >>> EthFetch.KIND_SHIFT);
        int which = (int) reply.cookie;
        if (kind == EthFetch.WQES) {
            s.current = reply;
            s.unpacked = 0;
            s.sendReading = false;
            return;
        }
        if (kind == EthFetch.PAYLOAD) {
            EthFrame frame = Objects.requireNonNull(s.job(which));
            reply.into.copyTo(0, frame.bytes, frame.length - reply.length, reply.length);
            s.jobReady[which] = reply.error == DmaError.NONE ? 1 : BROKEN;
        } else {
            fetch.posted(which, reply);
        }
        fetch.done(reply);
    }

    /** Takes one WQE apart and asks for the rest of its frame. */
    private boolean unpack() {
        DmaRead came = s.current;
        if (came == null || s.jobCount == EthState.JOBS) {
            return false;
        }
        int q = (int) came.cookie;
        boolean readable = came.error == DmaError.NONE;
        if (readable) {
            came.into.copyTo(s.unpacked * RawPacketWqe.BYTES, wqe.raw, 0, RawPacketWqe.BYTES);
        }
        s.unpacked++;
        int index = (int) s.sendFetched[q]++ & 0xFFFF;
        if (readable && wqe.parse(table.longest())) {
            job(q, index);
        } else {
            take(pool.take(), q, index, BROKEN);
        }
        if (s.unpacked * RawPacketWqe.BYTES == came.length) {
            fetch.done(came);
            s.current = null;
        }
        return true;
    }

    private void job(int q, int index) {
        EthFrame frame = pool.take();
        frame.resize(wqe.inlineBytes + wqe.dataBytes);
        System.arraycopy(wqe.inline, 0, frame.bytes, 0, wqe.inlineBytes);
        int slot = take(frame, q, index, wqe.dataBytes == 0 ? 1 : 0);
        s.jobChecksums[slot] = wqe.checksums;
        if (wqe.dataBytes > 0) {
            fetch.read(wqe.dataAddress, wqe.dataBytes, EthFetch.PAYLOAD, slot, now());
        }
    }

    private int take(EthFrame frame, int q, int index, int ready) {
        int slot = s.jobHead + s.jobCount++ & EthState.JOBS - 1;
        s.setJob(slot, frame);
        s.jobQueue[slot] = q;
        s.jobIndex[slot] = index;
        s.jobReady[slot] = ready;
        return slot;
    }

    private boolean transmit(long cycle) {
        int slot = s.jobHead;
        if (s.jobCount == 0 || s.jobReady[slot] == 0 || !out.ready(cycle) || !completions.ready(cycle)) {
            return false;
        }
        EthFrame frame = Objects.requireNonNull(s.job(slot));
        int q = (int) s.jobQueue[slot];
        s.setJob(slot, null);
        s.jobHead = slot + 1 & EthState.JOBS - 1;
        s.jobCount--;
        if (s.jobReady[slot] == BROKEN) {
            count(EthCounter.TX_ERRORS);
            tell(cycle, completion(table.send(q).cqn(), q, Cqe.REQ_ERR, (int) s.jobIndex[slot], 0, 0));
            pool.give(frame);
            return true;
        }
        s.txPackets[q]++;
        s.txBytes[q] += frame.length;
        tell(cycle, completion(table.send(q).cqn(), q, Cqe.REQ, (int) s.jobIndex[slot], frame.length, 0));
        if (checksums()) {
            complete(frame, (int) s.jobChecksums[slot]);
        }
        frame.seal();
        out.put(cycle, frame);
        return true;
    }

    /** Puts the checksums into a frame that its WQE asks for. */
    private void complete(EthFrame frame, int flags) {
        fields.read(frame.bytes, frame.length);
        boolean l3 = (flags & RawPacketWqe.L3_CHECKSUM) != 0;
        boolean l4 = (flags & RawPacketWqe.L4_CHECKSUM) != 0;
        boolean made = Checksums.fill(frame, fields, l3, l4);
        count(made ? EthCounter.TX_CSUM_PARTIAL : EthCounter.TX_CSUM_NONE);
    }

    /** Finds out about the checksums of a received frame. */
    private void check(EthFrame frame, Completion c) {
        int found = Checksums.check(frame, fields);
        if ((found & Checksums.IP) == 0) {
            count(EthCounter.RX_CSUM_NONE);
            return;
        }
        boolean right = (found & Checksums.L3_OK) != 0 && (found & (Checksums.L4 | Checksums.L4_OK)) != Checksums.L4;
        count(right ? EthCounter.RX_CSUM_COMPLETE : EthCounter.RX_CSUM_ERRORS);
        c.checksums = found & (Checksums.L3_OK | Checksums.L4_OK);
        c.sum = Checksums.sum(frame.bytes, fields.ipAt, frame.length);
    }

    private Completion completion(int cqn, int q, int opcode, int index, int bytes, int hash) {
        Completion c = parts.completions().take();
        c.cqn = cqn;
        c.qpn = q;
        c.opcode = opcode;
        c.wqeOpcode = opcode == Cqe.REQ ? WqeOpcode.SEND : 0;
        c.wqeCounter = index;
        c.byteCount = bytes;
        c.imm = 0;
        c.srcQp = 0;
        boolean failed = opcode == Cqe.REQ_ERR || opcode == Cqe.RESP_ERR;
        c.syndrome = failed ? CqeSyndrome.of(WcStatus.LOC_QP_OP_ERR) : 0;
        c.solicited = false;
        c.ofRdma();
        c.hash = hash;
        c.journey = 0;
        c.donePs = now();
        return c;
    }

    private void tell(long cycle, Completion c) {
        told = true;
        completions.put(cycle, c);
    }

    /** Lets a frame into the pipeline: checks, lookup. */
    private boolean enter(long cycle) {
        if (!frames.valid(cycle) || s.pipe.size() > latency) {
            return false;
        }
        if (cycle < s.nextEntry) {
            wakeAt(s.nextEntry);
            return false;
        }
        EthFrame frame = frames.take(cycle);
        frame.tag = cycle + latency - 1;
        s.nextEntry = cycle + parts.spec().beats(frame.length + EthFrame.FCS_BYTES);
        s.pipe.add(frame);
        return true;
    }

    private boolean deliver(long cycle) {
        if (s.pipe.size() == 0) {
            return false;
        }
        EthFrame frame = s.pipe.first();
        if (frame.tag > cycle) {
            wakeAt(frame.tag);
            return false;
        }
        int q = queue(frame);
        if (q < 0) {
            s.pipe.remove();
            pool.give(frame);
            return true;
        }
        if (s.receiveUsed[q] == s.receiveFetched[q]) {
            if (s.receiveFetched[q] < s.receiveProducer[q]) {
                return false; // it is being read
            }
            count(EthCounter.RX_OUT_OF_BUFFER);
            s.pipe.remove();
            pool.give(frame);
            return true;
        }
        if (told || !completions.ready(cycle)) {
            return false;
        }
        s.pipe.remove();
        place(frame, q, cycle);
        pool.give(frame);
        return true;
    }

    /** Returns the queue of a frame; -1, counted, if it is not received. */
    private int queue(EthFrame frame) {
        if (!table.rxAll && frame.check() != frame.fcs) {
            count(EthCounter.RX_CRC_ERRORS);
            return -1;
        }
        if (table.queues() == 0 || frame.length > table.longest()) {
            count(table.queues() == 0 ? EthCounter.RX_MISSED : EthCounter.RX_OVERSIZE);
            return -1;
        }
        fields.read(frame.bytes, frame.length);
        FlowRule rule = table.rule(fields);
        if (rule != null) {
            if (rule.action() == FlowRule.DROP) {
                count(EthCounter.RX_RULE_DROPS);
            }
            return rule.action();
        }
        boolean ours = fields.dstMac == parts.port().mac() || (frame.bytes[0] & 1) != 0;
        if (!ours) {
            count(EthCounter.RX_MISSED);
            return -1;
        }
        return table.spread(table.hash(frame.bytes, fields));
    }

    private void place(EthFrame frame, int q, long cycle) {
        int index = (int) s.receiveUsed[q]++;
        int i = q * EthState.AHEAD + (index & EthState.AHEAD - 1);
        int bytes = frame.length + (table.rxFcs ? EthFrame.FCS_BYTES : 0);
        boolean unread = s.receiveBytes[i] == EthFetch.UNREAD;
        if (unread || bytes > s.receiveBytes[i]) {
            count(unread ? EthCounter.RX_WQE_ERRORS : EthCounter.RX_TOO_LONG);
            bytes = 0; // the receive is used up, and says so
        } else {
            s.rxPackets[q]++;
            s.rxBytes[q] += frame.length;
            DmaWrite w = parts.writes().take();
            w.user = MemoryUser.NONE;
            w.address = s.receiveAddress[i];
            w.length = bytes;
            w.data.clear();
            w.data.appendBytes(frame.bytes, 0, frame.length);
            if (table.rxFcs) {
                check(frame.fcs);
                w.data.appendBytes(fcs, 0, EthFrame.FCS_BYTES);
            }
            w.journey = 0;
            w.stage = 0;
            w.done = written;
            writes.send(now() + 1, 0, 0, 0, w);
        }
        fields.read(frame.bytes, frame.length);
        int hash = table.hash(frame.bytes, fields);
        int opcode = unread ? Cqe.RESP_ERR : Cqe.RESP_SEND;
        Completion c = completion(table.receive(q).cqn(), q, opcode, index & 0xFFFF, bytes, hash);
        if (checksums() && bytes > 0) {
            check(frame, c);
        }
        tell(cycle, c);
    }

    /** The check sequence stands on the line with its lowest byte first. */
    private void check(int value) {
        for (int i = 0; i < EthFrame.FCS_BYTES; i++) {
            fcs[i] = (byte) (value >>> (8 * i));
        }
    }
}
