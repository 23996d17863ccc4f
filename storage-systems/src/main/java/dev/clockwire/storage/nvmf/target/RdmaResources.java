package dev.clockwire.storage.nvmf.target;

import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.ReceiveEntry;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Allocation;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/** Memory for capsules, in-capsule data and responses, and the requests: of a queue, or of a poll group whose queues share receives. */
final class RdmaResources {
    private static final int PAGE = 4096;

    private final AddressSpace space;
    private final int depth;
    private final int inCapsule;
    private final Allocation entries;
    private final Allocation data;
    private final RdmaRequest[] requests;
    private final int[] free;
    private int freeCount;
    private @Nullable MemoryRegion entryRegion;
    private @Nullable MemoryRegion dataRegion;

    RdmaResources(AddressSpace space, String name, int depth, int inCapsule) {
        this.space = space;
        this.depth = depth;
        this.inCapsule = inCapsule;
        entries = space.allocate(
                name + ".capsules", (long) depth * (SqEntry.BYTES + CqEntry.BYTES), Allocation.Kind.REAL, PAGE);
        data = space.allocate(name + ".data", (long) depth * inCapsule, Allocation.Kind.BULK, PAGE);
        requests = new RdmaRequest[depth];
        free = new int[depth];
        for (int i = 0; i < depth; i++) {
            requests[i] = new RdmaRequest(this, i);
            free[i] = depth - 1 - i;
        }
        freeCount = depth;
    }

    /** Lets the registrations go that a failed device has forgotten; {@link #register} makes new ones. */
    void forget() {
        MemoryRegion a = entryRegion;
        MemoryRegion b = dataRegion;
        if (a != null) {
            a.close();
        }
        if (b != null) {
            b.close();
        }
        entryRegion = null;
        dataRegion = null;
    }

    /** Registers the memory; one of the two is called, once. */
    void register(ProtectionDomain pd, Runnable then, VerbsFailure failed) {
        Completion<MemoryRegion> first =
                pd.regMr(entries.address(), entries.length(), EnumSet.of(AccessFlag.LOCAL_WRITE));
        first.whenFailed(failed::failed);
        first.whenDone(region -> {
            entryRegion = region;
            Completion<MemoryRegion> second =
                    pd.regMr(data.address(), data.length(), EnumSet.of(AccessFlag.LOCAL_WRITE));
            second.whenFailed(failed::failed);
            second.whenDone(other -> {
                dataRegion = other;
                then.run();
            });
        });
    }

    /** Is told why something could not be had. */
    @FunctionalInterface
    interface VerbsFailure {
        void failed(VerbsException why);
    }

    int depth() {
        return depth;
    }

    int inCapsule() {
        return inCapsule;
    }

    long command(int receive) {
        return entries.address() + (long) receive * SqEntry.BYTES;
    }

    long response(int request) {
        return entries.address() + (long) depth * SqEntry.BYTES + (long) request * CqEntry.BYTES;
    }

    long data(int receive) {
        return data.address() + (long) receive * inCapsule;
    }

    private static int key(@Nullable MemoryRegion region) {
        if (region == null) {
            throw new InvariantViolation("memory of capsules is used before it is registered");
        }
        return region.lkey();
    }

    int entryKey() {
        return key(entryRegion);
    }

    int dataKey() {
        return key(dataRegion);
    }

    void fill(ReceiveEntry wr, int receive) {
        wr.sges().add(command(receive), SqEntry.BYTES, entryKey());
        wr.sges().add(data(receive), inCapsule, dataKey());
    }

    RdmaRequest request(int slot) {
        return requests[slot];
    }

    @Nullable
    RdmaRequest take() {
        return freeCount == 0 ? null : requests[free[--freeCount]];
    }

    void give(RdmaRequest r) {
        free[freeCount++] = r.slot;
    }

    /** Gives the memory back; nobody uses it any more. */
    void close() {
        forget();
        space.free(entries);
        space.free(data);
    }
}
