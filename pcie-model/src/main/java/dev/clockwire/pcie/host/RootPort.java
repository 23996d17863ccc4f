package dev.clockwire.pcie.host;

import dev.clockwire.pcie.link.LinkDirection;
import dev.clockwire.pcie.link.LinkEnd;
import dev.clockwire.pcie.link.PcieDevice;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.link.TrainPool;
import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/** The host's end of a link: the part of the root complex that a device talks to. Belongs to the {@link Host} node. */
public final class RootPort implements LinkEnd {
    private static final int COMPLETER_ID = 0;

    private final Host host;
    private final PcieDevice device;
    private final PcieLinkSpec link;
    private final HostSpec spec;
    private final int node;
    private final long[] barAddress;
    private final TrainPool pool;
    private final CommitQueue commits;
    private final LinkDirection down;
    private final EventPort arrivals;
    private final EventPort serve;
    private final EventPort stores;

    RootPort(Host host, PcieDevice device, int index, int node) {
        this.host = host;
        this.device = device;
        this.node = node;
        pool = device.trains();
        commits = new CommitQueue(pool);
        link = device.link();
        spec = host.spec();
        barAddress = new long[device.bars()];
        String name = "port" + index;
        arrivals = new Arrivals(name);
        serve = new Serve(name);
        stores = new Stores(name);
        down = new LinkDirection(host, name + "Down", link, false, spec.holdPs());
    }

    /** Returns the device at the other end. */
    public PcieDevice device() {
        return device;
    }

    /** Returns the NUMA node that the device is close to. */
    public int node() {
        return node;
    }

    /** Returns the bus address of a window, by its place among the device's windows. */
    public long barAddress(int index) {
        return barAddress[index];
    }

    @Override
    public EventPort arrivals() {
        return arrivals;
    }

    @Override
    public LinkDirection transmitter() {
        return down;
    }

    CommitQueue commits() {
        return commits;
    }

    void place(int index, long address) {
        barAddress[index] = address;
        device.placeBar(index, address);
    }

    boolean owns(long address) {
        for (int i = 0; i < barAddress.length; i++) {
            long at = address - barAddress[i];
            if (at >= 0 && at < device.barBytes(i)) {
                return true;
            }
        }
        return false;
    }

    /** Sends a store of a core that left it at a time; at most 64 bytes that lie in one 64-byte line. */
    void store(long leftPs, long address, byte[] data, int off, int len, long journey) {
        TlpTrain t = pool.take().writes(address, len, link.maxPayload(), COMPLETER_ID);
        t.data.appendBytes(data, off, len);
        t.journey = journey;
        stores.send(Math.max(leftPs + spec.storePs(), host.now() + 1), 0, 0, 0, t);
    }

    /** Sends a load of a core. */
    void load(long leftPs, long address, int len, int core) {
        TlpTrain t = pool.take().reads(address, COMPLETER_ID);
        t.addRead(len, core);
        stores.send(Math.max(leftPs + spec.storePs(), host.now() + 1), 0, 0, 0, t);
    }

    private void written(TlpTrain train, int from, int to) {
        Placement where = host.hostMemory().placement(train.address, train.length());
        commits.add(train, from, to, spec.writePs(where, node));
        host.arrived(train, from, to, commits.last());
        if (train.stage != 0) {
            host.stampCommit(train, commits.last());
        }
    }

    private void requested(TlpTrain train, int from, int to) {
        Placement where = host.hostMemory().placement(train.address, train.length());
        long delay = spec.readPs(where, node);
        for (int i = from; i < to; i++) {
            // a read pushes the writes before it: it sees them in memory
            long at = Math.max(train.arrival[i] + delay, commits.last() + 1);
            serve.send(at, 0, i, 0, train);
        }
    }

    private void serve(TlpTrain request, int i) {
        host.hostMemory().seenAt(host.now());
        long va = request.address + request.offset[i];
        int n = request.bytes(i);
        TlpTrain t = pool.take();
        t.completions(va, n, link.completionChunk(), COMPLETER_ID, request.requesterId, request.tag[i]);
        t.journey = request.journey;
        host.hostMemory().read(t, va, n);
        if (i == request.count - 1) {
            pool.give(request);
        }
        down.submit(t);
    }

    private void answered(TlpTrain train, int to) {
        if (to == train.count) {
            long x = -1; // what a refused load returns
            if (train.type.hasData()) {
                x = 0;
                for (int i = train.length() - 1; i >= 0; i--) {
                    x = x << 8 | (train.data.byteAt(i) & 0xff);
                }
            }
            host.core(train.tag[0]).loaded(x);
            pool.give(train);
        }
    }

    private final class Arrivals extends EventPort {
        Arrivals(String name) {
            super(host, name + "Up");
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            if (!(token instanceof TlpTrain train)) {
                throw new InvariantViolation(path(), host.now(), "something other than TLPs arrived");
            }
            switch (train.type.flowClass()) {
                case POSTED -> written(train, (int) a, (int) b);
                case NON_POSTED -> requested(train, (int) a, (int) b);
                case COMPLETION -> answered(train, (int) b);
            }
        }
    }

    /** Reads whose data the memory has. */
    private final class Serve extends EventPort {
        Serve(String name) {
            super(host, name + "Serve");
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            if (token instanceof TlpTrain request) {
                serve(request, (int) a);
            }
        }
    }

    /** Stores and loads of cores on their way to the link. */
    private final class Stores extends EventPort {
        Stores(String name) {
            super(host, name + "Stores");
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            if (token instanceof TlpTrain train) {
                down.submit(train);
            }
        }
    }

    static ConfigurationException nobodyAt(Host host, long address) {
        return new ConfigurationException(
                host.path(), host.now(), "no device has a window at 0x" + Long.toHexString(address));
    }

    static boolean isWrite(TlpTrain train) {
        return train.flowClass() == FlowClass.POSTED;
    }
}
