package dev.clockwire.nic.cache;

import dev.clockwire.nic.cache.AccessLane.Access;
import dev.clockwire.nic.context.BehindWrites;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.Translation;
import dev.clockwire.nic.format.Eqe;
import dev.clockwire.nic.profile.CacheSpec;
import dev.clockwire.nic.profile.IcmSpec;
import dev.clockwire.pcie.endpoint.DmaError;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Address translation in front of the DMA engine, where the chip holds only some memory keys (MPT) or page translations (MTT). An access
 * asks for its key and, only then, for the pages it touches; what is not on the chip is read from host memory, two dependent reads at
 * worst. Each client has a lane that keeps its order, so an access that misses holds those behind it, but they look up and miss while it
 * waits; those that miss the same entry share one read. Completions and answers go through the lane of the writes they must not overtake.
 *
 * <p>An access whose entry cannot be read does not go to memory: a read comes back with the error; a write is gone, its queue pair fails, and
 * what comes behind it says so.
 *
 * <p>An access takes one cycle here. Where all is on the chip this block is not built.
 */
public final class Translator extends SimModule {
    /** Way out of a lane: the DMA engine. Channels of a lane follow. */
    private static final int DMA = 0;

    private static final int SYNC = 1;
    private static final int FLOW = 0xFFFB;
    private static final int WINDOW = 64;
    private static final int REPLIES = 2048;
    /** Places of a lane in which an access may look up. */
    private static final int LOOK_AHEAD = 64;

    private static final int MOST_WORDS = 4096;

    private final DeviceParts parts;
    private final IcmSpec spec;
    private final EventPort tables;
    private final Inlet<DmaRead> replies;
    private final EventPort forget;
    private final EventPort refused;
    private final List<Lane> lanes = new ArrayList<>();
    private final TranslatorState s;

    /** A lane with its ends. */
    private final class Lane {
        final AccessLane queue = state(new AccessLane());
        final EventPort out;
        final List<Channel<? extends Token>> ins = new ArrayList<>();
        final List<Channel<Token>> outs = new ArrayList<>();
        final EventPort in;

        Lane(String name, EventPort out) {
            this.out = out;
            in = new EventPort(Translator.this, name) {
                @Override
                protected void event(int kind, long a, long b, @Nullable Token token) {
                    enter(queue, Objects.requireNonNull(token));
                    wake();
                }
            };
        }
    }

