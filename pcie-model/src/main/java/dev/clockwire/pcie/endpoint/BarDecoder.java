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

    private final SimNode owner;
    private final TrainPool pool;
    private final Consumer<TlpTrain> up;
    private final int chunk;
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

    BarDecoder(SimNode owner, TrainPool pool, Consumer<TlpTrain> up, int chunk, long creditPs, int id) {
        this.owner = owner;
        this.pool = pool;
        this.up = up;
        this.chunk = chunk;
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

    void recycle(MmioWrite w) {
        free.addLast(w);
    }

    /** Takes the packets from {@code from} to {@code to} of a train of requests; the host sends one request a train. */
    void arrived(TlpTrain train, int from, int to) {
        train.cookie = (long) from << 32 | to;
        if (!blocked.isEmpty() || !handled(train)) {
            blocked.addLast(train);
            armRetry();
        }
    }

    /** Handles what arrived unless it has to wait for room. A read behind a store that waits waits too. */
    private boolean handled(TlpTrain train) {
        int to = (int) train.cookie;
        if (train.flowClass() == FlowClass.NON_POSTED) {
            read(train);
            return true;
        }
        for (int i = (int) (train.cookie >>> 32); i < to; i++) {
            if (!store(train, i)) {
                train.cookie = (long) i << 32 | to;
                return false;
            }
        }
        if (to == train.count) {
            pool.give(train);
        }
        return true;
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
                return w;
            }
        }
        return null;
    }

    /** Hands a packet to the inlet of its window; returns whether it found room. */
    private boolean store(TlpTrain train, int i) {
        int n = train.bytes(i);
        long address = train.address + train.offset[i];
        Window w = find(address, n);
        if (w == null || n > MmioWrite.MAX_BYTES) {
            refused(train, i, false);
        } else if (!w.hasRoom()) {
            return false;
        } else {
            MmioWrite m = free.pollLast();
            if (m == null) {
                m = new MmioWrite();
            }
            m.bar = w.bar;
            m.offset = address - w.address;
            m.length = n;
            m.journey = train.journey;
            m.arrivedPs = owner.now();
            train.data.copyTo(train.offset[i], m.data, 0, n);
            w.take(m, owner.now());
        }
        giveBack(POSTED, TlpSplit.dataCredits(train.dataDw(i)));
        return true;
    }

    /** Drops a packet that is of no use; its buffer space is free. */
    void drop(TlpTrain train, int i) {
        giveBack(train.flowClass().index(), TlpSplit.dataCredits(train.dataDw(i)));
        if (train.count == 1) { // earlier packets of a longer one may still be needed
            pool.give(train);
        }
    }

    /** Refuses a request that would have been served. */
    void refuse(TlpTrain request, boolean abort) {
        giveBack(NON_POSTED, TlpSplit.dataCredits(request.dataDw(0)));
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

    private void giveBack(int flowClass, int dataUnits) {
        EventPort port = credits;
        if (port != null) {
            port.send(owner.now() + creditPs, flowClass, 1, dataUnits);
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
        giveBack(NON_POSTED, TlpSplit.dataCredits(request.dataDw(0)));
        if (request.type.isConfiguration()) {
            answers.send(owner.now() + CONFIG_PS, 0, 0, 0, request);
            return;
        }
        Window w = find(request.address, request.length());
        answers.send(owner.now() + (w == null ? 1 : w.readPs), 0, 0, 0, request);
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
        out.putInt(blocked.size());
        for (TlpTrain t : blocked) {
            out.putToken(t);
        }
    }

    @Override
    public void load(Snapshot in) {
        missed = in.getLong();
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
        final @Nullable Inlet<MmioWrite> stores;
        final @Nullable EventPort port;
        final @Nullable MmioReader reader;
        final long readPs;
        /** Bus address of the region. */
        long address = Long.MIN_VALUE;

        Window(
                int bar,
                long from,
                long bytes,
                @Nullable Inlet<MmioWrite> stores,
                @Nullable EventPort port,
                @Nullable MmioReader reader,
                long readPs) {
            this.bar = bar;
            this.from = from;
            this.bytes = bytes;
            this.stores = stores;
            this.port = port;
            this.reader = reader;
            this.readPs = readPs;
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
