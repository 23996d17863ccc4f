package dev.clockwire.storage.app;

import dev.clockwire.pcie.host.Host;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.storage.bdev.BdevSpec;
import dev.clockwire.storage.bdev.Bdevs;
import dev.clockwire.storage.nvmf.target.NvmfTarget;
import dev.clockwire.storage.nvmf.target.TargetSpec;
import dev.clockwire.storage.reactor.CoreMask;
import dev.clockwire.storage.reactor.ReactorSpec;
import dev.clockwire.storage.reactor.Reactors;
import dev.clockwire.storage.reactor.StorageThread;
import dev.clockwire.storage.rpc.JsonValue;
import dev.clockwire.storage.rpc.RpcDispatcher;
import dev.clockwire.storage.rpc.RpcMethods;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One process with reactors, block devices and what is built on them, configured by JSON-RPC. Requests wait until its main thread looks for
 * them; simulated time passes only while somebody runs the simulation, so the same requests in the same order get the same answers.
 */
public final class StorageApp {
    /** Simulated time after which a call that nobody answers is given up: more than any timeout of a connection. */
    private static final long LONGEST_CALL_PS = 120_000_000_000_000L;

    private final Machine machine;
    private final Host host;
    private final AppSpec spec;
    private final Reactors reactors;
    private final StorageThread thread;
    private final HugePages pages;
    private final PoolSpec pools;
    private final AppConfig config = new AppConfig();
    private final List<String> remarks = new ArrayList<>();
    private final RpcMethods methods;
    private final RpcServer server;
    private final BdevOptions bdevOptions;
    private final TargetSpec shown;
    private final IobufMethods iobuf;
    private final NvmeMethods nvme;
    private @Nullable Bdevs bdevs;
    private @Nullable NvmfTarget target;
    private ToLongFunction<String> files = name -> -1;
    private boolean stopped;

    /**
     * Starts a process, up to the point where it waits for {@code framework_start_init}, and beyond unless it is to wait.
     *
     * @throws dev.clockwire.storage.rpc.RpcException if its memory is too small
     */
    public StorageApp(Machine machine, AppSpec spec) {
        this(machine, spec, AppCosts.server());
    }

    /** As above, with other costs. */
    public StorageApp(Machine machine, AppSpec spec, AppCosts costs) {
        ReactorSpec reactor = costs.spdk().reactor().withAdaptive(spec.interrupts());
        this.machine = machine;
        host = machine.host();
        this.spec = spec;
        pools = costs.pools();
        shown = costs.spdk().target();
        bdevOptions = new BdevOptions(costs.spdk().layer());
        pages = new HugePages(spec.memoryMb());
        pages.take("msg_mempool", reactor.messagePool(), pools.messageBytes());
        pages.take("event_mempool", reactor.eventPool(), pools.messageBytes());
        reactors = new Reactors(host, spec.cores(), reactor);
        thread = reactors.thread("app_thread", CoreMask.parse("[" + spec.mainCore() + "]"));
        methods = new RpcMethods(this::isStarted, remarks::add);
        FrameworkMethods.add(this);
        ThreadMethods.add(this);
        LogMethods.add(this);
        iobuf = IobufMethods.add(this);
        BdevMethods.add(this);
        nvme = NvmeMethods.add(this);
        NvmfMethods.add(this);
        server = new RpcServer(thread, new RpcDispatcher(methods), costs.rpc());
        if (!spec.waitForRpc()) {
            start();
        }
    }

    /** Builds what options were set for: once. If that fails, nothing has changed. */
    public void start() {
        int before = pages.parts().size();
        try {
            BdevSpec s = bdevOptions.spec();
            iobuf.take(pages);
            pages.take("bdev_io", s.ioPool(), pools.bdevIoBytes());
        } catch (ConfigurationException e) {
            pages.back(before);
            throw e;
        }
        Bdevs layer = new Bdevs(reactors, bdevOptions.spec());
        bdevs = layer;
        NvmfTarget made = new NvmfTarget(reactors, layer, thread, shown);
        made.tell(this::remark);
        machine.nics().forEach(made::addDevice);
        target = made;
    }

    /** Returns whether the framework is started. */
    public boolean isStarted() {
        return bdevs != null;
    }

    /** Returns the block devices, once the framework is started. */
    public Bdevs bdevs() {
        Bdevs b = bdevs;
        if (b == null) {
            throw new ConfigurationException(host.path(), host.now(), "block devices before framework_start_init");
        }
        return b;
    }

    /** Returns the NVMe-oF target, once the framework is started. */
    public NvmfTarget target() {
        NvmfTarget t = target;
        if (t == null) {
            throw new ConfigurationException(host.path(), host.now(), "the target before framework_start_init");
        }
        return t;
    }

    /**
     * Lets a request, or a batch of them, wait for the main thread.
     *
     * @param done gets the answer while the simulation runs, null if none is due
     */
    public void submit(JsonValue request, Consumer<@Nullable JsonValue> done) {
        server.submit(request, done);
    }

    /**
     * Runs the simulation until a request, or a batch of them, is answered; between two stretches of simulated time.
     *
     * @return the answer, null if none is due
     */
    public @Nullable JsonValue handle(JsonValue request) {
        List<@Nullable JsonValue> answers = new ArrayList<>();
        submit(request, answers::add);
        if (!host.sim().runUntil(() -> !answers.isEmpty(), host.now() + LONGEST_CALL_PS)) {
            throw new InvariantViolation("a request was not answered within 120 s of simulated time");
        }
        return answers.get(0);
    }

    /**
     * Calls a method and runs the simulation until it is answered.
     *
     * @return the whole answer, with {@code result} or {@code error}
     */
    public JsonValue.Obj call(String method, JsonValue.Obj params) {
        if (handle(RpcDispatcher.request(1, method, params)) instanceof JsonValue.Obj answer) {
            return answer;
        }
        throw new InvariantViolation("a call with an id was not answered");
    }

    /** Returns what callers should know although it was no error, since this was asked last. */
    public List<String> remarks() {
        List<String> told = List.copyOf(remarks);
        remarks.clear();
        return told;
    }

    void remark(String text) {
        remarks.add(text);
    }

    /** Says how many bytes a file has, -1 if it is none: models open no files, and without this there are none. */
    public void knowFiles(ToLongFunction<String> bytes) {
        files = bytes;
    }

    long bytesOf(String file) {
        return files.applyAsLong(file);
    }

    NvmeMethods nvme() {
        return nvme;
    }

    /** Does something as soon as a condition holds when the main thread looks for requests. */
    void when(BooleanSupplier condition, Runnable then) {
        server.when(condition, then);
    }

    /** Ends the process as far as RPC is concerned. */
    void stop() {
        stopped = true;
    }

    /** Returns whether somebody has told it to end. */
    public boolean isStopped() {
        return stopped;
    }

    /** Returns the methods. */
    public RpcMethods methods() {
        return methods;
    }

    /** Returns the host it runs on. */
    public Host host() {
        return host;
    }

    /** Returns its options. */
    public AppSpec spec() {
        return spec;
    }

    /** Returns the reactors. */
    public Reactors reactors() {
        return reactors;
    }

    /** Returns its main thread. */
    public StorageThread thread() {
        return thread;
    }

    /** Returns the memory that pools are made of. */
    public HugePages pages() {
        return pages;
    }

    /** Returns what it runs on. */
    public Machine machine() {
        return machine;
    }

    IobufMethods iobuf() {
        return iobuf;
    }

    AppConfig config() {
        return config;
    }

    BdevOptions bdevOptions() {
        return bdevOptions;
    }
}
