package dev.clockwire.pcie.endpoint;

import dev.clockwire.pcie.config.BarSpec;
import dev.clockwire.pcie.config.ConfigRequests;
import dev.clockwire.pcie.config.ConfigSpace;
import dev.clockwire.pcie.config.PcieError;
import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.link.TrainPool;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.pcie.tlp.TlpHeader;
import dev.clockwire.pcie.tlp.TlpSplit;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.Timer;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Matches requests of the host against the device's windows. A store goes to the window's inlet and its credits go back at
 * once; when the inlet is full the store keeps its credits and waits in the receive buffer, and so do those behind it.
 */
final class BarDecoder implements State {
    private static final long RETRY_PS = 4_000;
    /** A configuration register is read or written by a slow engine beside the data path. */
    private static final long CONFIG_PS = 100_000;

    private static final int WORD = 4;
    private static final int POSTED = FlowClass.POSTED.index();
    private static final int NON_POSTED = FlowClass.NON_POSTED.index();

    private final PcieEndpoint owner;
    private final TrainPool pool;
    private final Consumer<TlpTrain> up;
    private final int chunk;
    private final EndpointState s;
    private final long creditPs;
    private final int id;
    private final List<BarSpec> bars = new ArrayList<>();
    private final List<Window> windows = new ArrayList<>();
    private final ArrayDeque<MmioWrite> free = new ArrayDeque<>();
    private final ArrayDeque<TlpTrain> blocked = new ArrayDeque<>();
    private final Timer retry;
    private final EventPort answers;
    private final TlpHeader header = new TlpHeader();
    private final byte[] word = new byte[Long.BYTES];
    private @Nullable ConfigSpace config;
    private @Nullable EventPort credits;
    private long missed;
    private long poisoned;

    BarDecoder(
            PcieEndpoint owner,
            TrainPool pool,
            Consumer<TlpTrain> up,
            int chunk,
            EndpointState s,
            long creditPs,
            int id) {
        this.owner = owner;
        this.pool = pool;
        this.up = up;
        this.chunk = chunk;
        this.s = s;
        this.creditPs = creditPs;
        this.id = id;
        retry = new Retry(owner);
        answers = new Answers(owner);
    }

    void add(BarSpec bar) {
        for (BarSpec b : bars) {
            b.requireApart(bar);
        }
        bars.add(bar);
    }

    void add(Window window) {
        int number = window.bar;
        long from = window.from;
        long bytes = window.bytes;
        long readPs = window.readPs;
        BarSpec bar = bar(number);
        if (readPs < 1) {
            throw new ConfigurationException(
                    owner.path(), -1, "read latency of BAR " + number + " is " + readPs + " ps");
        }
        if (from < 0 || bytes < 1 || from > bar.bytes() - bytes) {
            throw new ConfigurationException(
                    owner.path(), -1, "BAR " + number + " has no " + bytes + " bytes from " + from + " on");
        }
        for (Window w : windows) {
            if (w.bar == number && from < w.from + w.bytes && w.from < from + bytes) {
                throw new ConfigurationException(
                        owner.path(), -1, "two regions of BAR " + number + " overlap at " + Math.max(from, w.from));
            }
        }
        windows.add(window);
    }

    List<BarSpec> bars() {
        return bars;
    }

    void place(int number, long address) {
        for (Window w : windows) {
            if (w.bar == number) {
                w.placed(address);
            }
        }
    }

    void creditsTo(EventPort port) {
        credits = port;
    }

    /** Says whether the windows decode, and who answers configuration requests and hears of what was refused. */
    void configured(ConfigSpace space) {
        config = space;
    }

    private BarSpec bar(int number) {
        for (BarSpec b : bars) {
            if (b.number() == number) {
                return b;
            }
        }
        throw new ConfigurationException(owner.path(), -1, "there is no BAR " + number);
    }

    long address(int number) {
        bar(number);
        for (Window w : windows) {
            if (w.bar == number) {
                return w.address - w.from;
            }
        }
        throw new ConfigurationException(owner.path(), -1, "nothing is behind BAR " + number);
    }

    long missed() {
        return missed;
    }

    /** Returns writes that were dropped because their data were marked as wrong. */
    long poisoned() {
        return poisoned;
    }

    void recycle(MmioWrite w) {
        free.addLast(w);
    }

    /**
     * Takes the packets from {@code from} to {@code to} of a train of requests, each when it is here. Hosts and switches send one request a
     * train.
     */
    void arrived(TlpTrain train, int from, int to) {
        if (train.count == 1) {
            take(train);
            return;
        }
        int i = from;
        while (i < to && train.arrival[i] <= owner.now()) {
            take(pool.take().packets(train, i, i + 1));
            i++;
        }
        if (i < to) {
            int again = train.flowClass().index() | EndpointFaults.AGAIN;
            owner.arrivals().send(train.arrival[i], again, i, to, train);
        } else if (to == train.count) {
            pool.give(train);
        }
    }

