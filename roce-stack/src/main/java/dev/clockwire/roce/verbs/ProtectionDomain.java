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
     *     windows and paging on demand
     */
    public Completion<MemoryRegion> regMrIova(long address, long length, long iova, Set<AccessFlag> access) {
        int mask = AccessFlag.mask(access);
        Registration.check(context, address, length, mask);
        life.use("reg_mr");
        Completion<MrKeys> done = new Completion<>();
        done.whenFailed(error -> life.release());
        provider.regMr(number, new MrRange(address, length, iova, mask), done);
        return done.map(keys -> new MemoryRegion(provider, life, iova, length, mask, keys));
    }

    /**
     * Creates a queue pair in RESET.
     *
     * @throws VerbsException EINVAL if a size is beyond the device's limits
     */
    public Completion<QueuePair> createQp(QpInit init) {
        Registration.check(context, init);
        life.use("create_qp");
        init.sendCq().life().use("create_qp");
        init.recvCq().life().use("create_qp");
        Completion<QueuePairProvider> done = new Completion<>();
        done.whenFailed(error -> {
            init.sendCq().life().release();
            init.recvCq().life().release();
            life.release();
        });
        provider.createQp(number, init, done);
        return done.map(queue -> new QueuePair(queue, this, init, life));
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
