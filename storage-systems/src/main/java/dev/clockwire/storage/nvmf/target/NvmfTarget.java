package dev.clockwire.storage.nvmf.target;

import dev.clockwire.nvme.fabrics.DiscoveryLog;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.roce.verbs.Device;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import dev.clockwire.storage.bdev.Bdevs;
import dev.clockwire.storage.nvmf.subsystem.Subsystem;
import dev.clockwire.storage.nvmf.subsystem.SubsystemSpec;
import dev.clockwire.storage.nvmf.subsystem.TransportId;
import dev.clockwire.storage.nvmf.subsystem.TransportSpec;
import dev.clockwire.storage.reactor.CoreMask;
import dev.clockwire.storage.reactor.Reactor;
import dev.clockwire.storage.reactor.Reactors;
import dev.clockwire.storage.reactor.StorageThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A target: what is configured, and what came of it. It is made before time 0; it can be configured then and later. */
public final class NvmfTarget {
    private final TargetSpec spec;
    private final Reactors reactors;
    private final Bdevs bdevs;
    private final StorageThread app;
    private final List<Device> devices = new ArrayList<>();
    private final List<Subsystem> subsystems = new ArrayList<>();
    private final Subsystem.Changes changes = new Subsystem.Changes() {
        @Override
        public void refused(Subsystem by, String host) {
            sessions.end(by, host);
        }

        @Override
        public void reachable(Subsystem what) {
            generation++;
            sessions.reachable();
            RdmaTransport t = rdma;
            if (t != null) {
                t.listen();
            }
        }

        @Override
        public void namespaces(Subsystem what, int nsid) {
            sessions.namespaceChanged(what, nsid);
            TargetOffload o = offload;
            if (o != null) {
                o.changed(what);
            }
        }
    };
    private final List<PollGroup> groups = new ArrayList<>();
    private final Sessions sessions;
    private final TargetLogs logs = new TargetLogs(this);
    private final Fabrics fabrics = new Fabrics(this);
    private final AdminCommands adminCommands = new AdminCommands(this);
    private final IoCommands ioCommands = new IoCommands(this);
    private @Nullable TransportSpec transport;
    private @Nullable RdmaTransport rdma;
    private @Nullable TargetOffload offload;
    private @Nullable StateTap states;
    private Consumer<String> notes = line -> {};
    private long generation;

    /** Sees each step of each command; it must change nothing. */
    @FunctionalInterface
    public interface StateTap {
        /**
         * A command goes from one state to another.
         *
         * @param qid of its queue
         * @param slot number of the request
         * @param cid identifier of the command; not known yet in {@link RequestState#NEW}
         */
        void changed(int qid, int slot, int cid, RequestState from, RequestState to, long ps);
    }

    /**
     * Makes a target with nothing but the discovery subsystem.
     *
     * @param app the thread that new connections and controllers are made on
     */
    public NvmfTarget(Reactors reactors, Bdevs bdevs, StorageThread app, TargetSpec spec) {
        this.spec = spec;
        this.reactors = reactors;
        this.bdevs = bdevs;
        this.app = app;
        for (Reactor r : reactors.reactors()) {
            String name = String.format(Locale.ROOT, "nvmf_tgt_poll_group_%03d", groups.size());
            groups.add(new PollGroup(reactors.thread(name, CoreMask.parse("[" + r.lcore() + "]"))));
        }
        sessions = new Sessions(this);
        SubsystemSpec discovery = SubsystemSpec.of(DiscoveryLog.NQN).withAnyHost(true);
        subsystems.add(new Subsystem(discovery, Subsystem.Kind.DISCOVERY, changes));
    }

    /** Returns what it was made with. */
    public TargetSpec spec() {
        return spec;
    }

    /** Returns the reactors it runs on. */
    public Reactors reactors() {
        return reactors;
    }

    /** Returns the layer of block devices. */
    public Bdevs bdevs() {
        return bdevs;
    }

    /** Returns the thread that new connections and controllers are made on. */
    public StorageThread app() {
        return app;
    }

