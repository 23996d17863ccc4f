package dev.clockwire.storage.load;

import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.stats.Histogram;
import dev.clockwire.storage.check.HistoryRecorder;
import dev.clockwire.storage.check.Operation;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.cluster.OperationTap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The closed loop of one client: each of its slots has a buffer and one operation under way. */
final class Loader {
    private static final EnumSet<AccessFlag> ACCESS =
            EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE);

    private final StorageSystem system;
    private final Node node;
    private final int client;
    private final LoadSpec spec;
    private final HistoryRecorder history;
    private final Histogram latency;
    private final RandomStream random;
    private final OperationTap tap;
    private final Label labels = new Label();
    private final Map<String, Long> failures = new TreeMap<>();
    private @Nullable MemoryRegion region;
    private long sequence;
    private int left;
    private int underWay;
    private long begun;
    private long ended;
    private long answered;
    private long bytes;
    private boolean measured;
    /** Between these times an operation that ends counts; no other begins behind the second. */
    private long countFrom = Long.MIN_VALUE;

    private long until = Long.MAX_VALUE;
    private boolean stopped;

    Loader(StorageSystem system, Node node, int client, LoadSpec spec, HistoryRecorder history, Histogram latency) {
        this.system = system;
        this.node = node;
        this.client = client;
        this.spec = spec;
        this.history = history;
        this.latency = latency;
        tap = system.cluster().operations();
        random = system.cluster().sim().random("load.client" + client);
    }

    /** Registers the buffers. */
    void open() {
        long all = (long) spec.size() * spec.depth();
        long va = node.allocate("load", all, Allocation.Kind.BULK);
        node.pd().regMr(va, all, ACCESS).whenDone(made -> region = made);
    }

    boolean isOpen() {
        return region != null;
    }

    /** Writes keys once, in turn, before what is measured: those whose number has a remainder. */
    void fill(int first, int step) {
        measured = false;
        left = 0;
        node.worker(0).post((a, b) -> fillNext(first, step), 0, 0);
        underWay++;
    }

    private void fillNext(int key, int step) {
        if (stopped || key >= spec.keys()) {
            slotEnds();
            return;
        }
        write(0, key, () -> fillNext(key + step, step));
    }

    /** Begins the loop for a time from now on. */
    void start(LoadWindow window) {
        long now = system.cluster().sim().now();
        countFrom = now + window.warmupPs();
        until = now + window.allPs();
        start(Integer.MAX_VALUE);
    }

    /** Begins the loop. */
    void start(int ops) {
        measured = true;
        left = ops;
        int slots = Math.min(ops, spec.depth());
        underWay = slots;
        for (int i = 0; i < slots; i++) {
            int slot = i;
            node.worker(0).post((a, b) -> next(slot), 0, 0);
        }
    }

    /** Begins no further operation of the loop. */
    void stop() {
        stopped = true;
    }

    /** Reads every key once: what is there in the end. */
    void verify() {
        measured = false;
        underWay = 1;
        node.worker(0).post((a, b) -> verifyNext(0), 0, 0);
    }

    private void verifyNext(int key) {
        if (key >= spec.keys()) {
            slotEnds();
            return;
        }
        read(0, key, () -> verifyNext(key + 1));
    }

    private void next(int slot) {
        if (stopped || left == 0 || node.worker(0).now() >= until) {
            slotEnds();
            return;
        }
        left--;
        begun++;
        int key = random.nextInt(spec.keys());
        boolean read = switch (spec.op()) {
            case READ -> true;
            case WRITE -> false;
            case MIX -> random.nextInt(100) < spec.readPercent();
        };
        if (read) {
            read(slot, key, () -> next(slot));
        } else {
            write(slot, key, () -> next(slot));
        }
    }

    private long buffer(int slot) {
        return Objects.requireNonNull(region).address() + (long) slot * spec.size();
    }

    private void write(int slot, int key, Runnable then) {
        long label = Label.of(client, ++sequence);
        long va = buffer(slot);
        labels.fill(node.worker(0).core().memory(), va, spec.size(), label);
        long begun = node.worker(0).now();
        int op = history.begin(client, Operation.Kind.WRITE, key, label, begun);
        int handle = tap.invoked(node.number(), true, begun);
        system.write(node, key, va, spec.size(), Objects.requireNonNull(region), (how, why, version, length) -> {
            tap.returned(handle, node.worker(0).now(), end(op, how, why, 0, version, begun));
            then.run();
        });
    }

    private void read(int slot, int key, Runnable then) {
        long va = buffer(slot);
        long begun = node.worker(0).now();
        int op = history.begin(client, Operation.Kind.READ, key, 0, begun);
        int handle = tap.invoked(node.number(), false, begun);
        system.read(node, key, va, spec.size(), Objects.requireNonNull(region), (how, why, version, length) -> {
            long label = length == 0 ? 0 : labels.read(node.worker(0).core().memory(), va, length);
            tap.returned(handle, node.worker(0).now(), end(op, how, why, label, version, begun));
            then.run();
        });
    }

    /** Returns whether it is one of those that are measured and ended well. */
    private boolean end(int op, StorageDone.How how, String why, long label, long version, long begun) {
        long now = node.worker(0).now();
        Operation.Outcome outcome = switch (how) {
            case OK -> Operation.Outcome.OK;
            case FAIL -> Operation.Outcome.FAIL;
            case UNKNOWN -> Operation.Outcome.UNKNOWN;
        };
        history.end(op, outcome, label, version, now);
        answered++;
        if (how != StorageDone.How.OK) {
            failures.merge(why, 1L, Long::sum);
        }
        boolean counts = measured && now >= countFrom && now < until && how == StorageDone.How.OK;
        if (counts) {
            latency.record(now - begun);
            ended++;
            bytes += spec.size();
        }
        return counts;
    }

    /** One slot does nothing any more; {@link Load} waits for the last. */
    private void slotEnds() {
        if (--underWay == 0) {
            system.cluster().sim().stop();
        }
    }

    boolean isIdle() {
        return underWay == 0;
    }

    /** Returns the operations of the loop that are under way; filling before it and verifying behind it are none. */
    int underWay() {
        return measured ? underWay : 0;
    }

    /** Returns the operations that have ended, however and whatever for. */
    long answered() {
        return answered;
    }

    /** Returns how many operations ended without success, whatever for, by reason. */
    Map<String, Long> failures() {
        return failures;
    }

    /** Returns the operations begun in the loop. */
    long begun() {
        return begun;
    }

    /** Returns the measured operations that ended well. */
    long ended() {
        return ended;
    }

    /** Returns their bytes. */
    long bytes() {
        return bytes;
    }
}
