package dev.clockwire.pcie.host;

import dev.clockwire.pcie.iommu.Iommu;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.link.TrainPool;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.pcie.tlp.TranslationEntry;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a root port answers a device's requests with: data, translations, refusals.
 *
 * <p>The reads of one burst are served a few hundred picoseconds apart. Unless the kernel is exhaustive they are served together when
 * the last one is due, or as soon as anything else happens that they could influence or see, each as of its own time: the first
 * completion is still on its way then.
 */
final class RequestServer implements State {
    static final int SINGLE = 0;
    private static final int BURST = 1;
    static final int REFUSED = 2;
    private static final int TRANSLATED = 3;
    private static final int WAKE = 4;

    private final Host host;
    private final RootPort port;
    private final HostSpec spec;
    private final PcieLinkSpec link;
    private final TrainPool pool;
    private final EventPort serve;
    private final BurstQueue bursts = new BurstQueue();
    private long sequence;

    /** Creates the server of a port whose link is not joined yet. */
    RequestServer(Host host, RootPort port, String name) {
        this.host = host;
        this.port = port;
        spec = host.spec();
        link = port.device().link();
        pool = port.device().trains();
        serve = new Serve(name);
    }

    void requested(TlpTrain train, int from, int to) {
        events(from - to);
        Placement where = host.hostMemory().placement(train.address, train.length());
        if (where == null) {
            nobody(train, from, to);
            return;
        }
        fetches(where, train, from, to);
        int i = from;
        while (i < to) {
            int stop = i + 1;
            while (stop < to
                    && train.arrival[stop] - train.arrival[i]
                            < port.transmitter().delayPs()) {
                stop++;
            }
            serveLater(train, i, stop);
            i = stop;
        }
    }

    /** Says when memory has the data of some reads. */
    private void fetches(Placement where, TlpTrain train, int from, int to) {
        long delay = spec.readPs(where, port.node());
        numa(train, where, train.arrival[from] + delay - spec.responsePs());
        long floor = port.commits().last() + 1; // a read pushes the writes before it: it sees them in memory
        for (int i = from; i < to; i++) {
            train.arrival[i] = Math.max(train.arrival[i] + delay, floor);
        }
        sequence++;
    }

    /** Takes reads of a {@link QuietLink}, now or later than they came: nobody is woken when they are due. */
    void foreseen(TlpTrain train, int from, int to) {
        Placement where = host.hostMemory().placement(train.address, train.length());
        if (where == null) {
            port.errors().refuse(to - from);
            nowhere(train, from, to);
        } else {
            fetches(where, train, from, to);
        }
        bursts.insert(train, from, to, sequence);
    }

    private void nowhere(TlpTrain train, int from, int to) {
        train.status = CompletionStatus.UR; // of what it asks for: a request has none of its own
        for (int i = from; i < to; i++) {
            long at = train.arrival[i] + spec.requestPs() + spec.responsePs();
            train.arrival[i] = Math.max(at, port.commits().last() + 1);
        }
        sequence++;
    }

    /** Sees to it that a {@link QuietLink} looks for whether times can still be decided late. */
    void wakeSoon() {
        serve.send(host.now() + 1, WAKE, 0, 0);
    }

    /** Makes an event of each read that waits, and returns how many; one that is due now is served as soon as somebody looks. */
    int wakeUp() {
        long now = host.now();
        if (bursts.due() <= now) {
            serve.send(now + 1, BURST, 0, 0);
        }
        return bursts.drainBehind(now, serve);
    }

    /** No memory has the address of some reads: each is refused by an event of its own. */
    private void nobody(TlpTrain train, int from, int to) {
        port.errors().refuse(to - from);
        for (int i = from; i < to; i++) {
            long at = train.arrival[i] + spec.requestPs() + spec.responsePs();
            train.arrival[i] = Math.max(at, port.commits().last() + 1);
            serve.send(train.arrival[i], REFUSED, i, ++sequence, train);
        }
        events(to - from);
    }

