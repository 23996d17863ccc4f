package dev.clockwire.nic.dma;

import dev.clockwire.nic.chip.ChipMemory;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.sched.QpArbiter;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.roce.wire.FlowAddress;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.state.Pool;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The packets of all queues of one engine that wait for payload, and the reads that bring it. A packet leaves when it is
 * first in its queue, its payload is here and, with message store-and-forward, that of the rest of its message too. Part of
 * the engine that owns it, not a block of its own.
 */
public final class PayloadEngine implements State {
    /** What {@link #pick} returns if no candidate is left. */
    public static final int NONE = -1;

    /** What {@link #pick} returns if all that could leave are held. */
    public static final int ALL_HELD = -2;

    private static final int CLASS_SHIFT = 3;

    private final List<SlotQueue> queues = new ArrayList<>();
    private final List<TxSlot> slots = new ArrayList<>();
    private final List<TxSlot> free = new ArrayList<>();
    private final List<DmaRead> reads = new ArrayList<>();
    private final QpArbiter ready;
    private final EventPort port;
    private final Inlet<DmaRead> replies;
    private final Pool<RocePacket> pool;
    private final ChipMemory memory;
    private final int window;
    private final int capacity;
    private final boolean wholeMessages;
    private final int flowBase;
    private final long gatherPs;
    private final int stage;
    private int used;
    /** Whether classes are held one by one: then each has a buffer of its own, so that none waits for another. */
    private final boolean byClass;

    private final int[] usedBy = new int[PauseFrame.CLASSES];
    /** Bit n: class n may not leave. */
    private int stopped;

    /**
     * Creates the engine.
     *
     * @param port the endpoint's port for this engine's reads
     * @param replies where they come back
     * @param wholeMessages a message leaves only when all of it is here
     * @param flowBase first flow number; queue q uses flowBase + q
     * @param gatherPs from the request until the read leaves, in ps
     * @param stage of a followed operation in which it waits for payload
     * @param ready decides which of the queues with a complete packet goes next; part of this engine's state
     */
    public PayloadEngine(
            EventPort port,
            Inlet<DmaRead> replies,
            DeviceParts parts,
            boolean wholeMessages,
            int flowBase,
            long gatherPs,
            int stage,
            QpArbiter ready) {
        this.stage = stage;
        this.gatherPs = gatherPs;
        this.ready = ready;
        this.port = port;
        this.replies = replies;
        this.wholeMessages = wholeMessages;
        this.flowBase = flowBase;
        pool = parts.packets();
        memory = parts.chipMemory();
        window = parts.spec().payloadOutstandingReads();
        capacity = parts.spec().bufferPackets();
        byClass = parts.spec().congestion().pauses();
    }

    /** Whether another packet may be added; with classes, whether one of some class may. */
    public boolean hasRoom() {
        return wholeMessages || byClass || used < capacity;
    }

    /** Whether another packet of a class of traffic may be added. */
    public boolean hasRoom(FlowAddress flow) {
        return wholeMessages || !byClass || usedBy[classOf(flow)] < capacity;
    }

    private static int classOf(FlowAddress flow) {
        return flow.dscp >> CLASS_SHIFT;
    }

    /** Holds the classes of a mask, bit n for class n, and lets all others go. */
    public void hold(int classes) {
        stopped = classes;
    }

    /** Returns how many packets of a queue wait. */
    public int waiting(int q) {
        return queue(q).size();
    }

    private SlotQueue queue(int q) {
        while (q >= queues.size()) {
            queues.add(new SlotQueue());
        }
        return queues.get(q);
    }

    /** Starts a packet in a queue; the caller fills it, asks for its payload with {@link #read} and then calls {@link #added}. */
    public TxSlot add(int q, RocePacket packet, long entry, int index, boolean last) {
        TxSlot slot;
        if (free.isEmpty()) {
            slot = new TxSlot(slots.size(), packet);
            slots.add(slot);
        } else {
            slot = free.remove(free.size() - 1);
            slot.packet = packet;
        }
        slot.entry = entry;
        slot.index = index;
        slot.last = last;
        slot.begin();
        slot.queue = q;
        queue(q).add(slot);
        used++;
        if (byClass) {
            slot.trafficClass = classOf(packet.flow);
            usedBy[slot.trafficClass]++;
        }
        return slot;
    }

    /**
     * Asks for payload of a packet; the pieces come in the order asked for. What lies in the device itself is here at once.
     *
     * @param key by which the memory was named
     * @param user whom it is for; see {@link dev.clockwire.sim.mem.MemoryUser}
     */
    public void read(TxSlot slot, long now, int key, long user, long address, int length) {
        if (memory.holds(address)) {
            slot.addPiece(address, length);
            slot.appendPieces(memory);
            return;
        }
        DmaRead r = reads.isEmpty() ? new DmaRead() : reads.remove(reads.size() - 1);
        r.address = address;
        r.length = length;
        r.key = key;
        r.user = user;
        r.part = slot.packet.psn;
        r.into.clear();
        r.cookie = (long) (slot.came + slot.pending) << Integer.SIZE | slot.number;
        r.flow = flowBase + slot.queue;
        r.window = window;
        r.reply = replies;
        r.journey = slot.packet.journey;
        r.stage = stage;
        slot.pending++;
        slot.askedPs = now;
        port.send(now + 1 + gatherPs, 0, 0, 0, r);
    }

