package dev.clockwire.nvme.ctrl;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.nvme.store.BlockStore;
import dev.clockwire.nvme.store.MemoryStore;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.pcie.host.CpuSpec;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.pcie.host.HostSpec;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** A host without a program: a test writes registers, entries and doorbells itself. Queues have 64 entries. */
final class RawRig {
    static final long US = 1_000_000;
    static final int ENTRIES = 64;
    private static final int RING = 4096;

    final Sim sim;
    final Host host;
    final CpuCore core;
    final NvmeController ssd;
    final AddressSpace memory;
    final long bar;
    private final long rings;
    private final int[] tail = new int[32];
    private final int[] seen = new int[32];
    /** When interrupts of each vector were taken. */
    final List<List<Long>> interrupts = new ArrayList<>();

    private final long messages;

    /** A completion as it lies in memory. */
    record Completion(int cid, int status, int sqHead, int sqid, long atPs) {}

    RawRig(NvmeSpec spec, SimSpec kernel) {
        sim = new Sim(kernel.withWatchdogPs(0));
        host = new Host(sim.root(), "host", HostSpec.server(), CpuSpec.server(), PayloadMode.BYTES);
        core = host.addCore();
        List<BlockStore> stores = new ArrayList<>();
        for (NamespaceSpec n : spec.namespaces()) {
            MemoryStore s = new MemoryStore("ns" + stores.size(), n.blockBytes(), n.blocks(), PayloadMode.BYTES);
            stores.add(s);
            new Holder(sim, "store" + stores.size(), s);
        }
        ssd = new NvmeController(sim.root(), "ssd", spec, 0x0100, stores);
        host.attach(ssd.endpoint(), 0);
        rings = host.memory()
                .allocate("rings", 64 * RING, Allocation.Kind.REAL, RING)
                .address();
        messages = host.memory()
                .allocate("messages", RING, Allocation.Kind.REAL, RING)
                .address();
        for (int v = 0; v < 4; v++) {
            List<Long> taken = new ArrayList<>();
            interrupts.add(taken);
            host.addVector("v" + v, () -> taken.add(host.now())).at(messages + 64L * v);
        }
        sim.elaborate();
        memory = host.memory();
        bar = ssd.endpoint().barAddress(0);
    }

    RawRig(String media) {
        this(NvmeSpec.of(media).withNamespaces(List.of(new NamespaceSpec(512, 1 << 20))), SimSpec.of(1));
    }

    /** Blocks take part in snapshots as part of a node. */
    private static final class Holder extends SimNode {
        Holder(Sim sim, String name, State store) {
            super(sim.root(), name);
            state(store);
        }
    }

    long buffer(String name, int bytes) {
        return host.memory().allocate(name, bytes, Allocation.Kind.REAL, RING).address();
    }

    void write(int offset, long value, int size) {
        core.mmioWrite(bar + offset, value, size);
    }

    void run(long ps) {
        sim.run(sim.now() + ps);
    }

    private long ring(int queue, boolean completion) {
        return rings + (2L * queue + (completion ? 1 : 0)) * RING;
    }

    /** Enables the controller, with weights or without. */
    RawRig enable(boolean weights) {
        return enable(weights, 0);
    }

    /** The same with more bits of CC. */
    RawRig enable(boolean weights, int more) {
        write(0x24, (ENTRIES - 1L) << 16 | (ENTRIES - 1), 4);
        write(0x28, ring(0, false), 8);
        write(0x30, ring(0, true), 8);
        write(0x14, (weights ? 0x0046_0801 : 0x0046_0001) | more, 4);
        run(2000 * US);
        return this;
    }

    /** Enables the controller after it was disabled, with rings of zeros. */
    RawRig reopen() {
        Arrays.fill(tail, 0);
        Arrays.fill(seen, 0);
        host.memory().putBytes(rings, new byte[64 * RING], 0, 64 * RING);
        return enable(false);
    }