    private void events(int more) {
        QuietLink quiet = port.quiet();
        if (quiet != null) {
            quiet.events(more);
        }
    }

    /** Sees to it that reads are served: together if nobody can tell, else each by an event. */
    private void serveLater(TlpTrain train, int from, int to) {
        if (to - from > 1
                && port.transmitter().mayLookBack(FlowClass.COMPLETION, to - from)
                && bursts.add(train, from, to, sequence)) {
            serve.send(train.arrival[to - 1] + 1, BURST, 0, 0, train);
            return;
        }
        for (int i = from; i < to; i++) {
            serve.send(train.arrival[i], SINGLE, i, sequence, train);
        }
        events(to - from);
    }

    /** Returns when something is to be done that has no event, {@code Long.MAX_VALUE} if nothing is. */
    long due() {
        QuietLink quiet = port.quiet();
        return quiet == null ? bursts.due() : Math.min(bursts.due(), quiet.due());
    }

    /** Something has changed, and everything up to now has been done. */
    void reconsider() {
        QuietLink quiet = port.quiet();
        if (quiet != null) {
            quiet.reconsider();
        }
    }

    /** Does what is due before a time; no write is in memory before it that is not there already. */
    void runBefore(long limit) {
        QuietLink quiet = port.quiet();
        if (quiet != null) {
            quiet.runBefore(limit);
            return;
        }
        while (bursts.due() < limit) {
            serveBurst(limit);
        }
    }

    /** Returns the reads that are served late. */
    BurstQueue bursts() {
        return bursts;
    }

    /** Serves the reads of the first burst that are due before a time, at least one; completions of one burst are one train. */
    void serveBurst(long before) {
        TlpTrain request = bursts.train();
        int i = bursts.from();
        int stop = bursts.until(before);
        if (request.status != CompletionStatus.SC) {
            refuse(request, i, stop);
            return;
        }
        TlpTrain t = pool.take();
        t.completions(request.address + request.offset[i], RootPort.COMPLETER_ID, request.requesterId);
        t.followed(request);
        t.timed = true;
        while (i < stop) {
            int j = i + 1;
            long change = host.hostMemory().commit(request.arrival[i]); // the next write that a later read could see
            while (j < stop && change >= request.arrival[j]) {
                j++;
            }
            int at = request.offset[i];
            host.hostMemory().read(request, request.arrival[i], t, request.address + at, request.offset[j] - at);
            for (; i < j; i++) {
                t.addCompletions(request.bytes(i), link.completionChunk(), request.tag[i], request.arrival[i]);
            }
        }
        if (bursts.served(stop)) {
            pool.give(request);
        }
        port.transmitter().submit(t);
    }

    /** Refuses reads of a burst, each as of its time. */
    private void refuse(TlpTrain request, int from, int stop) {
        for (int i = from; i < stop; i++) {
            TlpTrain t = pool.take();
            t.refusal(request.status, request.bytes(i), RootPort.COMPLETER_ID, request.requesterId, request.tag[i]);
            t.followed(request);
            t.timed = true;
            t.arrival[0] = request.arrival[i];
            port.transmitter().submit(t);
        }
        if (bursts.served(stop)) {
            pool.give(request);
        }
    }

    void fetch(AccessPath path, TlpTrain train, int i, boolean mapped) {
        long va = train.address + train.offset[i];
        int n = train.bytes(i);
        long delay = spec.requestPs() + spec.translationPs() + spec.responsePs();
        if (mapped) {
            Placement where = Objects.requireNonNull(host.hostMemory().placement(va, n));
            boolean late = false;
            if (!where.cached()) {
                late = path.lost(va, n);
                where = path.cached(va, n) ? Placement.cache(where.node()) : where;
            }
            delay = spec.readPs(where, port.node());
            numa(train, where, train.arrival[i] + delay - spec.responsePs());
            if (late) {
                long ready = train.arrival[i] + delay - spec.responsePs() - spec.hops(where, port.node());
                long more = Math.max(0, spec.dramReadPs() - spec.cacheReadPs());
                host.waited(train, host.sim().causes().ddio, ready - more, ready);
            }
        }
        long at = Math.max(train.arrival[i] + delay, port.commits().last() + 1);
        train.arrival[i] = at;
        serve.send(at, mapped ? SINGLE : REFUSED, i, ++sequence, train);
    }

