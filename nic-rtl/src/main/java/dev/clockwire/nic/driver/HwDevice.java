package dev.clockwire.nic.driver;

import dev.clockwire.nic.device.NicDevice;
import dev.clockwire.nic.regs.NicRegisters;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.roce.verbs.AddressVector;
import dev.clockwire.roce.verbs.AsyncEvent;
import dev.clockwire.roce.verbs.AsyncEventType;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.ContextProvider;
import dev.clockwire.roce.verbs.DeviceAttributes;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.Neighbours;
import dev.clockwire.roce.verbs.Numbering;
import dev.clockwire.roce.verbs.Paths;
import dev.clockwire.roce.verbs.PortAttributes;
import dev.clockwire.roce.verbs.VerbsProvider;
import dev.clockwire.roce.wire.Encapsulation;
import dev.clockwire.roce.wire.FlowAddress;
import dev.clockwire.sim.host.Cpu;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.MemorySanitizer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/** The hardware provider: the verbs of a {@link NicDevice} in a {@link Host}. */
public final class HwDevice implements VerbsProvider {
    private static final int PAGE = 4096;
    private static final int PART_ID = 0x1021;

    private final String name;
    private final NicDevice nic;
    private final Host host;
    private final Neighbours neighbours;
    private final double gbps;
    private final Numbering numbering;
    private final RegistrationSpec registration;
    private long pinned;
    private final long loadPs;
    private final CommandQueue commands;
    private final HwEvents events;
    private final DeviceTables tables;
    private final List<HwContext> contexts = new ArrayList<>();
    private int nextPd = 1;

    /**
     * Creates the provider.
     *
     * @param name such as {@code mlx5_0}
     * @param gbps rate of the port, for its attributes
     * @param numbering who chooses queue pair numbers and keys
     * @param registration what memory regions cost
     * @param loadPs how long a core waits for a load from the device
     */
    public HwDevice(
            String name,
            NicDevice nic,
            Host host,
            Neighbours neighbours,
            double gbps,
            Numbering numbering,
            RegistrationSpec registration,
            long loadPs) {
        this.name = name;
        this.nic = nic;
        this.host = host;
        this.neighbours = neighbours;
        this.gbps = gbps;
        this.numbering = numbering;
        this.registration = registration;
        this.loadPs = loadPs;
        MemorySanitizer sanitizer = host.hostMemory().sanitizer();
        if (sanitizer != null) {
            nic.parts().setMemoryDevice(sanitizer.device(name, nic.path()));
        }
        commands = new CommandQueue(nic, "driver", nic.parts().table());
        events = new HwEvents(this);
        tables = new DeviceTables(this);
    }

    /** Returns the device behind the driver. */
    public NicDevice nic() {
        return nic;
    }

    /**
     * Returns the switch of the NVMe-oF offload.
     *
     * @throws dev.clockwire.sim.error.ConfigurationException if the NIC has none
     */
    public HwOffload offload() {
        return new HwOffload(this);
    }

    Host host() {
        return host;
    }

    /** Allocates a ring or record: memory that cores touch all the time, in the last-level cache next to the device. */
    Allocation allocate(String what, long bytes) {
        return host.hostMemory()
                .allocate(
                        what,
                        bytes,
                        Allocation.Kind.REAL,
                        PAGE,
                        host.hostMemory().cache());
    }

    /** Allocates memory of the device's own tables, which no core touches. */
    Allocation allocateTable(String what, long bytes) {
        return host.hostMemory()
                .allocate(
                        what,
                        bytes,
                        Allocation.Kind.REAL,
                        PAGE,
                        host.hostMemory().dram());
    }

    /** Fills the addresses of a path; see {@link Paths#resolve}. */
    boolean resolve(AddressVector to, int localQpn, int remoteQpn, FlowAddress out) {
        boolean found = Paths.resolve(neighbours, nic.parts().port(), to, localQpn, remoteQpn, out);
        if (found && nic.spec().roceV1()) {
            out.encapsulation = Encapsulation.GRH;
            out.udpSourcePort = 0;
        }
        return found;
    }

    /** Returns how long a core waits for a load from the device. */
    long loadPs() {
        return loadPs;
    }

    /** Pins so many bytes more, or fewer. */
    void pin(long bytes) {
        pinned += bytes;
    }

    /** Returns the bytes that are pinned. */
    public long pinned() {
        return pinned;
    }

    RegistrationSpec registration() {
        return registration;
    }

    /** Returns how many pages of the host a range touches; 0 if it is not host memory. */
    long pages(long address, long length) {
        Allocation buffer = host.memory().at(address, Math.max(1, length));
        return buffer == null ? 0 : host.spec().depth().pages().pages(buffer, address, Math.max(1, length));
    }

    Numbering numbering() {
        return numbering;
    }

    int nextPd() {
        return nextPd++;
    }

    DeviceTables tables() {
        return tables;
    }

    HwEvents events() {
        return events;
    }

    CommandQueue commands() {
        return commands;
    }

    Gid ipv4() {
        return Gid.ofIpv4(nic.parts().port().ipv4());
    }

    Gid ipv6() {
        return new Gid(nic.parts().port().ipv6Hi(), nic.parts().port().ipv6Lo());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int firstPsn(int drawn) {
        return numbering.firstPsn(drawn);
    }

    @Override
    public boolean isPresent() {
        return nic.life().isPresent();
    }

    @Override
    public DeviceAttributes attributes() {
        return DeviceAttributes.connectX(nic.parts().port().mac(), "clockwire", PART_ID)
                .withDeviceMemory(nic.spec().deviceMemoryBytes());
    }

    @Override
    public PortAttributes port(int number) {
        return new PortAttributes(
                nic.receiver().linkUp(), Mtu.MTU_4096, Mtu.MTU_4096, 1L << 31, gbps, List.of(ipv4(), ipv6()));
    }

    @Override
    public ContextProvider open(Cpu cpu, Consumer<AsyncEvent> sink) {
        HwContext context = new HwContext(this, cpu, sink);
        contexts.add(context);
        return context;
    }

    void closed(HwContext context) {
        contexts.remove(context);
    }

    /** Opens the Ethernet queues for a core. */
    public Completion<NicEthernet> openEthernet(Cpu cpu, EthernetSpec spec, IntConsumer happened) {
        return NicEthernet.open(this, new HwContext(this, cpu, event -> {}), spec, happened);
    }

    /** Tells the device, by a store of the core that opened it first, how many entries of the event queue were taken. */
    void consumedEvents(int index) {
        if (!contexts.isEmpty()) {
            long register = nic.endpoint().barAddress(NicRegisters.BAR) + NicRegisters.EQ_CI_REG;
            contexts.get(0).cpu().mmioWrite(register, index & 0xFFFF_FFFFL, Integer.BYTES);
        }
    }

    /** Something happened to the device: all programs hear of it. */
    void happened(AsyncEventType type, int number) {
        for (HwContext context : contexts) {
            context.happened(type, number);
        }
    }
}
