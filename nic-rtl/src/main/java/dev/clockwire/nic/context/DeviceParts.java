package dev.clockwire.nic.context;

import dev.clockwire.nic.chip.ChipMemory;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.profile.NicSpec;
import dev.clockwire.nic.stage.Journal;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.wire.FlowAddress;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.roce.wire.PortAddress;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.mem.MemoryUser;
import dev.clockwire.sim.state.Pool;
import org.jspecify.annotations.Nullable;

/** What all blocks of one device share: parameters, tables, pools, the journal. No block owns it and none changes it in a tick. */
public final class DeviceParts {
    private final NicSpec spec;
    private final ContextTable table;
    private final Journal journal;
    private final NicControl control;
    private final PortAddress port;
    private final Pool<RocePacket> packets;
    private final ChipMemory chipMemory;
    private final Interrupts interrupts;
    private final Pool<Wqe> wqes = new Pool<>(Wqe::new);
    private final Pool<DmaWrite> writes = new Pool<>(DmaWrite::new);
    private final Pool<Completion> completions = new Pool<>(Completion::new);
    private Pool<PauseFrame> pauses = new Pool<>(PauseFrame::new);
    private final Pool<KeyChange> keyChanges = new Pool<>(KeyChange::new);
    private @Nullable RetireTap retireTap;
    private int memoryDevice;
    private @Nullable EventPort refills;

    /** Creates the parts of a device; the packet pool is one of the whole fabric, since packets change sides. */
    public DeviceParts(
            NicSpec spec,
            ContextTable table,
            Journal journal,
            NicControl control,
            PortAddress port,
            Pool<RocePacket> packets,
            ChipMemory chipMemory,
            Interrupts interrupts) {
        this.interrupts = interrupts;
        this.chipMemory = chipMemory;
        this.port = port;
        this.spec = spec;
        this.table = table;
        this.journal = journal;
        this.control = control;
        this.packets = packets;
    }

    /** Returns the parameters. */
    public NicSpec spec() {
        return spec;
    }

    /** Returns queue pairs, completion queues and keys. */
    public ContextTable table() {
        return table;
    }

    /** Returns where followed operations are stamped. */
    public Journal journal() {
        return journal;
    }

    /** Returns the way to the device's control. */
    public NicControl control() {
        return control;
    }

    /** Returns the device's own memory; blocks read it at once and write it through ports. */
    public ChipMemory chipMemory() {
        return chipMemory;
    }

    /** Returns the interrupt vectors. */
    public Interrupts interrupts() {
        return interrupts;
    }

    /** Says by which number memory knows the device. */
    public void setMemoryDevice(int number) {
        memoryDevice = number;
    }

    /** Returns whom memory is accessed for by a work request of a queue pair; nobody posts those of the offload itself. */
    public long worker(QpContext qp, int lkey) {
        return qp.offload == null
                ? MemoryUser.work(memoryDevice, qp.qpn, lkey)
                : MemoryUser.offload(memoryDevice, qp.qpn, lkey);
    }

    /** Returns whom memory is accessed for by the peer of a queue pair. */
    public long peer(int qpn, int rkey) {
        return MemoryUser.peer(memoryDevice, qpn, rkey);
    }

    /** Returns the pool of packets. */
    public Pool<RocePacket> packets() {
        return packets;
    }

    /** Returns the pool of pause frames. */
    public Pool<PauseFrame> pauses() {
        return pauses;
    }

    /** Takes pause frames from the pool of the whole fabric: they change sides as packets do. */
    public void sharePauses(Pool<PauseFrame> pool) {
        pauses = pool;
    }

    /** Returns the pool of WQEs. */
    public Pool<Wqe> wqes() {
        return wqes;
    }

    /** Returns the pool of DMA writes. */
    public Pool<DmaWrite> writes() {
        return writes;
    }

    /** Returns the pool of completions. */
    public Pool<Completion> completions() {
        return completions;
    }

    /** Returns the pool of key changes. */
    public Pool<KeyChange> keyChanges() {
        return keyChanges;
    }

    /** Observes finished send work requests. */
    public void setRetireTap(RetireTap tap) {
        retireTap = tap;
    }

    /** Returns the observer of finished send work requests. */
    public @Nullable RetireTap retireTap() {
        return retireTap;
    }

    /** Tells where refills of token buckets are noted. */
    public void setRefills(EventPort port) {
        refills = port;
    }

    /** Returns where refills of token buckets are noted: a = number of the bucket, b = cycle. */
    public @Nullable EventPort refills() {
        return refills;
    }

    /** Returns the addresses of the port. */
    public PortAddress port() {
        return port;
    }

    /** Returns the addresses a WQE's packets carry: the connection's, or the datagram's own with the port as the source. */
    public FlowAddress flowOf(QpContext qp, Wqe wqe) {
        if (qp.type != QpType.UD) {
            return qp.flow;
        }
        port.stamp(wqe.flow);
        return wqe.flow;
    }
}