    /** Adds an RDMA device whose addresses can be listened at. Before the transport is created. */
    public void addDevice(Device device) {
        if (transport != null) {
            throw new ConfigurationException("RDMA device " + device.name() + " comes behind the transport");
        }
        devices.add(device);
    }

    /** Sets what can execute commands in place of the target, before the transport is created; it is used if that wants it. */
    public void offloadBy(TargetOffload nic) {
        offload = nic;
    }

    /**
     * Creates the RDMA transport.
     *
     * @throws ConfigurationException if there is one, or it wants an offload and no NIC has one
     */
    public void createTransport(TransportSpec limits) {
        if (transport != null) {
            throw new ConfigurationException("transport RDMA exists already");
        }
        if (limits.offload() && offload == null) {
            throw new ConfigurationException(
                    "offload: no NIC of the target has one: nic.nvmf.contexts is 0, or the device is software");
        }
        if (limits.offload() && isLinux()) {
            throw new ConfigurationException("offload: a target as Linux's takes commands for signs of life, which it"
                    + " would not see; SPDK's does not");
        }
        transport = limits;
        rdma = new RdmaTransport(this, List.copyOf(devices));
    }

    /** Returns whether the transport has all it needs from its devices; it takes connections from then on. */
    public boolean isReady() {
        RdmaTransport t = rdma;
        return t != null && t.isReady();
    }

    /** Returns the RDMA transport, null if there is none. */
    public @Nullable TransportSpec transport() {
        return transport;
    }

    /**
     * Creates a subsystem.
     *
     * @throws ConfigurationException if the name is taken
     */
    public Subsystem createSubsystem(SubsystemSpec what) {
        if (find(what.nqn()) != null) {
            throw new ConfigurationException("subsystem " + what.nqn() + " exists already");
        }
        Subsystem made = new Subsystem(what, Subsystem.Kind.NVME, changes);
        subsystems.add(made);
        return made;
    }

    /**
     * Deletes a subsystem, whose connections end.
     *
     * @throws ConfigurationException if there is none of that name, or it is the discovery subsystem
     */
    public void deleteSubsystem(String nqn) {
        Subsystem old = subsystem(nqn);
        if (old.kind() == Subsystem.Kind.DISCOVERY) {
            throw new ConfigurationException("subsystem " + nqn + " is that of discovery: it stays");
        }
        sessions.end(old);
        old.namespaces().forEach(n -> old.removeNamespace(n.nsid()));
        subsystems.remove(old);
        changes.reachable(old);
    }

    /** Returns a subsystem, null if there is none of that name. */
    public @Nullable Subsystem find(String nqn) {
        for (Subsystem s : subsystems) {
            if (s.nqn().equals(nqn)) {
                return s;
            }
        }
        return null;
    }

    /**
     * Returns a subsystem.
     *
     * @throws ConfigurationException if there is none of that name
     */
    public Subsystem subsystem(String nqn) {
        Subsystem found = find(nqn);
        if (found == null) {
            throw new ConfigurationException("no subsystem " + nqn
                    + Nearest.hint(nqn, subsystems.stream().map(Subsystem::nqn).toList()));
        }
        return found;
    }

    /** Returns the subsystems in the order they were made, that of discovery first. */
    public List<Subsystem> subsystems() {
        return List.copyOf(subsystems);
    }

    /**
     * Lets a subsystem be reached at an address.
     *
     * @throws ConfigurationException if there is no transport, no device has the address, or it listens there already
     */
    public void addListener(Subsystem what, TransportId at) {
        if (transport == null) {
            throw new ConfigurationException("no transport " + at.trtype() + ": create it first");
        }
        if (devices.stream().noneMatch(d -> d.port(1).gids().stream().anyMatch(at::isAt))) {
            throw new ConfigurationException("no RDMA device has the address " + at.traddr());
        }
        what.addListener(at);
    }

    /**
     * Stops to let a subsystem be reached at an address; controllers that were reached there end.
     *
     * @throws ConfigurationException if it did not listen there
     */
    public void removeListener(Subsystem what, TransportId at) {
        what.removeListener(at);
        sessions.end(what, at);
    }