    /** Makes an I/O queue pair. */
    RawRig queues(int id, int priority, int vector, boolean interrupts) {
        admin(new SqEntry()
                .command(Opcodes.CREATE_CQ, 7, 0)
                .prp(ring(id, true), 0)
                .dword(10, (ENTRIES - 1) << 16 | id)
                .dword(11, vector << 16 | (interrupts ? 3 : 1)));
        admin(new SqEntry()
                .command(Opcodes.CREATE_SQ, 8, 0)
                .prp(ring(id, false), 0)
                .dword(10, (ENTRIES - 1) << 16 | id)
                .dword(11, id << 16 | priority << 1 | 1));
        return this;
    }

    /** Makes a submission queue whose commands complete in a queue that exists. */
    void submissionQueue(int id, int cq, int priority) {
        admin(new SqEntry()
                .command(Opcodes.CREATE_SQ, 8, 0)
                .prp(ring(id, false), 0)
                .dword(10, (ENTRIES - 1) << 16 | id)
                .dword(11, cq << 16 | priority << 1 | 1));
    }

    /** Gives a vector its address and message by stores into the table, as a driver does. */
    void program(int vector, boolean masked) {
        int at = 0x4000 + 16 * vector;
        write(at, (messages + 64L * vector) & 0xFFFF_FFFFL, 4);
        write(at + 4, (messages + 64L * vector) >>> 32, 4);
        write(at + 8, 0x40 + vector, 4);
        mask(vector, masked);
    }

    void mask(int vector, boolean masked) {
        write(0x4000 + 16 * vector + 12, masked ? 1 : 0, 4);
        run(US);
    }

    void setVectors(boolean enabled, boolean masked) {
        Objects.requireNonNull(ssd.endpoint().config()).setVectors(enabled, masked);
        run(US);
    }

    /** Runs an admin command and returns its completion; it must come. */
    Completion admin(SqEntry e) {
        put(0, e);
        ring(0);
        run(500 * US);
        List<Completion> all = completions(0);
        if (all.size() != 1) {
            throw new AssertionError(all);
        }
        return all.get(0);
    }

    /** Writes an entry; {@link #ring} tells of it. */
    void put(int queue, SqEntry e) {
        byte[] b = new byte[SqEntry.BYTES];
        e.store(b, 0);
        host.memory().putBytes(ring(queue, false) + (long) tail[queue] * SqEntry.BYTES, b, 0, b.length);
        tail[queue] = (tail[queue] + 1) % ENTRIES;
    }

    void ring(int queue) {
        write(0x1000 + 8 * queue, tail[queue], 4);
    }

    /** Returns new completions of a queue and frees their places. */
    List<Completion> completions(int queue) {
        List<Completion> list = new ArrayList<>();
        byte[] b = new byte[16];
        while (true) {
            int lap = seen[queue] / ENTRIES;
            host.memory().getBytes(ring(queue, true) + seen[queue] % ENTRIES * 16L, b, 0, 16);
            int status = LittleEndian.get16(b, 14);
            if ((status & 1) == lap % 2) {
                break;
            }
            list.add(new Completion(
                    LittleEndian.get16(b, 12),
                    status >> 1,
                    LittleEndian.get16(b, 8),
                    LittleEndian.get16(b, 10),
                    sim.now()));
            seen[queue]++;
        }
        if (!list.isEmpty()) {
            write(0x1000 + 8 * queue + 4, seen[queue] % ENTRIES, 4);
        }
        return list;
    }

    /** The simulation has gone back to a time when none of the I/O queues had been looked at. */
    void forgetCompletions() {
        Arrays.fill(seen, 1, seen.length, 0);
    }

    static SqEntry transfer(int opcode, int cid, long slba, int blocks, long va) {
        return new SqEntry().command(opcode, cid, 1).blocks(slba, blocks).prp(va, va + 4096);
    }

    byte[] bytes(long va, int n) {
        byte[] b = new byte[n];
        host.memory().getBytes(va, b, 0, n);
        return b;
    }
}
