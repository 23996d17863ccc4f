package dev.clockwire.storage.reactor;

import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.List;

/**
 * A thread of a reactor. One poll of it takes up to {@value ReactorSpec#MESSAGE_BATCH} messages, calls each active poller once, the last
 * registered first, and then the timed pollers that are due. What time it is, is asked once, at the start; so a timed poller's next call
 * is due a period after the start of the poll that made the last one. Each look at a ring and each call is a step of the core.
 */
public final class StorageThread implements State {
    private final Reactors reactors;
    private final Reactor reactor;
    private final String name;
    private final int id;
    private final List<Poller> pollers = new ArrayList<>();
    private final List<Poller> active = new ArrayList<>();
    private final List<Poller> timed = new ArrayList<>();
    private final MessageRing messages;
    private final ObjectPool.Cache cache;
    private final PostHandlers after;
    private final Channels channels;

    /** Whether the poll is at its messages; then at the active poller with number {@code cursor}, or at timed ones if that is -1. */
    private boolean atMessages = true;

    private int cursor;
    private long polledAt;
    private int result;
    private boolean begun;
    private boolean exiting;
    private boolean exited;
    private CoreMask cpumask;
    private long busyPs;
    private long idlePs;

    StorageThread(Reactors reactors, Reactor reactor, String name, int id) {
        this.reactors = reactors;
        this.reactor = reactor;
        this.name = name;
        this.id = id;
        cpumask = CoreMask.parse("[" + reactor.lcore() + "]");
        messages = new MessageRing(reactors);
        cache = reactors.messagePool().cache(reactor.spec().messageCache());
        after = new PostHandlers(reactors);
        channels = new Channels(this);
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns its number among all threads, from 1 as in SPDK. */
    public int id() {
        return id;
    }

    /** Returns the reactor it was placed on. */
    public Reactor reactor() {
        return reactor;
    }

    /** Returns the cores it may run on: its own, unless {@link #allow} named others too. */
    public CoreMask cpumask() {
        return cpumask;
    }

    /**
     * Says which cores it may run on.
     *
     * @throws ConfigurationException if its own is not among them: it does not move
     */
    public void allow(CoreMask cores) {
        if (!cores.has(reactor.lcore())) {
            throw new ConfigurationException(
                    name, reactors.now(), "cores 0x" + cores + " lack " + reactor.lcore() + ", where it runs");
        }
        cpumask = cores;
    }

    /** Makes a poller, to be registered. While a design is built: snapshots know the pollers by their numbers. */
    public Poller poller(String what, PollFunction function) {
        Poller p = new Poller(this, what, pollers.size(), function);
        pollers.add(p);
        return p;
    }

    /** Returns the pollers that were made. */
    public List<Poller> pollers() {
        return List.copyOf(pollers);
    }

    /**
     * Sends a message. It never runs inside this call, not even one to the sender's own thread; messages of one sender arrive in order.
     *
     * @return 0, or -{@link Errno#ENOMEM} if neither the sender's cache nor the pool has a message
     */
    public int sendMsg(MsgFn fn, long a, long b) {
        return reactors.send(this, fn, a, b);
    }

    /**
     * Has a function called behind the running poller; at most 4 at a time.
     *
     * @return whether there was room
     */
    public boolean afterPoller(MsgFn fn, long a, long b) {
        require("afterPoller");
        reactor.disturb();
        return after.add(fn, a, b);
    }

    /** Ends the thread as soon as it has no pollers, channels and messages left. */
    public void exit() {
        require("exit");
        exiting = true;
        reactor.disturb();
    }

    /** Returns whether it has ended. */
    public boolean hasExited() {
        return exited;
    }

    /** Returns the channels of devices that this thread has. */
    public Channels channels() {
        return channels;
    }

    /** Returns the time of polls in which something was done. */
    public long busyPs() {
        return busyPs;
    }

    /** Returns the time of polls in which nothing was done, or only errors came. */
    public long idlePs() {
        settle();
        return idlePs;
    }

    /** Checks that the caller runs on this thread, or before it was polled at all. */
    void require(String what) {
        if (begun && reactors.current() != this) {
            throw new ConfigurationException(name, reactors.now(), what + " from another thread: send it a message");
        }
    }

    void insert(Poller p, long now) {
        reactor.disturb();
        if (p.periodPs() == 0) {
            active.add(p);
            return;
        }
        p.nextRun(now + p.periodPs());
        int at = timed.size();
        while (at > 0 && timed.get(at - 1).nextRun() > p.nextRun()) {
            at--;
        }
        timed.add(at, p);
    }

    void remove(Poller p) {
        reactor.disturb();
        int at = active.indexOf(p);
        if (at >= 0) {
            active.remove(at);
            cursor -= at < cursor ? 1 : 0;
        } else {
            timed.remove(p);
        }
    }

    void put(MsgFn fn, long a, long b, long from, int sender) {
        messages.put(fn, a, b, from, sender);
    }

    ObjectPool.Cache cache() {
        return cache;
    }

    /** Runs the next part of a poll, which begins at a time; returns its result. */
    int part(CpuCore core, long lastPs) {
        begun = true;
        reactors.enter(this);
        int rc;
        if (atMessages) {
            polledAt = lastPs;
            result = 0;
            rc = runMessages(core);
            atMessages = false;
            cursor = active.size();
        } else if (cursor >= 0) {
            rc = call(active.get(cursor), core);
            after.run();
        } else {
            rc = call(timed.remove(0), core);
        }
        reactors.enter(null);
        result = Math.max(result, rc);
        return rc;
    }

    /** Whether a step at a time is a look at an empty ring. */
    boolean looks(long at) {
        return atMessages && messages.first() > at && !exiting;
    }

    /** Whether a poll that began at the end of the last one is over when it has looked. */
    boolean onlyLooks(long lastPs) {
        return active.isEmpty() && (timed.isEmpty() || timed.get(0).nextRun() > lastPs);
    }

    /** As {@link #part} and {@link #advance} for such a look. */
    boolean looked(long lastPs) {
        begun = true;
        polledAt = lastPs;
        result = 0;
        atMessages = false;
        cursor = active.size();
        return advance();
    }

    private int runMessages(CpuCore core) {
        int n = messages.visible(core.now(), ReactorSpec.MESSAGE_BATCH);
        core.charge(reactor.spec().messageRingPs());
        for (int i = 0; i < n; i++) {
            core.charge(reactor.spec().handlePs());
            messages.runFirst();
            cache.give();
        }
        return n > 0 ? 1 : 0;
    }

    private int call(Poller p, CpuCore core) {
        boolean inList = p.periodPs() == 0;
        int rc = p.run(core);
        switch (p.state()) {
            case ENDING, PAUSING -> {
                if (inList) {
                    remove(p);
                }
                p.setState(p.state() == PollerState.ENDING ? PollerState.UNREGISTERED : PollerState.PAUSED);
            }
            default -> {
                p.setState(PollerState.WAITING);
                if (!inList) {
                    insert(p, polledAt);
                }
            }
        }
        return rc;
    }

    /** Goes to the next part; returns false if the poll is over. */
    boolean advance() {
        if (cursor >= 0) {
            cursor--;
        }
        if (cursor >= 0 || (!timed.isEmpty() && timed.get(0).nextRun() <= polledAt)) {
            return true;
        }
        atMessages = true;
        return false;
    }

    /** Takes the place in a poll before a part, all before which found nothing. */
    void resumeAt(int poller, long lastPs) {
        atMessages = poller < 0;
        polledAt = lastPs;
        result = 0;
        cursor = poller < 0 ? 0 : active.indexOf(pollers.get(poller));
    }

    /** Returns the number of the poller whose turn is next, -1 for the messages. */
    int turn() {
        return atMessages ? -1 : (cursor >= 0 ? active.get(cursor) : timed.get(0)).index();
    }

    /** Returns whether the part before the last {@link #advance} need not be simulated again. */
    boolean isQuiet(int turn, int rc) {
        return turn < 0
                ? rc == 0
                : pollers.get(turn).periodPs() == 0 && pollers.get(turn).isQuiet();
    }

    /** Returns up to when polls find nothing unless somebody writes to what they look at; 0 if somebody has. */
    long quietUntil() {
        long until = messages.first();
        for (int i = 0; i < active.size(); i++) {
            until = Math.min(
                    until, active.get(i).isDisturbed() ? 0 : active.get(i).quietEnd());
        }
        return timed.isEmpty() ? until : Math.min(until, timed.get(0).nextRun());
    }

    /** Names to the core what it looks at. */
    void watchOn(CpuCore core) {
        for (int i = 0; i < active.size(); i++) {
            active.get(i).watchOn(core);
        }
    }

    Poller poller(int index) {
        return pollers.get(index);
    }

    int result() {
        return result;
    }

    void account(int rc, long ps) {
        if (rc > 0) {
            busyPs += ps;
        } else {
            idlePs += ps;
        }
    }

    /** Ends the thread if it is to end and can. */
    boolean endIfDone() {
        if (exiting
                && active.isEmpty()
                && timed.isEmpty()
                && messages.count() == 0
                && channels.isEmpty()
                && noPaused()) {
            exited = true;
            cache.drain();
        }
        return exited;
    }

    private boolean noPaused() {
        for (int i = 0; i < pollers.size(); i++) {
            if (pollers.get(i).state() == PollerState.PAUSED) {
                return false;
            }
        }
        return true;
    }

    void settle() {
        reactor.settle();
    }

    @Override
    public String toString() {
        return "thread " + name;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(pollers.size());
        for (Poller p : pollers) {
            p.save(out);
        }
        saveList(active, out);
        saveList(timed, out);
        messages.save(out);
        cache.save(out);
        after.save(out);
        channels.save(out);
        out.putBoolean(atMessages);
        out.putInt(cursor);
        out.putLong(polledAt);
        out.putInt(result);
        out.putBoolean(begun);
        out.putBoolean(exiting);
        out.putBoolean(exited);
        out.putString(cpumask.toString());
        out.putLong(busyPs);
        out.putLong(idlePs);
    }

    private static void saveList(List<Poller> list, Snapshot out) {
        out.putInt(list.size());
        for (Poller p : list) {
            out.putInt(p.index());
        }
    }

    @Override
    public void load(Snapshot in) {
        int n = in.getInt();
        if (n != pollers.size()) {
            throw new ConfigurationException(
                    name + " has " + pollers.size() + " pollers, the snapshot " + n + ": make them before time 0");
        }
        for (Poller p : pollers) {
            p.load(in);
        }
        loadList(active, in);
        loadList(timed, in);
        messages.load(in);
        cache.load(in);
        after.load(in);
        channels.load(in);
        atMessages = in.getBoolean();
        cursor = in.getInt();
        polledAt = in.getLong();
        result = in.getInt();
        begun = in.getBoolean();
        exiting = in.getBoolean();
        exited = in.getBoolean();
        cpumask = CoreMask.parse(in.getString());
        busyPs = in.getLong();
        idlePs = in.getLong();
    }

    private void loadList(List<Poller> list, Snapshot in) {
        list.clear();
        for (int n = in.getInt(); n > 0; n--) {
            list.add(pollers.get(in.getInt()));
        }
    }
}
