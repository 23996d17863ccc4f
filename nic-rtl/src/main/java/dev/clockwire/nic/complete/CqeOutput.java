package dev.clockwire.nic.complete;

import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.context.CqContext;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.format.Cqe;
import dev.clockwire.nic.format.MiniCqe;
import dev.clockwire.nic.stage.Journal;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Probe;
import dev.clockwire.sim.mem.MemoryUser;
import org.jspecify.annotations.Nullable;

/** Makes entries of completion queues and sends them to memory. Part of the completion unit, not a block. */
final class CqeOutput {
    private final Probe probe;
    private final Clock clock;
    private final EventPort writes;
    private final DeviceParts parts;
    private final byte[] bytes = new byte[Cqe.BYTES];
    private final byte[] array = new byte[Cqe.BYTES];

    CqeOutput(Probe probe, Clock clock, EventPort writes, DeviceParts parts) {
        this.probe = probe;
        this.clock = clock;
        this.writes = writes;
        this.parts = parts;
    }

    /** Begins an array of small entries. */
    void beginArray() {
        MiniCqe.clear(array);
    }

    /** Adds a completion to the array. */
    void addToArray(int i, Completion c) {
        MiniCqe.put(array, i, c.wqeCounter, c.wqeOpcode, c.byteCount);
    }

    /** Sends the array. */
    void sendArray(CqContext cq, long index, long leaves) {
        put(array, cq, index, null, false, leaves);
    }

    /** Makes the entry that was made last the title of several completions. */
    void title(int count) {
        MiniCqe.title(bytes, count);
    }

    /** Sends the entry that was made last; the write is followed as a part of a completion's operation. */
    void send(CqContext cq, long index, Completion followed, boolean receive, long leaves) {
        put(bytes, cq, index, followed, receive, leaves);
    }

    long leaves() {
        return clock.edgeTime(clock.cycle() + parts.spec().completionCycles() - 1) + 1;
    }

    void entry(Completion c, CqContext cq, long index) {
        boolean owner = (index >>> cq.logEntries() & 1) != 0;
        Cqe.write(
                bytes,
                c.opcode,
                c.wqeOpcode,
                c.qpn,
                c.srcQp,
                c.wqeCounter,
                c.byteCount,
                c.imm,
                c.syndrome,
                c.solicited,
                owner);
        if (c.hash != 0) {
            Cqe.putHash(bytes, c.hash);
        }
        if (c.sum != 0) {
            Cqe.putChecksums(bytes, c.checksums, c.sum);
        }
    }

    void observe(Completion c, boolean receive, long leaves) {
        probe.fold(
                writes.now(),
                c.opcode,
                (long) c.cqn << 48 ^ (long) c.qpn << 24 ^ (long) c.wqeCounter << 8 ^ c.syndrome);
        Journal journal = parts.journal();
        journal.stamp(c.journey, receive ? journal.recvCompletion : journal.completion, 0, writes.now(), leaves);
    }

    /** Sends an entry to its place in the ring; the write is followed as a part of an operation, if one is given. */
    private void put(
            byte[] from, CqContext cq, long index, @Nullable Completion followed, boolean receive, long leaves) {
        Journal journal = parts.journal();
        DmaWrite w = parts.writes().take();
        w.user = MemoryUser.NONE;
        w.relaxed = false;
        w.address = cq.base() + (index & cq.entries() - 1) * Cqe.BYTES;
        w.data.clear();
        w.data.appendBytes(from, 0, Cqe.BYTES);
        w.length = Cqe.BYTES;
        w.journey = followed == null ? 0 : followed.journey;
        w.stage = w.journey == 0 ? 0 : receive ? journal.recvCqeWrite : journal.cqeWrite;
        w.done = null;
        w.home = parts.writes();
        writes.send(leaves, 0, 0, 0, w);
    }
}
