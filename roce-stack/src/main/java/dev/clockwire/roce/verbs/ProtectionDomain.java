package dev.clockwire.roce.verbs;

import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.wire.FlowAddress;
import java.util.Set;

/** Memory regions, queue pairs and address handles that may be used together. */
public final class ProtectionDomain implements AutoCloseable {
    private final Context context;
    private final ContextProvider provider;
    private final Life parent;
    private final int number;
    private final Life life;

    ProtectionDomain(Context context, ContextProvider provider, Life parent, int number) {
        this.context = context;
        this.provider = provider;
        this.parent = parent;
        this.number = number;
        life = new Life("PD " + number);
    }

    /** Returns the context. */
    public Context context() {
        return context;
    }

    /** Returns the number. */
    public int number() {
        return number;
    }

    /** Registers memory that work requests and peers call by its own addresses; see {@link #regMrIova}. */
    public Completion<MemoryRegion> regMr(long address, long length, Set<AccessFlag> access) {
        return regMrIova(address, length, access.contains(AccessFlag.ZERO_BASED) ? 0 : address, access);
    }

    /**
     * Registers memory.
     *
     * @param address first byte in the memory of the core
     * @param length bytes, at least 1
     * @param iova address by which work requests and peers call the first byte
     * @throws VerbsException EINVAL if length or rights do not fit, EFAULT if there is no such memory, EOPNOTSUPP for
     *     paging on demand
     */
    public Completion<MemoryRegion> regMrIova(long address, long length, long iova, Set<AccessFlag> access) {
        int mask = AccessFlag.mask(access);
        Registration.check(context, address, length, mask);
        life.use("reg_mr");
        Completion<MrKeys> done = new Completion<>();
        done.whenFailed(error -> life.release());
        MrRange range = new MrRange(address, length, iova, mask);
        provider.regMr(number, range, done);
        PostedMemory posted = context.posted();
        return done.map(keys -> {
            if (posted != null) {
                posted.registered(keys.lkey(), range);
            }
            return new MemoryRegion(provider, life, null, range, keys, posted);
        });
    }

    /**
     * Registers a part of device memory ({@code reg_dm_mr}); addresses in it count from 0.
     *
     * @param offset first byte in the device memory
     * @param access must contain ZERO_BASED
     * @throws VerbsException EINVAL if the range is not inside, or the rights do not fit
     */
    public Completion<MemoryRegion> regDmMr(DeviceMemory memory, long offset, long length, Set<AccessFlag> access) {
        int mask = AccessFlag.mask(access);
        Registration.check(memory, offset, length, mask);
        life.use("reg_dm_mr");
        memory.life().use("reg_dm_mr");
        Completion<MrKeys> done = new Completion<>();
        done.whenFailed(error -> {
            life.release();
            memory.life().release();
        });
        MrRange range = new MrRange(offset, length, 0, mask);
        provider.regDmMr(number, memory.provider(), range, done);
        PostedMemory posted = context.posted();
        long host = memory.provider().hostAddress();
        return done.map(keys -> {
            if (posted != null && host != DeviceMemoryProvider.INSIDE) {
                posted.registered(keys.lkey(), new MrRange(host + offset, length, 0, mask));
            }
            return new MemoryRegion(provider, life, memory.life(), range, keys, posted);
        });
    }

    /**
     * Registers a part of memory of another device ({@code reg_dmabuf_mr}): what the device does with it goes to the other one as packets of
     * their bus.
     *
     * @param offset first byte in the memory
     * @param iova address by which work requests and peers call the first byte
     * @throws VerbsException EINVAL if the range is not inside, or the rights do not fit; EOPNOTSUPP, in the completion, if the device has no way
     *     there
     */
    public Completion<MemoryRegion> regDmabufMr(
            DmaBuf memory, long offset, long length, long iova, Set<AccessFlag> access) {
        int mask = AccessFlag.mask(access);
        Registration.check(memory, offset, length, mask);
        life.use("reg_dmabuf_mr");
        Completion<MrKeys> done = new Completion<>();
        done.whenFailed(error -> life.release());
        MrRange range = new MrRange(memory.address() + offset, length, iova, mask);
        provider.regDmabufMr(number, memory, range, done);
        return done.map(keys -> new MemoryRegion(provider, life, null, range, keys, context.posted()));
    }

    /** Allocates a memory window, which opens nothing before it is bound. */
    public Completion<MemoryWindow> allocMw(MwType type) {
        life.use("alloc_mw");
        Completion<Integer> done = new Completion<>();
        done.whenFailed(error -> life.release());
        provider.allocMw(number, type, done);
        return done.map(key -> new MemoryWindow(provider, this, life, type, key));
    }

    /**
     * Creates a shared receive queue; the limit among the attributes is ignored.
     *
     * @throws VerbsException EINVAL if a size is beyond the device's limits
     */
    public Completion<SharedReceiveQueue> createSrq(SrqAttributes size) {
        Registration.check(context, size);
        life.use("create_srq");
        Completion<SharedReceiveQueueProvider> done = new Completion<>();
        done.whenFailed(error -> life.release());
        provider.createSrq(number, size, done);
        return done.map(queue -> new SharedReceiveQueue(queue, context, life, size));
    }

    /**
     * Creates a queue pair in RESET.
     *
     * @throws VerbsException EINVAL if a size is beyond the device's limits
     */
    public Completion<QueuePair> createQp(QpInit init) {
        Registration.check(context, init);
        life.use("create_qp");
        init.use();
        Completion<QueuePairProvider> done = new Completion<>();
        done.whenFailed(error -> {
            init.release();
            life.release();
        });
        provider.createQp(number, init, done);
        return done.map(queue -> {
            context.made(queue);
            return new QueuePair(queue, this, init, life);
        });
    }

    /** Finds the way to a peer, for datagrams; fails with ENODEV or ETIMEDOUT if there is none. */
    public Completion<AddressHandle> createAh(AddressVector to) {
        PathChecks.check(context.device(), "create_ah", to);
        life.use("create_ah");
        Completion<FlowAddress> done = new Completion<>();
        done.whenFailed(error -> life.release());
        provider.createAh(number, to, done);
        return done.map(flow -> new AddressHandle(this, to, flow, life));
    }

    /**
     * Finds the way back to the sender of a datagram ({@code create_ah_from_wc}).
     *
     * @param grh address of the 40 bytes in front of the datagram in the receive buffer
     */
    public Completion<AddressHandle> createAhFromWc(WorkCompletion wc, long grh) {
        return createAh(Grh.back(context, wc, grh));
    }

    /**
     * Frees the domain.
     *
     * @throws VerbsException EBUSY if something in it still exists
     */
    public Completion<ProtectionDomain> dealloc() {
        life.close("dealloc_pd");
        parent.release();
        Completion<Integer> done = new Completion<>();
        provider.deallocPd(number, done);
        return done.map(freed -> this);
    }

    /** Frees the domain without waiting for the end. */
    @Override
    public void close() {
        Completion<ProtectionDomain> unused = dealloc();
    }
}