    /** Returns a number that grows with each change of what the discovery log says. */
    public long generation() {
        return generation;
    }

    /** Returns what each poll group has done. */
    public List<PollGroupStats> stats() {
        List<PollGroupStats> all = new ArrayList<>();
        for (PollGroup g : groups) {
            List<PollGroupStats.DeviceStats> devicesOf = new ArrayList<>();
            long waits = 0;
            RdmaTransport t = rdma;
            for (RdmaPoller p : t == null ? List.<RdmaPoller>of() : t.pollers()) {
                if (p.group() == g) {
                    devicesOf.add(p.stats());
                    waits += p.counters().pendingDataBuffer;
                }
            }
            all.add(new PollGroupStats(
                    g.thread().name(),
                    g.admins,
                    g.ios,
                    g.currentAdmins,
                    g.currentIos,
                    g.pendingBdevIo,
                    waits,
                    devicesOf));
        }
        return all;
    }

    /** Returns the controllers of a subsystem. */
    public List<ControllerInfo> controllers(Subsystem of) {
        return sessions.infos(of);
    }

    /** Sets who is told, in a line each, of what goes wrong with hosts. */
    public void tell(Consumer<String> listener) {
        notes = listener;
    }

    /** Sets the observer of commands' states. */
    public void watchStates(StateTap tap) {
        states = tap;
    }

    /** Returns how many data buffers are in use. */
    public int buffersUsed() {
        RdmaTransport t = rdma;
        return t == null ? 0 : t.buffers().used();
    }

    /** Returns what the NIC has executed in place of the target; null if the transport does without. */
    public TargetOffload.@Nullable Stats offloadStats() {
        TargetOffload o = offload;
        TransportSpec t = transport;
        return o == null || t == null || !t.offload() ? null : o.stats();
    }

    /** Returns what was asked of the data buffers. */
    public BufferStats bufferStats() {
        RdmaTransport t = rdma;
        return t == null ? BufferStats.NONE : t.buffers().stats();
    }

    /** Returns how many numbers queues and aborts have taken in messages between threads: no more than there were at a time. */
    int numbers() {
        RdmaTransport t = rdma;
        return sessions.numbers() + (t == null ? 0 : t.numbers());
    }

    void note(String line) {
        notes.accept(line);
    }

    void stateChanged(NvmfQpair q, int slot, int cid, RequestState from, RequestState to) {
        StateTap tap = states;
        if (tap != null) {
            tap.changed(q.qid, slot, cid, from, to, reactors.now());
        }
    }

    TransportSpec limits() {
        TransportSpec t = transport;
        if (t == null) {
            throw new ConfigurationException("no transport: create it first");
        }
        return t;
    }

    /** Returns what executes commands on a device in place of the target; null if nothing does. */
    @Nullable
    TargetOffload offload(Device device) {
        TargetOffload o = offload;
        return o != null && limits().offload() && o.device() == device ? o : null;
    }

    boolean isLinux() {
        return spec.profile() == TargetProfile.LINUX;
    }

    List<PollGroup> groups() {
        return groups;
    }

    TargetLogs logs() {
        return logs;
    }

    Fabrics fabrics() {
        return fabrics;
    }

    IoCommands ioCommands() {
        return ioCommands;
    }

    Sessions sessions() {
        return sessions;
    }

    /** Executes a command: it is told when result and status stand. */
    void execute(NvmfRequest r) {
        NvmfQpair q = r.qpair();
        Controller c = q.controller;
        if (c != null && isLinux()) {
            c.keepAlive().heard(); // TBKAS: whatever a host does is a sign of life
        }
        if (r.cmd.opcode() == Opcodes.FABRICS) {
            fabrics.execute(r);
        } else if (c == null || q.state != NvmfQpair.State.ENABLED) {
            r.refuse(NvmeStatus.SEQUENCE_ERROR);
        } else if (q.isAdmin()) {
            adminCommands.execute(r, c);
        } else if (!c.properties().isEnabled()) {
            r.refuse(NvmeStatus.SEQUENCE_ERROR);
        } else {
            ioCommands.execute(r);
        }
    }
}
