package dev.clockwire.nvme.ctrl;

import dev.clockwire.nvme.media.Media;
import dev.clockwire.nvme.regs.MemoryRegisters;
import dev.clockwire.nvme.regs.NvmeRegisters;
import dev.clockwire.nvme.regs.RegisterEvents;
import dev.clockwire.nvme.store.BlockStore;
import dev.clockwire.pcie.config.BarSpec;
import dev.clockwire.pcie.config.ConfigSpace;
import dev.clockwire.pcie.config.ConfigSpec;
import dev.clockwire.pcie.config.MsixTable;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.MmioWrite;
import dev.clockwire.pcie.endpoint.PcieEndpoint;
import dev.clockwire.pcie.endpoint.WindowMemory;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.Timer;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.stats.StatRegistry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The controller of an SSD behind a PCIe endpoint; see the package for its data path. */
public final class NvmeController extends SimNode {
    /** Offset of the MSI-X table in BAR 0. */
    private static final int VECTORS_AT = 0x4000;

    private static final int PENDING = 0x4000;
    private static final long BAR_BYTES = 0x10000;
    private static final int VENDOR = 0x1AF4;
    private static final int DEVICE = 0x1F00;
    private static final int CLASS = 0x01_0802;
    private static final int PAYLOAD_SUPPORTED = 512;
    /** From a read's arrival to its answer. */
    private static final long READ_PS = 40_000;

    private static final int WORD = 4;
    private static final int MOST_QUEUES = 1023;

    private final NvmeSpec spec;
    private final PcieEndpoint endpoint;
    private final NvmeRegisters registers;
    private final Executor executor;
    private final Media media;
    private final MsixTable vectors;
    private final Timer enabling;
    private final Timer mediaReady;
    private final Timer opening;
    private final ControllerMemory memory;

