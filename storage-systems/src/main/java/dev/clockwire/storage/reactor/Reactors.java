package dev.clockwire.storage.reactor;

import dev.clockwire.pcie.host.Host;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.stats.StatRegistry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reactors of one process on a host, one on each core of a mask, with what they share: pools, threads, devices, and the functions
 * that messages call. It is built before time 0: a snapshot knows functions, threads, pollers and devices by their order.
 */
public final class Reactors {
    /** Sender of what a test sends from outside of all reactors: behind all others. */
    private static final int OUTSIDE = Integer.MAX_VALUE;

    private final Host host;
    private final ReactorSpec spec;
    private final CoreMask mask;
    private final List<Reactor> reactors = new ArrayList<>();
    private final List<StorageThread> threads = new ArrayList<>();
    private final List<MsgFn> functions = new ArrayList<>();
    private final List<IoDevice<?>> devices = new ArrayList<>();
    private final List<ChannelWalk<?>> walks = new ArrayList<>();
    private final ObjectPool events;
    private final ObjectPool messages;
    private final MsgFn addThread;
    private final MsgFn endChannel;
    private int nextCore;
    private @Nullable Reactor running;
    private @Nullable StorageThread current;

    /** Adds a core to the host for each one of the mask and starts a reactor there. */
    public Reactors(Host host, CoreMask mask, ReactorSpec spec) {
        this.host = host;
        this.mask = mask;
        this.spec = spec;
        events = new ObjectPool("events", spec.eventPool());
        messages = new ObjectPool("messages", spec.messagePool());
        addThread = function(
                "reactor.add_thread", (id, b) -> thread((int) id).reactor().add(thread((int) id)));
        endChannel =
                function("channel.end", (id, d) -> thread((int) id).channels().end(device((int) d)));
        nextCore = mask.next(0);
        for (int lcore = nextCore; lcore >= 0; lcore = mask.next(lcore + 1)) {
            Reactor r = new Reactor(this, host.addCore(), lcore, reactors.size());
            reactors.add(r);
            register(host.sim().stats(), host.path() + ".reactor" + lcore, r);
        }
        reactors.forEach(r -> r.core().run(r));
    }

    private static void register(StatRegistry stats, String name, Reactor r) {
        stats.reading(name + ".busy_ps", "ps", "polls of threads in which something was done", r::busyPs);
        stats.reading(name + ".idle_ps", "ps", "polls in which nothing was done, and sleep", r::idlePs);
        stats.reading(name + ".sleep_ps", "ps", "sleep until something is written", r::sleepPs);
        stats.reading(name + ".rounds", "rounds", "rounds of the busy loop, skipped ones included", r::rounds);
    }

    /** Makes a thread on the next core of the mask in turn. */
    public StorageThread thread(String name) {
        return thread(name, mask);
    }

    /**
     * Makes a thread on the next core in turn that its mask allows. The core's reactor takes it in with an event.
     *
     * @throws ConfigurationException if no core of the mask has a reactor, or the event pool is empty
     */
    public StorageThread thread(String name, CoreMask allowed) {
        for (int i = 0; i < reactors.size(); i++) {
            int lcore = nextCore;
            nextCore = mask.next(lcore + 1) < 0 ? mask.next(0) : mask.next(lcore + 1);
            if (allowed.has(lcore)) {
                StorageThread t = new StorageThread(this, reactor(lcore), name, threads.size() + 1);
                threads.add(t);
                if (t.reactor().sendEvent(addThread, t.id(), 0) != 0) {
                    throw new ConfigurationException(
                            host.path(),
                            now(),
                            "thread " + name + ": the event pool of " + events.size() + " is empty");
                }
                return t;
            }
        }
        throw new ConfigurationException(
                host.path(),
                now(),
                "thread " + name + " may run on cores 0x" + allowed + ": reactors run on 0x" + mask);
    }

    /** Gives a function that messages and events can call. */
    public MsgFn function(String name, MsgFn.Body body) {
        MsgFn f = new MsgFn(name, functions.size(), body);
        functions.add(f);
        return f;
    }

    /** Makes a device known, so that threads can have channels to it. */
    public void register(IoDevice<?> device) {
        devices.add(device);
    }

    /** Makes a walk over the channels of a device. */
    public <C> ChannelWalk<C> walk(String name, IoDevice<C> device, ChannelWalk.Visit<C> visit, ChannelWalk.Done done) {
        ChannelWalk<C> w = new ChannelWalk<>(this, device, name, visit, done);
        walks.add(w);
        return w;
    }