    /**
     * Creates the block without lanes; they follow.
     *
     * @param tables the endpoint's port for keys and translations
     */
    public Translator(Scope parent, Clock clock, EventPort tables, DeviceParts parts) {
        super(parent, "translator", clock);
        this.parts = parts;
        this.tables = tables;
        spec = parts.spec().icm();
        replies = new Inlet<>(this, "replies", REPLIES, SYNC);
        s = state(new TranslatorState(spec, chooser(spec.mpt(), "mpt"), chooser(spec.mtt(), "mtt")));
        s.register(sim().stats(), path());
        forget = new EventPort(this, "forget") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                s.forget((int) a);
            }
        };
        refused = new EventPort(this, "refused") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                giveBack(Objects.requireNonNull(token));
            }
        };
    }

    private @Nullable RandomStream chooser(@Nullable CacheSpec cache, String name) {
        return cache != null && cache.random() ? random(name) : null;
    }

    /** Adds a lane; returns the port for its reads or writes. */
    public EventPort lane(String name, EventPort out) {
        lanes.add(new Lane(name, out));
        return lanes.get(lanes.size() - 1).in;
    }

    /** Lets words pass behind the accesses of the lane added last. */
    @SuppressWarnings("unchecked") // a word leaves by the channel of its kind
    public <T extends Token> void behind(Channel<T> in, Channel<T> out) {
        Lane lane = lanes.get(lanes.size() - 1);
        lane.ins.add(in.to(this));
        lane.outs.add((Channel<Token>) out.from(this));
    }

    /** Returns the port that makes the chip forget a key: a = the key. */
    public EventPort forget() {
        return forget;
    }

    private void enter(AccessLane queue, Token token) {
        Access a = queue.add(token, DMA, now());
        long address;
        int length;
        if (token instanceof DmaRead read) {
            a.key = read.key;
            a.part = read.part;
            address = read.address;
            length = read.length;
        } else {
            DmaWrite write = (DmaWrite) token;
            a.key = write.key;
            a.part = write.part;
            address = write.address;
            length = write.length;
        }
        if (a.key != 0 && length > 0) {
            a.stage = AccessLane.KEY;
            a.page = address >>> spec.pageShift();
            a.last = (address + length - 1) >>> spec.pageShift();
        }
    }

    @Override
    protected boolean tick(long cycle) {
        boolean did = false;
        while (replies.valid(cycle)) {
            arrived(replies.take(cycle));
            did = true;
        }
        for (Lane lane : lanes) {
            did |= follow(lane, cycle);
        }
        did |= lookUp();
        for (Lane lane : lanes) {
            did |= leave(lane, cycle);
        }
        return did;
    }

    /** Takes the words that came; the accesses they stand behind came before. */
    private boolean follow(Lane lane, long cycle) {
        boolean did = false;
        for (int i = 0; i < lane.ins.size(); i++) {
            if (lane.ins.get(i).valid(cycle) && lane.queue.size() < MOST_WORDS) {
                lane.queue.add(lane.ins.get(i).take(cycle), i + 1, now());
                did = true;
            }
        }
        return did;
    }

    /** One access of each lane looks up, as far as the ports of the two caches go; lanes take turns. */
    private boolean lookUp() {
        s.keyPorts = spec.ports();
        s.pagePorts = spec.ports();
        boolean did = false;
        int first = s.turn;
        for (int i = 0; i < lanes.size(); i++) {
            int at = (first + i) % lanes.size();
            if (lookUp(lanes.get(at).queue)) {
                s.turn = at + 1 == lanes.size() ? 0 : at + 1;
                did = true;
            }
        }
        return did;
    }

    private boolean lookUp(AccessLane queue) {
        int n = Math.min(queue.size(), LOOK_AHEAD);
        for (int i = 0; i < n; i++) {
            Access a = queue.get(i);
            if (a.stage == AccessLane.KEY || a.stage == AccessLane.PAGE) {
                return lookUp(a);
            }
        }
        return false;
    }

    private boolean lookUp(Access a) {
        boolean did = false;
        if (a.stage == AccessLane.KEY) {
            Translation t = parts.table().translation(a.key);
            did = t == null ? done(a) : lookUpKey(a, t);
        }
        if (a.stage == AccessLane.PAGE) {
            Translation t = parts.table().pages(a.key);
            did |= t == null ? done(a) : lookUpPage(a, t);
        }
        return did;
    }

    /** The key is gone since: what was granted goes on. */
    private boolean done(Access a) {
        a.stage = AccessLane.DONE;
        a.since = now();
        return true;
    }

    private boolean lookUpKey(Access a, Translation t) {
        long index = s.index(a.key);
        if ((s.keys.absent(index) && !s.keys.mayMiss(index)) || s.keyPorts == 0) {
            return false;
        }
        s.keyPorts--;
        if (s.keys.touch(index)) {
            a.stage = AccessLane.PAGE;
            return true;
        }
        a.stage = AccessLane.KEY_COMES;
        a.since = now();
        if (!s.keys.pending(index)) {
            read(s.keys, index, t.context(), IcmSpec.MPT_BYTES, 1);
        }
        return true;
    }

    private boolean lookUpPage(Access a, Translation t) {
        long entry = entry(a, t);
        if ((s.pages.absent(entry) && !s.pages.mayMiss(entry)) || s.pagePorts == 0) {
            return false;
        }
        s.pagePorts--;
        if (s.pages.touch(entry)) {
            nextPage(a);
        } else {
            a.stage = AccessLane.PAGE_COMES;
            a.since = now();
            if (!s.pages.pending(entry)) {
                read(s.pages, entry, t.table() + (entry - t.firstEntry()) * IcmSpec.MTT_BYTES, IcmSpec.MTT_BYTES, 0);
            }
        }
        if (spec.prefetch()) {
            prefetch(entry + 1, t);
        }
        return true;
    }

    private static long entry(Access a, Translation t) {
        return a.page - t.firstPage() + t.firstEntry();
    }

    private void nextPage(Access a) {
        a.stage = a.page == a.last ? AccessLane.DONE : AccessLane.PAGE;
        a.page++;
        a.since = now();
    }

    /** The next translation of the region, unless it would take the last read from somebody who needs one now. */
    private void prefetch(long entry, Translation t) {
        if (entry < t.endEntry() && s.pages.absent(entry) && !s.pages.pending(entry) && s.pages.free() > 1) {
            s.prefetches++;
            read(s.pages, entry, t.table() + (entry - t.firstEntry()) * IcmSpec.MTT_BYTES, IcmSpec.MTT_BYTES, 0);
        }
    }

    private void read(IcmTable table, long key, long address, int length, int kind) {
        DmaRead read = table.begin(key);
        read.address = address;
        read.length = length;
        read.cookie = key << 1 | kind;
        read.flow = FLOW;
        read.window = WINDOW;
        read.reply = replies;
        tables.send(now() + 1, 0, 0, 0, read);
    }

    private static void giveBack(Token token) {
        if (token instanceof DmaRead read) {
            Objects.requireNonNull(read.reply).write(read);
        } else if (token instanceof DmaWrite write) {
            if (write.done == null) {
                write.goHome();
            } else {
                write.done.write(write);
            }
        }
    }

    private void arrived(DmaRead reply) {
        s.readErrors += reply.error == DmaError.NONE ? 0 : 1;
        boolean key = (reply.cookie & 1) != 0;
        long entry = reply.cookie >>> 1;
        (key ? s.keys : s.pages).end(reply, entry);
        for (Lane lane : lanes) {
            for (int i = 0; i < lane.queue.size(); i++) {
                Access a = lane.queue.get(i);
                if (key ? waitsForKey(a, entry) : waitsForPage(a, entry)) {
                    goOn(lane.queue, a, key, i == 0);
                    if (reply.error != DmaError.NONE) {
                        fail(a, reply.error);
                    }
                }
            }
        }
    }

    private static void fail(Access a, DmaError why) {
        a.stage = AccessLane.FAILED;
        if (a.token instanceof DmaRead read) {
            read.error = why;
        }
    }

    private boolean waitsForKey(Access a, long index) {
        return a.stage == AccessLane.KEY_COMES && s.index(a.key) == index;
    }

    private boolean waitsForPage(Access a, long entry) {
        if (a.stage != AccessLane.PAGE_COMES) {
            return false;
        }
        Translation t = parts.table().pages(a.key);
        return t == null || entry(a, t) == entry;
    }

    private void goOn(AccessLane queue, Access a, boolean key, boolean first) {
        int cause = key ? parts.journal().causes.mptMiss : parts.journal().causes.mttMiss;
        missed(a, cause, now());
        if (first) {
            queue.cause = cause;
            queue.freed = now();
        }
        if (key) {
            a.stage = AccessLane.PAGE;
        } else {
            nextPage(a);
        }
    }

    /** Records that an access waited for a miss, in the stage of its operation that waits for the access. */
    private void missed(Access a, int cause, long to) {
        Token token = Objects.requireNonNull(a.token);
        int stage = 0;
        if (token instanceof DmaRead read) {
            stage = read.stage;
        } else if (token instanceof DmaWrite write) {
            stage = write.stage;
        } else if (token instanceof BehindWrites word) {
            stage = word.stage(parts.journal());
        }
        if (stage != 0) {
            parts.journal().delayedIn(stage, token.journey, a.part, cause, a.since, to);
        }
    }

    /** Lets one access of a lane go, and the words behind it. */
    private boolean leave(Lane lane, long cycle) {
        AccessLane queue = lane.queue;
        boolean access = true;
        boolean did = false;
        while (queue.size() > 0) {
            Access a = queue.get(0);
            boolean dma = a.exit == DMA;
            boolean failed = a.stage == AccessLane.FAILED;
            if (!(failed || a.stage == AccessLane.DONE)
                    || (dma ? !access : !lane.outs.get(a.exit - 1).ready(cycle))) {
                break;
            }
            held(queue, a);
            if (failed) {
                access = false;
                refuse(queue);
            } else if (dma) {
                access = false;
                lane.out.send(now() + 1, 0, 0, 0, queue.remove());
            } else {
                Token word = queue.remove();
                if (word instanceof BehindWrites behind) {
                    queue.unplaced.pass(behind);
                }
                lane.outs.get(a.exit - 1).put(cycle, word);
            }
            did = true;
        }
        return did;
    }

    private void refuse(AccessLane queue) {
        Token token = queue.remove();
        if (token instanceof DmaRead read) {
            read.into.appendZeros(read.length);
            read.issuedPs = now();
            read.donePs = now();
        } else if (token instanceof DmaWrite write && queue.unplaced.add((int) write.cookie, write.part)) {
            parts.control().qpFailed(Objects.requireNonNull(parts.table().qp((int) write.cookie)));
            parts.control().happened(Eqe.WQ_CATAS, (int) write.cookie);
        }
        refused.send(now() + 1, 0, 0, 0, token);
    }

    /** One that was held by a miss of those before it; words of the same operation waited as long as its access, which has said so. */
    private void held(AccessLane queue, Access a) {
        long journey = Objects.requireNonNull(a.token).journey;
        boolean word = a.exit != DMA;
        if (a.since < queue.freed && !(word && journey == queue.journey)) {
            missed(a, queue.cause, queue.freed);
        }
        queue.journey = word ? queue.journey : journey;
    }
}
