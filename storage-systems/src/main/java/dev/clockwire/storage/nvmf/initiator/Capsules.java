package dev.clockwire.storage.nvmf.initiator;

import dev.clockwire.nvme.fabrics.ConnectData;
import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SglDescriptor;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.ReceiveEntry;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Allocation;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The memory of a queue: capsules of commands, the data of Connect, answers; and where the data of each command are. */
final class Capsules {
    private final NvmfHost host;
    private final PollGroup group;
    private final int entries;
    private final long[] data;
    private final int[] length;
    private final boolean[] inside;
    private final byte[] bytes = new byte[SqEntry.BYTES];
    private @Nullable Allocation memory;
    private int inCapsule;

    Capsules(NvmfHost host, PollGroup group, int entries) {
        this.host = host;
        this.group = group;
        this.entries = entries;
        data = new long[entries];
        length = new int[entries];
        inside = new boolean[entries];
    }

    /** Allocates and registers the memory, null if that was done. */
    @Nullable
    Completion<MemoryRegion> allocate(String name) {
        if (memory != null) {
            return null;
        }
        long size = (long) entries * (SqEntry.BYTES + CqEntry.BYTES) + ConnectData.BYTES;
        Allocation m = host.allocate(name, size);
        memory = m;
        return group.register(m.address(), m.length());
    }

    /** Sets how many bytes of data a capsule has room for; 0 = none. */
    void setInCapsule(int room) {
        inCapsule = room;
    }

    private AddressSpace space() {
        return group.thread().reactor().core().memory();
    }

    private long capsule(int cid) {
        return Objects.requireNonNull(memory).address() + (long) cid * SqEntry.BYTES;
    }

    private long answerAt(int i) {
        return capsule(entries) + ConnectData.BYTES + (long) i * CqEntry.BYTES;
    }

    private int key() {
        Allocation m = Objects.requireNonNull(memory);
        return group.region(m.address(), m.length()).lkey();
    }

    /** Writes the data of Connect; returns where they are. */
    long putConnectData(ConnectData what) {
        long at = capsule(entries);
        byte[] b = new byte[ConnectData.BYTES];
        what.store(b, 0);
        space().putBytes(at, b, 0, b.length);
        return at;
    }

    /** Writes the capsule of a command with its data pointer and identifier. */
    void put(SqEntry command, int cid, long va, int size) {
        data[cid] = va;
        length[cid] = size;
        command.store(bytes, 0);
        LittleEndian.put16(bytes, 2, cid);
        bytes[1] = (byte) ((bytes[1] & 3) | SqEntry.SGL << 6);
        inside[cid] = isInside(cid);
        point(cid);
        space().putBytes(capsule(cid), bytes, 0, SqEntry.BYTES);
    }

    /** Writes the data pointer of a command anew: the memory may have another key by now. */
    void renew(int cid) {
        space().getBytes(capsule(cid), bytes, 0, SqEntry.BYTES);
        point(cid);
        space().putBytes(capsule(cid), bytes, 0, SqEntry.BYTES);
    }

    private void point(int cid) {
        if (length[cid] == 0) {
            Arrays.fill(bytes, SqEntry.DATA, SqEntry.DATA + SglDescriptor.BYTES, (byte) 0);
            bytes[SqEntry.DATA + SglDescriptor.BYTES - 1] = (byte) (SglDescriptor.KEYED_DATA_BLOCK << 4);
        } else if (inside[cid]) {
            SglDescriptor.put(bytes, SqEntry.DATA, SglDescriptor.DATA_BLOCK, SglDescriptor.OFFSET, 0, length[cid]);
        } else {
            int key = group.region(data[cid], length[cid]).rkey();
            SglDescriptor.putKeyed(bytes, SqEntry.DATA, SglDescriptor.ADDRESS, data[cid], length[cid], key);
        }
    }

    private boolean isInside(int cid) {
        int opcode = bytes[0] & 0xFF;
        if (length[cid] == 0) {
            return false;
        }
        boolean out = opcode == Opcodes.FABRICS ? (bytes[4] & 3) == 1 : Opcodes.toController(opcode);
        return out && length[cid] <= inCapsule;
    }

    /** Names what a command sends. */
    void fill(SendEntry wr, int cid) {
        wr.sges().add(capsule(cid), SqEntry.BYTES, key());
        if (inside[cid]) {
            wr.sges()
                    .add(
                            data[cid],
                            length[cid],
                            group.region(data[cid], length[cid]).lkey());
        }
    }

    /** Names where an answer goes. */
    void fill(ReceiveEntry wr, int i) {
        wr.sges().add(answerAt(i), CqEntry.BYTES, key());
    }

    /** Reads an answer. */
    void read(int i, CqEntry into) {
        space().getBytes(answerAt(i), bytes, 0, CqEntry.BYTES);
        into.load(bytes, 0);
    }
}