    /** Records what the way to another node takes, which ends at a time. */
    void numa(TlpTrain train, Placement where, long end) {
        long more = spec.hops(where, port.node());
        if (more > 0) {
            host.waited(train, host.sim().causes().numa, end - more, end);
        }
    }

    /** Says where a page is now; it may have gone while somebody walked to it. */
    private void translate(Iommu mmu, TlpTrain request, int i) {
        look(Long.MAX_VALUE);
        long va = request.address + request.offset[i];
        TlpTrain t = pool.take();
        t.completions(
                va,
                request.bytes(i),
                link.completionChunk(),
                RootPort.COMPLETER_ID,
                request.requesterId,
                request.tag[i]);
        byte[] data = new byte[TranslationEntry.BYTES];
        TranslationEntry.put(mmu.entry(va), data, 0);
        t.data.appendBytes(data, 0, request.bytes(i));
        t.followed(request);
        done(request, i);
        port.transmitter().submit(t);
    }

    private void refuse(@Nullable Iommu mmu, TlpTrain request, int i) {
        look(Long.MAX_VALUE);
        TlpTrain t = pool.take();
        CompletionStatus why = mmu == null ? CompletionStatus.UR : mmu.spec().refusal();
        t.refusal(why, request.bytes(i), RootPort.COMPLETER_ID, request.requesterId, request.tag[i]);
        t.followed(request);
        done(request, i);
        port.transmitter().submit(t);
    }

    private void serve(TlpTrain request, int i, long order) {
        look(order); // of two due at one time the one that came first
        long va = request.address + request.offset[i];
        int n = request.bytes(i);
        TlpTrain t = pool.take();
        t.completions(va, n, link.completionChunk(), RootPort.COMPLETER_ID, request.requesterId, request.tag[i]);
        t.followed(request);
        host.hostMemory().read(request, host.now(), t, va, n);
        done(request, i);
        port.transmitter().submit(t);
    }

    /** A packet of a request has been answered: gives the request back when it was the last. */
    private void done(TlpTrain request, int i) {
        events(-1);
        if (port.counts() ? --request.unserved == 0 : i == request.count - 1) {
            pool.give(request);
        }
    }

    /** Brings memory and the link up to what is due before now, and what is due now and came before a request. */
    void look(long order) {
        host.hostMemory().seenAt(host.now());
        while (bursts.due() == host.now() && bursts.place() < order) {
            serveBurst(host.now() + 1);
        }
    }

    /** Reads whose data the memory has. */
    private final class Serve extends EventPort {
        Serve(String name) {
            super(host, name + "Serve");
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            Iommu mmu = host.iommu();
            if (kind == BURST) {
                host.hostMemory().seenAt(host.now());
            } else if (kind == WAKE) {
                look(Long.MAX_VALUE);
                reconsider();
            } else if (kind == TRANSLATED && mmu != null && token instanceof TlpTrain request) {
                translate(mmu, request, (int) a);
            } else if (kind == REFUSED && token instanceof TlpTrain request) {
                refuse(mmu, request, (int) a);
            } else if (token instanceof TlpTrain request) {
                serve(request, (int) a, b);
            }
        }
    }

    /** Answers a request for a translation that is known at a time. */
    void translated(TlpTrain train, int i, long known) {
        serve.send(known + spec.requestPs() + spec.responsePs(), TRANSLATED, i, ++sequence, train);
    }

    @Override
    public void save(Snapshot out) {
        bursts.save(out);
        out.putLong(sequence);
    }

    @Override
    public void load(Snapshot in) {
        bursts.load(in);
        host.hostMemory().forgetSeen();
        sequence = in.getLong();
    }
}