    /**
     * Creates a controller and its endpoint.
     *
     * @param id bus, device and function
     * @param stores what the namespaces hold, in their order
     */
    public NvmeController(Scope parent, String name, NvmeSpec spec, int id, List<BlockStore> stores) {
        super(parent, name);
        this.spec = spec;
        requireStores(spec, stores);
        endpoint = new PcieEndpoint(this, "pcie", spec.link(), id);
        int messages = (spec.ioQueues() / 32 + 1) * 32;
        endpoint.bar(new BarSpec(0, BAR_BYTES, false, true));
        bar(ControllerMemory.CMB_BAR, spec.memory().cmbBytes());
        bar(ControllerMemory.PMR_BAR, spec.memory().pmrBytes());
        ConfigSpace config = endpoint.configure(new ConfigSpec(
                VENDOR,
                DEVICE,
                1,
                CLASS,
                VENDOR,
                endpoint.barSpecs(),
                messages,
                0,
                VECTORS_AT,
                VECTORS_AT + PENDING,
                PAYLOAD_SUPPORTED,
                spec.link()));
        MemorySpec own = spec.memory();
        MemoryRegisters.Sizes sizes = new MemoryRegisters.Sizes(
                own.cmbBytes(), own.pmrBytes(), own.speed().megabytesPerSecond());
        registers = state(new NvmeRegisters(this, spec.entries(), 0, spec.mediaPs() > 0, sizes, new Stores()));
        memory = new ControllerMemory(registers.memory(), endpoint, own);
        HostAccess host = new HostAccess(this, endpoint, spec, memory, read -> answered(read), this::left);
        vectors = state(new MsixTable(this, config, messages, PENDING, "BAR0: interrupt vectors", this::released));
        Interrupts interrupts = state(new Interrupts(this, host, vectors, Math.min(messages, MOST_QUEUES + 1)));
        media = state(new Media(this, "media", spec.media(), spec.commands() + 1, this::mediaDone));
        executor = state(new Executor(spec, registers, new Executor.Parts(host, interrupts, media), stores));
        enabling = new Timer(this, "enable") {
            @Override
            protected void expired(long at) {
                begin();
            }
        };
        mediaReady = new Timer(this, "mediaReady") {
            @Override
            protected void expired(long at) {
                executor.mediaReady(true);
            }
        };
        EventPort table = port("vectorStores", this::vectorStore);
        EventPort stored = port("stores", w -> registers.write(w.offset, w.value(0, Math.min(w.length, 8)), w.length));
        EventPort changed = new EventPort(this, "vectorsChanged") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                vectors.release();
            }
        };
        config.onVectors(() -> changed.send(now() + 1, 0, 0, 0));
        endpoint.registers(0, 0, VECTORS_AT, stored, (bar, at, n) -> registers.read(at, n), READ_PS);
        endpoint.registers(
                0,
                VECTORS_AT,
                BAR_BYTES - VECTORS_AT,
                table,
                (bar, at, n) -> vectors.bank().read(at, n),
                READ_PS);
        opening = new Timer(this, "open") {
            @Override
            protected void expired(long at) {
                memory.open(true);
                registers.memory().persistentReady();
            }
        };
        register(sim().stats());
    }

    private void bar(int number, long bytes) {
        if (bytes > 0) {
            endpoint.bar(new BarSpec(number, bytes, true, true));
        }
    }

    private static void requireStores(NvmeSpec spec, List<BlockStore> stores) {
        for (int i = 0; i < Math.max(stores.size(), spec.namespaces().size()); i++) {
            boolean both = i < stores.size() && i < spec.namespaces().size();
            if (!both
                    || stores.get(i).blockBytes() != spec.namespaces().get(i).blockBytes()
                    || stores.get(i).blocks() != spec.namespaces().get(i).blocks()) {
                throw new ConfigurationException("namespace " + (i + 1) + ": its store must have its blocks");
            }
        }
    }

    /** Takes stores of the host into a part of the window. */
    private interface Store {
        void stored(MmioWrite w);
    }

    private EventPort port(String name, Store store) {
        return new EventPort(this, name) {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                if (token instanceof MmioWrite w) {
                    store.stored(w);
                    endpoint.recycle(w);
                }
            }
        };
    }

    private void vectorStore(MmioWrite w) {
        if (w.offset % WORD == 0 && (w.length == WORD || w.length == 2 * WORD)) {
            vectors.bank().write(w.offset, w.value(0, w.length), w.length);
        }
    }

    private void answered(DmaRead read) {
        executor.answered(read);
    }

    private void left(int queue, int cid, long ps) {
        executor.left(queue, cid, ps);
    }

    private void mediaDone(int slot) {
        executor.mediaDone(slot);
    }

    private void released(int vector) {
        executor.interrupts.send(vector);
    }

    /** Whether CSTS.RDY means that the medium can be used too. */
    private boolean waitsForMedia() {
        return spec.mediaPs() == 0 || !registers.isIndependent();
    }

    private void begin() {
        if (!registers.isEnabled()) {
            return;
        }
        if (!registers.refusal().isEmpty()) {
            registers.fatal();
            return;
        }
        executor.start();
        registers.ready(true);
        if (waitsForMedia()) {
            executor.mediaReady(true);
        } else {
            mediaReady.arm(now() + spec.mediaPs());
        }
    }

    /** What stores into registers ask for. */
    private final class Stores implements RegisterEvents {
        @Override
        public void enable() {
            enabling.arm(now() + spec.enablePs() + (waitsForMedia() ? spec.mediaPs() : 0));
        }

        @Override
        public void disable() {
            halt();
            executor.stop(() -> registers.reset(false));
        }

        @Override
        public void shutdown() {
            executor.shutdown();
        }

        @Override
        public void subsystemReset() {
            halt();
            executor.stop(() -> registers.reset(true));
        }

        private void halt() {
            enabling.cancel();
            mediaReady.cancel();
            executor.mediaReady(false);
        }

        @Override
        public void persistent(boolean on) {
            if (on) {
                opening.arm(now() + spec.enablePs());
            } else {
                opening.cancel();
                memory.open(false);
            }
        }

        @Override
        public void masked() {
            // messages have masks of their own; pins are not modelled
        }

        @Override
        public void doorbell(int queue, boolean completion, int value) {
            executor.doorbell(queue, completion, value);
        }
    }

    /** Returns its end of the PCIe link, to be attached to a host or switch. */
    public PcieEndpoint endpoint() {
        return endpoint;
    }

    /** Returns the parameters. */
    public NvmeSpec spec() {
        return spec;
    }

    /** Returns the registers. */
    public NvmeRegisters registers() {
        return registers;
    }

    /** Returns the controller memory buffer, null if there is none. */
    public @Nullable WindowMemory controllerMemory() {
        return memory.buffer();
    }

    /** Returns the persistent memory region, null if there is none. */
    public @Nullable WindowMemory persistentMemory() {
        return memory.region();
    }

    /** Returns the interrupt vectors. */
    public MsixTable vectors() {
        return vectors;
    }

    /**
     * Makes blocks bad: commands that touch them end with Unrecovered Read Error, or Write Fault, and nothing is moved or stored.
     *
     * @param writes whether writes fail, not reads
     * @param times how many commands do
     */
    public void spoil(int nsid, long slba, long blocks, boolean writes, long times) {
        executor.spoil(nsid, slba, blocks, writes ? BadBlocks.WRITES : BadBlocks.READS, times);
    }

    /**
     * Has the controller itself fail at blocks: commands that read or write them end with Internal Error, and nothing is moved or stored.
     *
     * @param times how many commands do
     */
    public void malfunction(int nsid, long slba, long blocks, long times) {
        executor.spoil(nsid, slba, blocks, BadBlocks.INTERNAL, times);
    }

    /** Has the firmware fail: CSTS.CFS is set, commands are neither begun nor ended any more, doorbells are not heard. A controller reset mends it. */
    public void fail() {
        executor.fail();
    }

    /** Has the commands of a submission queue watched; null ends that. */
    public void watch(int queue, @Nullable CommandTap tap) {
        executor.watch(queue, tap);
    }

    /** Returns how many commands are under way. */
    public int active() {
        return executor.active();
    }

    private void register(StatRegistry stats) {
        String p = path() + ".";
        stats.reading(p + "completions", "commands", "Completions written", executor::completions);
        stats.reading(p + "interrupts", "messages", "Messages sent", executor.interrupts::sent);
        stats.reading(p + "media_reads", "commands", "Commands that read the medium", media::reads);
        stats.reading(p + "media_writes", "commands", "Commands that wrote it", media::writes);
        stats.reading(p + "doorbell_errors", "writes", "Doorbells that made no sense", registers::doorbellErrors);
    }
}