    /** Ends the start of a packet: one without payload to wait for may leave at once. */
    public void added(TxSlot slot) {
        if (slot.pending == 0) {
            complete(slot);
        }
    }

    /**
     * Takes a reply.
     *
     * @return the packet if its payload is complete now, else null
     */
    public @Nullable TxSlot onReply(DmaRead reply) {
        TxSlot slot = slots.get((int) reply.cookie);
        if (slot.isEarly(reply)) { // memory answers in any order
            slot.early.add(reply);
            return null;
        }
        for (DmaRead next = reply; next != null; next = slot.nextEarly()) {
            append(slot, next);
        }
        if (slot.pending > 0) {
            return null;
        }
        if (slot.dead) {
            pool.give(slot.packet);
            release(slot);
            return null;
        }
        complete(slot);
        return slot;
    }

    private void append(TxSlot slot, DmaRead reply) {
        slot.packet.payload.appendFrom(reply.into, 0, reply.into.length());
        reads.add(reply);
        slot.came++;
        slot.pending--;
        slot.appendPieces(memory);
    }

    /** Marks a packet whose payload came some other way (an atomic's result) as complete. */
    public void complete(TxSlot slot) {
        SlotQueue queue = queue(slot.queue);
        if (wholeMessages) {
            queue.advance();
        }
        if (queue.get(0) == slot || queue.wholeMessages > 0) {
            ready.add(slot.queue);
        }
    }

    /** Returns how many queues {@link #pick} has to look at: those that got payload since they were looked at. */
    public int candidates() {
        return ready.size();
    }

    /** Returns the queue whose first packet may leave now, {@link #NONE} if there is none, {@link #ALL_HELD} if that changes nothing. */
    public int pick() {
        int left = 0;
        int all = ready.size();
        ready.begin();
        for (int n = all; n > 0; n--) {
            int q = ready.next();
            if (!headReady(q)) {
                left++;
            } else if ((stopped >> queue(q).get(0).trafficClass & 1) != 0) {
                ready.pass(q);
            } else {
                ready.granted(q);
                return q;
            }
        }
        return left == 0 && all > 0 ? ALL_HELD : NONE;
    }

    private boolean headReady(int q) {
        SlotQueue queue = queue(q);
        return queue.size() > 0 && queue.get(0).pending == 0 && (!wholeMessages || queue.wholeMessages > 0);
    }

    /** Takes the first packet of a queue out; {@link #release} follows when its fields are read. */
    public TxSlot remove(int q) {
        TxSlot slot = queue(q).remove();
        if (headReady(q)) {
            ready.add(q);
        }
        return slot;
    }

    /** Gives a removed slot back. */
    public void release(TxSlot slot) {
        used--;
        if (byClass) {
            usedBy[slot.trafficClass]--;
        }
        free.add(slot);
    }

    /** Throws all packets of a queue away: sending goes back, or the queue failed. */
    public void flush(int q) {
        SlotQueue queue = queue(q);
        while (queue.size() > 0) {
            TxSlot slot = queue.remove();
            if (slot.pending == 0) {
                pool.give(slot.packet);
                release(slot);
            } else {
                slot.dead = true;
            }
        }
    }

    /** Returns a slot by its number. */
    public TxSlot slot(int number) {
        return slots.get(number);
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(used);
        for (int n : usedBy) {
            out.putInt(n);
        }
        out.putInt(stopped);
        out.putInt(slots.size());
        for (TxSlot slot : slots) {
            slot.save(out);
        }
        out.putInt(free.size());
        for (TxSlot slot : free) {
            out.putInt(slot.number);
        }
        out.putInt(queues.size());
        for (SlotQueue queue : queues) {
            out.putInt(queue.complete);
            out.putInt(queue.wholeMessages);
            out.putInt(queue.size());
            for (int i = 0; i < queue.size(); i++) {
                out.putInt(queue.get(i).number);
            }
        }
        ready.save(out);
    }

    @Override
    public void load(Snapshot in) {
        used = in.getInt();
        for (int c = 0; c < usedBy.length; c++) {
            usedBy[c] = in.getInt();
        }
        stopped = in.getInt();
        slots.clear();
        for (int n = in.getInt(), i = 0; i < n; i++) {
            TxSlot slot = new TxSlot(i, new RocePacket());
            slot.load(in);
            slots.add(slot);
        }
        free.clear();
        for (int n = in.getInt(); n > 0; n--) {
            free.add(slots.get(in.getInt()));
        }
        queues.clear();
        for (int n = in.getInt(); n > 0; n--) {
            SlotQueue queue = new SlotQueue();
            queue.complete = in.getInt();
            queue.wholeMessages = in.getInt();
            for (int k = in.getInt(); k > 0; k--) {
                queue.add(slots.get(in.getInt()));
            }
            queues.add(queue);
        }
        ready.load(in);
    }
}