    private void take(TlpTrain packet) {
        if (!blocked.isEmpty() || !handled(packet)) {
            blocked.addLast(packet);
            armRetry();
        }
    }

    /** Handles a packet unless it has to wait for room. A read behind a store that waits waits too. */
    private boolean handled(TlpTrain packet) {
        if (packet.flowClass() == FlowClass.NON_POSTED) {
            read(packet);
            return true;
        }
        return store(packet);
    }

    private void armRetry() {
        if (!retry.armed()) {
            retry.arm(owner.now() + RETRY_PS);
        }
    }

    private @Nullable Window find(long address, int bytes) {
        ConfigSpace c = config;
        if (c != null && !c.decodes()) {
            return null;
        }
        for (int i = 0; i < windows.size(); i++) {
            Window w = windows.get(i);
            long at = address - w.address;
            if (at >= 0 && at <= w.bytes - bytes) {
                return w.memory == null || w.memory.isOpen() ? w : null;
            }
        }
        return null;
    }

    /** Hands a packet to who is behind its window; returns whether it found room. */
    private boolean store(TlpTrain packet) {
        int n = packet.length();
        Window w = find(packet.address, n);
        WindowMemory memory = w == null ? null : w.memory;
        int units = TlpSplit.dataCredits(packet.dataDw(0));
        long freeAt = owner.now();
        if (packet.poisoned) {
            poisoned(packet);
        } else if (w == null || (memory == null && n > MmioWrite.MAX_BYTES)) {
            refused(packet, 0, false);
        } else if (memory != null) {
            giveBack(POSTED, units, memory.store(packet, packet.address - w.address));
            return true; // the memory gives it back
        } else if (!w.hasRoom()) {
            return false;
        } else {
            w.take(store(packet, w), owner.now());
        }
        giveBack(POSTED, units, freeAt);
        pool.give(packet);
        return true;
    }

    private MmioWrite store(TlpTrain packet, Window w) {
        MmioWrite m = free.pollLast();
        if (m == null) {
            m = new MmioWrite();
        }
        m.bar = w.bar;
        m.offset = packet.address - w.address;
        m.length = packet.length();
        m.journey = packet.journey;
        m.arrivedPs = owner.now();
        packet.data.copyTo(0, m.data, 0, m.length);
        return m;
    }

    /** Data that are marked as wrong are not stored. */
    private void poisoned(TlpTrain packet) {
        poisoned++;
        ConfigSpace c = config;
        if (c != null) {
            packet.header(0, header);
            c.errors().report(PcieError.POISONED, header, false);
        }
    }

    /** Drops a packet that is of no use; its buffer space is free. */
    void drop(TlpTrain train, int i) {
        giveBack(train.flowClass().index(), TlpSplit.dataCredits(train.dataDw(i)), owner.now());
        if (train.count == 1) { // earlier packets of a longer one may still be needed
            pool.give(train);
        }
    }

    /** Refuses a request that would have been served. */
    void refuse(TlpTrain request, boolean abort) {
        giveBack(NON_POSTED, TlpSplit.dataCredits(request.dataDw(0)), owner.now());
        ConfigSpace c = config;
        if (abort && c != null) {
            request.header(0, header);
            c.errors().report(PcieError.COMPLETER_ABORT, header, true);
        } else if (!abort) {
            refused(request, 0, true);
        }
        TlpTrain t = pool.take();
        CompletionStatus why = abort ? CompletionStatus.CA : CompletionStatus.UR;
        t.refusal(why, request.length(), id, request.requesterId, request.tag[0]);
        t.followed(request);
        pool.give(request);
        up.accept(t);
    }

    private void giveBack(int flowClass, int dataUnits, long at) {
        EventPort port = credits;
        if (port != null) {
            port.send(at + creditPs, flowClass, 1, dataUnits);
        }
    }

    private void refused(TlpTrain request, int i, boolean answered) {
        missed++;
        ConfigSpace c = config;
        if (c != null) {
            request.header(i, header);
            c.errors().report(PcieError.UNSUPPORTED_REQUEST, header, answered);
        }
    }

    private void read(TlpTrain request) {
        int units = TlpSplit.dataCredits(request.dataDw(0));
        Window w = request.type.isConfiguration() ? null : find(request.address, request.length());
        WindowMemory memory = w == null ? null : w.memory;
        if (w != null && memory != null) {
            long there = memory.load(request.address - w.address, request.length());
            giveBack(NON_POSTED, units, memory.freeAt());
            answers.send(there, 0, 0, 0, request);
            return;
        }
        giveBack(NON_POSTED, units, owner.now());
        long later = request.type.isConfiguration() ? CONFIG_PS : w == null ? 1 : w.readPs;
        answers.send(owner.now() + later, 0, 0, 0, request);
    }

