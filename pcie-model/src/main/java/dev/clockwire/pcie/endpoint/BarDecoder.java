package dev.clockwire.pcie.endpoint;

import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.link.TrainPool;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.pcie.tlp.FlowClass;
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
    private static final int POSTED = FlowClass.POSTED.index();
    private static final int NON_POSTED = FlowClass.NON_POSTED.index();

    private final SimNode owner;
    private final TrainPool pool;
    private final Consumer<TlpTrain> up;
    private final int chunk;
    private final long creditPs;
    private final int id;
    private final List<Window> windows = new ArrayList<>();
    private final ArrayDeque<MmioWrite> free = new ArrayDeque<>();
    private final ArrayDeque<TlpTrain> blocked = new ArrayDeque<>();
    private final Timer retry;
    private final EventPort answers;
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

    void add(BarSpec bar, Inlet<MmioWrite> stores, @Nullable MmioReader reader, long readPs) {
        if (readPs < 1) {
            throw new ConfigurationException(
                    owner.path(), -1, "read latency of BAR " + bar.number() + " is " + readPs + " ps");
        }
        for (Window w : windows) {
            if (w.bar.number() == bar.number()) {
                throw new ConfigurationException(owner.path(), -1, "BAR " + bar.number() + " exists already");
            }
        }
        windows.add(new Window(bar, stores, reader, readPs));
    }

    int count() {
        return windows.size();
    }

    long bytes(int index) {
        return windows.get(index).bar.bytes();
    }

    void place(int index, long address) {
        windows.get(index).address = address;
    }

    void creditsTo(EventPort port) {
        credits = port;
    }

    long address(int number) {
        for (Window w : windows) {
            if (w.bar.number() == number) {
                return w.address;
            }
        }
        throw new ConfigurationException(owner.path(), -1, "there is no BAR " + number);
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
        for (int i = 0; i < windows.size(); i++) {
            Window w = windows.get(i);
            long at = address - w.address;
            if (at >= 0 && at <= w.bar.bytes() - bytes) {
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
            missed++;
        } else if (w.stores.space() == 0) {
            return false;
        } else {
            MmioWrite m = free.pollLast();
            if (m == null) {
                m = new MmioWrite();
            }
            m.bar = w.bar.number();
            m.offset = address - w.address;
            m.length = n;
            m.journey = train.journey;
            m.arrivedPs = owner.now();
            train.data.copyTo(train.offset[i], m.data, 0, n);
            w.stores.write(m);
        }
        giveBack(POSTED, TlpSplit.dataCredits(train.dataDw(i)));
        return true;
    }

    private void giveBack(int flowClass, int dataUnits) {
        EventPort port = credits;
        if (port != null) {
            port.send(owner.now() + creditPs, flowClass, 1, dataUnits);
        }
    }

    private void read(TlpTrain request) {
        giveBack(NON_POSTED, 0);
        Window w = find(request.address, request.length());
        answers.send(owner.now() + (w == null ? 1 : w.readPs), 0, 0, 0, request);
    }

    private void answer(TlpTrain request) {
        int n = request.length();
        Window w = find(request.address, n);
        MmioReader reader = w == null ? null : w.reader;
        TlpTrain t = pool.take();
        if (w == null || reader == null || n > Long.BYTES) {
            missed++;
            t.refusal(CompletionStatus.UR, n, id, request.requesterId, request.tag[0]);
        } else {
            t.completions(request.address, n, chunk, id, request.requesterId, request.tag[0]);
            long x = reader.read(w.bar.number(), request.address - w.address, n);
            for (int i = 0; i < n; i++) {
                w.word[i] = (byte) (x >>> (8 * i));
            }
            t.data.appendBytes(w.word, 0, n);
        }
        t.journey = request.journey;
        pool.give(request);
        up.accept(t);
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

    /** One window and who is behind it. */
    private static final class Window {
        final BarSpec bar;
        final Inlet<MmioWrite> stores;
        final @Nullable MmioReader reader;
        final long readPs;
        final byte[] word = new byte[Long.BYTES];
        long address = Long.MIN_VALUE;

        Window(BarSpec bar, Inlet<MmioWrite> stores, @Nullable MmioReader reader, long readPs) {
            this.bar = bar;
            this.stores = stores;
            this.reader = reader;
            this.readPs = readPs;
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