    int send(StorageThread to, MsgFn fn, long a, long b) {
        StorageThread from = current;
        if (to.hasExited()) {
            throw new ConfigurationException(host.path(), now(), "message to " + to.name() + ", which has ended");
        }
        if (!(from == null ? messages.take() : from.cache().take())) {
            return -Errno.ENOMEM;
        }
        long seen = sent(to.reactor());
        to.put(fn, a, b, seen, sender());
        wake(to.reactor(), seen);
        return 0;
    }

    int sendEvent(Reactor to, MsgFn fn, long a, long b) {
        if (!events.take()) {
            return -Errno.ENOMEM;
        }
        long seen = sent(to);
        to.put(fn, a, b, seen, sender());
        wake(to, seen);
        return 0;
    }

    private void wake(Reactor to, long seen) {
        if (to != running) {
            to.core().wakeFrom(seen);
        }
    }

    private int sender() {
        Reactor from = running;
        return from == null ? OUTSIDE : from.index();
    }

    /** Pays for a message; returns when its receiver can see it. One that may sleep must be woken by a call into the kernel. */
    private long sent(Reactor to) {
        Reactor from = running;
        if (from == null) {
            return host.now() + spec.crossPs();
        }
        from.core().charge(spec.sendPs());
        if (to == from) {
            return now();
        }
        if (spec.adaptive()) {
            from.core().charge(HostCost.SYSCALL, 1);
        }
        return now() + spec.crossPs();
    }

    void run(@Nullable Reactor r) {
        running = r;
    }

    void enter(@Nullable StorageThread t) {
        current = t;
    }

    /** Returns the time within the running step, or that of the host. */
    public long now() {
        Reactor r = running;
        return r == null ? host.now() : r.core().now();
    }

    /** Returns the thread whose code runs, null outside of threads. */
    public @Nullable StorageThread current() {
        return current;
    }

    /** Returns the host. */
    public Host host() {
        return host;
    }

    /** Returns what the reactors' own work costs. */
    public ReactorSpec spec() {
        return spec;
    }

    /** Returns the reactors by ascending core. */
    public List<Reactor> reactors() {
        return reactors;
    }

    /**
     * Returns the reactor of a core.
     *
     * @throws ConfigurationException if the mask does not have it
     */
    public Reactor reactor(int lcore) {
        for (Reactor r : reactors) {
            if (r.lcore() == lcore) {
                return r;
            }
        }
        throw new ConfigurationException(host.path(), now(), "no reactor on core " + lcore + ": they run on 0x" + mask);
    }

    /** Returns all threads in the order made, ended ones too. */
    public List<StorageThread> threads() {
        return threads;
    }

    /** Returns the pool that messages come from. */
    public ObjectPool messagePool() {
        return messages;
    }

    /** Returns the pool that events come from. */
    public ObjectPool eventPool() {
        return events;
    }

    MsgFn endChannel() {
        return endChannel;
    }

    StorageThread thread(int id) {
        return threads.get(id - 1);
    }

    MsgFn function(int ordinal) {
        return functions.get(ordinal);
    }

    IoDevice<?> device(int number) {
        return devices.get(number);
    }

    int deviceNumber(IoDevice<?> device) {
        int i = devices.indexOf(device);
        if (i < 0) {
            throw new ConfigurationException(host.path(), now(), "device " + device.name() + " is not registered");
        }
        return i;
    }

    void save(Snapshot out) {
        for (Reactor r : reactors) {
            r.settle(); // counts of threads and pollers, which come before those of their reactors
        }
        out.putInt(nextCore);
        events.save(out);
        messages.save(out);
        out.putInt(threads.size());
        for (StorageThread t : threads) {
            t.save(out);
        }
        for (ChannelWalk<?> w : walks) {
            w.save(out);
        }
        for (IoDevice<?> d : devices) {
            if (d instanceof State s) {
                s.save(out);
            }
        }
    }

    void load(Snapshot in) {
        nextCore = in.getInt();
        events.load(in);
        messages.load(in);
        int n = in.getInt();
        if (n != threads.size()) {
            throw new ConfigurationException(host.path() + " has " + threads.size() + " threads, the snapshot " + n
                    + ": make them before time 0");
        }
        for (StorageThread t : threads) {
            t.load(in);
        }
        for (ChannelWalk<?> w : walks) {
            w.load(in);
        }
        for (IoDevice<?> d : devices) {
            if (d instanceof State s) {
                s.load(in);
            }
        }
    }
}