    private void answer(TlpTrain request) {
        TlpTrain t = pool.take();
        if (request.type.isConfiguration()) {
            configure(request, t);
        } else {
            load(request, t);
        }
        t.followed(request);
        pool.give(request);
        up.accept(t);
    }

    private void load(TlpTrain request, TlpTrain t) {
        int n = request.length();
        Window w = find(request.address, n);
        WindowMemory memory = w == null ? null : w.memory;
        if (w != null && memory != null) {
            int most = Math.min(chunk, s.maxPayload);
            t.completions(request.address, n, most, id, request.requesterId, request.tag[0]);
            memory.read(request.address - w.address, n, t.data);
            return;
        }
        MmioReader reader = w == null ? null : w.reader;
        if (w == null || reader == null || n > Long.BYTES) {
            refused(request, 0, true);
            t.refusal(CompletionStatus.UR, n, id, request.requesterId, request.tag[0]);
            return;
        }
        t.completions(request.address, n, chunk, id, request.requesterId, request.tag[0]);
        append(t, reader.read(w.bar, request.address - w.address, n), n);
    }

    private void configure(TlpTrain request, TlpTrain t) {
        ConfigSpace c = config;
        int register = (int) request.address;
        if (c == null) {
            refused(request, 0, true);
            t.refusal(CompletionStatus.UR, WORD, id, request.requesterId, request.tag[0]);
        } else if (request.type.hasData()) {
            c.write(register, ConfigRequests.value(request), ConfigRequests.enables(request));
            t.refusal(CompletionStatus.SC, WORD, id, request.requesterId, request.tag[0]);
        } else {
            ConfigRequests.answer(request, t, c.read(register), id);
        }
    }

    private void append(TlpTrain t, long x, int n) {
        for (int i = 0; i < n; i++) {
            word[i] = (byte) (x >>> (8 * i));
        }
        t.data.appendBytes(word, 0, n);
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(missed);
        out.putLong(poisoned);
        out.putInt(blocked.size());
        for (TlpTrain t : blocked) {
            out.putToken(t);
        }
    }

    @Override
    public void load(Snapshot in) {
        missed = in.getLong();
        poisoned = in.getLong();
        blocked.clear();
        for (int n = in.getInt(); n > 0; n--) {
            if (in.getToken() instanceof TlpTrain t) {
                blocked.addLast(t);
            }
        }
    }

    /** A region of a window, and who is behind it: a block with a clock that may be busy, or a register file that never is. */
    static final class Window {
        final int bar;
        final long from;
        final long bytes;
        final @Nullable MmioReader reader;
        final long readPs;
        private @Nullable Inlet<MmioWrite> stores;
        private @Nullable EventPort port;
        private @Nullable WindowMemory memory;
        /** Bus address of the region. */
        long address = Long.MIN_VALUE;

        Window(int bar, long from, long bytes, @Nullable MmioReader reader, long readPs) {
            this.bar = bar;
            this.from = from;
            this.bytes = bytes;
            this.reader = reader;
            this.readPs = readPs;
        }

        Window to(Inlet<MmioWrite> inlet) {
            stores = inlet;
            return this;
        }

        Window to(EventPort registers) {
            port = registers;
            return this;
        }

        Window to(WindowMemory behind) {
            memory = behind;
            return this;
        }

        void placed(long barAddress) {
            address = barAddress + from;
        }

        boolean hasRoom() {
            Inlet<MmioWrite> in = stores;
            return in == null || in.space() > 0;
        }

        void take(MmioWrite w, long now) {
            Inlet<MmioWrite> in = stores;
            EventPort to = port;
            if (in != null) {
                in.write(w);
            } else if (to != null) {
                to.send(now + 1, 0, 0, 0, w);
            }
        }
    }

    /** Looks whether the device has made room. */
    private final class Retry extends Timer {
        Retry(SimNode target) {
            super(target, "mmioRetry");
        }

        @Override
        protected void expired(long at) {
            while (!blocked.isEmpty()) {
                if (!handled(blocked.getFirst())) {
                    armRetry();
                    return;
                }
                blocked.removeFirst();
            }
        }
    }

    /** Reads that are due. */
    private final class Answers extends EventPort {
        Answers(SimNode target) {
            super(target, "mmioRead");
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            if (token instanceof TlpTrain request) {
                answer(request);
            }
        }
    }
}
