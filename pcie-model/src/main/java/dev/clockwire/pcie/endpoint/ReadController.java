package dev.clockwire.pcie.endpoint;

import dev.clockwire.pcie.link.LinkDirection;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.link.QuietHost;
import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.link.TrainPool;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.pcie.tlp.TlpSplit;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Splits reads into MRd, keeps at most a window of them outstanding for each flow, takes flows in turn, and puts what comes
 * back together. A packet is issued the moment the last completion of an earlier one makes room.
 */
final class ReadController implements State {
    private final PcieLinkSpec spec;
    private final int requesterId;
    private final LinkDirection up;
    private final TrainPool pool;
    private final ReadTable table = new ReadTable();
    private final TagPool tags;
    /** Answers that came before the answer to an earlier part of the same read. */
    private final List<TlpTrain> early = new ArrayList<>();

    /** Data of requests of which more is to come, by tag; kept only where completions are checked, and may come in turns. */
    private final @Nullable TlpTrain[] gathered;

    /** What is known of reads before they end, null where nobody asks. */
    private @Nullable ReadEnds ends;

    private @Nullable TlpTrain open;
    private int openSlot = ReadTable.NONE;
    private int bytesOutstanding;
    private long unexpected;
    private boolean held;
    private boolean idBased;
    private int maxRequest;

    ReadController(PcieLinkSpec spec, int requesterId, LinkDirection up, TrainPool pool) {
        this.spec = spec;
        this.requesterId = requesterId;
        this.up = up;
        this.pool = pool;
        tags = new TagPool(spec.tags());
        gathered = new @Nullable TlpTrain[spec.troubles().checks() ? spec.tags() : 0];
        maxRequest = spec.maxReadRequest();
    }

    /** Takes a new read and issues what may be issued; {@link #flush} follows. Returns its slot. */
    int accept(DmaRead r, long now) {
        r.status = CompletionStatus.SC;
        r.error = DmaError.NONE;
        r.issuedPs = -1;
        r.heldPs = now;
        int slot = table.add(r);
        issue(now);
        return slot;
    }

    /**
     * Obeys the configuration: whether requests may be sent, and how large they may be; {@link #flush} follows. A buffer for
     * completions bounds them too.
     */
    void obey(boolean mayRequest, int largest, long now) {
        held = !mayRequest;
        maxRequest = spec.readBufferBytes() == 0 ? largest : Math.min(largest, spec.maxReadRequest());
        issue(now);
    }

    /** Uses at most so many tags, and sets the ID-based ordering attribute or not. */
    void useTags(int most, boolean ordered) {
        tags.limit(most);
        idBased = ordered;
    }

    /**
     * Issues until tags, buffer or windows are used up. Requests that follow each other in one read are one train, also over several
     * calls; {@link #flush} hands it over.
     *
     * @param ready when it became possible, not after now
     */
    private void issue(long ready) {
        int flow;
        while (!held && (flow = table.turn()) != ReadTable.NONE && !tags.isEmpty()) {
            int slot = table.head(flow);
            DmaRead r = table.read(slot);
            int from = r.length - Math.max(0, table.unissued[slot]);
            int n = r.length == 0 ? 0 : TlpSplit.read(r.address + from, table.unissued[slot], maxRequest);
            if (spec.readBufferBytes() != 0 && bytesOutstanding + n > spec.readBufferBytes()) {
                break;
            }
            TlpTrain train = open;
            if (train == null || openSlot != slot) {
                flush();
                train = pool.take().reads(r.address + from, requesterId);
                train.followed(r.journey, r.stage, r.part);
                train.user = r.user;
                train.timed = true;
                train.idBased = idBased;
                train.addressType = r.addressType;
                open = train;
                openSlot = slot;
                if (r.issuedPs < 0) {
                    r.issuedPs = ready;
                    r.heldPs = ready - r.heldPs;
                }
            }
            train.addRead(n, tags.take(slot, from, n, ready), ready);
            noteIssued(flow, slot, n);
        }
    }

    /** Hands what has been issued to the link. Nothing may stay open when a handler ends. */
    void flush() {
        TlpTrain train = open;
        if (train != null) {
            open = null;
            up.submit(train);
        }
    }

    /**
     * Returns whether up to a number of requests may be issued late: then each answer makes room for one at most, since only windows
     * hold requests back, and the link takes them as if they came in time.
     */
    boolean mayIssueLate(int answers) {
        return table.turn() == ReadTable.NONE && !table.widens() && up.mayLookBack(FlowClass.NON_POSTED, answers);
    }

    /** Notes from now on when reads will end. */
    void watchEnds() {
        ends = new ReadEnds(table);
    }

    /** Completions are on their way. */
    void foresee(TlpTrain answer, int from, int to) {
        ReadEnds e = ends;
        for (int p = from; e != null && p < to; p++) {
            int i = answer.endsRequest(p) ? tags.index(answer.tag[p]) : -1;
            if (i >= 0) {
                e.answered(tags.slot[i], tags.bytes[i], answer.arrival[p]);
            }
        }
    }

    /**
     * Returns whether nothing but windows holds requests back, so that each answer makes room for one at most and all that may be on their
     * way find credits.
     */
    boolean onlyWindowsHold(int most) {
        return table.turn() == ReadTable.NONE && !table.widens() && tags.inUse() <= most;
    }

    /**
     * Returns a time before which no read ends, {@code Long.MAX_VALUE} if there is none.
     *
     * @param answer when an answer makes room for a request at the earliest
     */
    long endsNotBefore(long answer, QuietHost host) {
        ReadEnds e = ends;
        return e == null ? answer : e.notBefore(answer, host, maxRequest);
    }

    /** Returns a time before which the read in a slot does not end; see {@link #endsNotBefore}. */
    long endNotBefore(int slot, long answer, QuietHost host) {
        ReadEnds e = ends;
        return e == null ? answer : e.notBefore(slot, answer, host, maxRequest);
    }

    private void noteIssued(int flow, int slot, int n) {
        bytesOutstanding += n;
        table.open[slot]++;
        table.outstanding[flow]++;
        table.unissued[slot] = Math.max(0, table.unissued[slot] - n);
        if (table.unissued[slot] == 0) {
            table.issued(flow);
        }
        table.pass(flow);
    }

    /**
     * Takes completions that end one request, or several of which nobody needs to know the middle.
     *
     * @param from first packet to look at; packets before it may belong to the same request
     * @param to behind the last packet, which ends a request
     * @param now arrival of the last packet
     * @return the read, if this was its last byte
     */
    @Nullable
    DmaRead complete(TlpTrain answer, int from, int to, long now) {
        int slot = ReadTable.NONE;
        int start = 0;
        int bytes = 0;
        TlpTrain apart = null;
        for (int p = from; p < to; p++) {
            if (answer.endsRequest(p)) {
                int i = tags.index(answer.tag[p]);
                if (i < 0) {
                    unexpected++;
                    continue;
                }
                if (tags.flaw[i] == TagPool.SPOILED) {
                    continue; // incomplete, and the tag is not free before it has timed out
                }
                if (tags.flaw[i] == TagPool.POISONED) {
                    table.read(tags.slot[i]).fail(DmaError.POISONED);
                }
                if (slot == ReadTable.NONE) {
                    slot = tags.slot[i];
                    start = tags.start[i];
                    apart = takeGathered(i);
                }
                bytes += tags.bytes[i];
                table.open[slot]--;
                tags.give(i);
                table.outstanding[table.read(slot).flow]--;
            }
        }
        if (slot == ReadTable.NONE) {
            return null;
        }
        DmaRead r = table.read(slot);
        if (apart == null) {
            return ended(r, slot, start, answer, answer.offset[to] - bytes, bytes, now);
        }
        DmaRead done = ended(r, slot, start, apart, 0, bytes, now);
        pool.give(apart);
        return done;
    }

    private @Nullable TlpTrain takeGathered(int i) {
        TlpTrain t = gathered.length == 0 ? null : gathered[i];
        if (t != null) {
            gathered[i] = null;
        }
        return t;
    }

    private void gather(int i, TlpTrain answer, int p) {
        TlpTrain t = gathered[i];
        if (t == null) {
            t = pool.take().completions(0, 0, requesterId);
            gathered[i] = t;
        }
        t.data.appendFrom(answer.data, answer.offset[p], answer.bytes(p));
    }

    private @Nullable DmaRead ended(DmaRead r, int slot, int start, TlpTrain answer, int at, int bytes, long now) {
        bytesOutstanding -= bytes;
        collect(r, slot, start, answer, at, bytes);
        boolean complete = table.missing[slot] == 0 && table.open[slot] == 0;
        if (complete) {
            if (ends != null) {
                ends.ended();
            }
            table.free(slot);
            r.donePs = now;
        }
        table.offer(r.flow);
        issue(now);
        return complete ? r : null;
    }

    private void collect(DmaRead r, int slot, int start, TlpTrain answer, int at, int n) {
        if (start != r.length - table.missing[slot]) {
            early.add(part(slot, start, answer, at, n));
            return;
        }
        append(r, slot, answer, at, n);
        int i = 0;
        while (i < early.size()) {
            TlpTrain t = early.get(i);
            if ((int) (t.cookie >>> 32) == slot && (int) t.cookie == r.length - table.missing[slot]) {
                early.remove(i);
                append(r, slot, t, 0, t.length());
                pool.give(t);
                i = 0;
            } else {
                i++;
            }
        }
    }

    /** Returns a copy of what came too early. */
    private TlpTrain part(int slot, int start, TlpTrain answer, int at, int n) {
        TlpTrain t = pool.take().clear();
        t.type = answer.type;
        t.status = answer.status;
        t.count = 1;
        t.offset[1] = n;
        if (t.type.hasData()) {
            t.data.appendFrom(answer.data, at, n);
        }
        t.cookie = (long) slot << 32 | start;
        return t;
    }

    private void append(DmaRead r, int slot, TlpTrain answer, int at, int n) {
        if (answer.type.hasData()) {
            r.into.appendFrom(answer.data, at, n);
        } else {
            r.status = r.status == CompletionStatus.SC ? answer.status : r.status;
            r.fail(DmaError.of(answer.status));
            r.into.appendZeros(n);
        }
        table.missing[slot] -= n;
    }

    /**
     * Compares a completion with what its request still expects; one that does not fit is not taken, and its request times out.
     *
     * @return whether it fits, or belongs to no request
     */
    boolean fits(TlpTrain answer, int p) {
        int i = tags.index(answer.tag[p]);
        if (i < 0 || !answer.type.hasData() || tags.bytes[i] == 0) {
            return true;
        }
        int expected = tags.bytes[i] - tags.came[i];
        if (answer.left[p] != expected || answer.bytes(p) > expected) {
            tags.flaw[i] = TagPool.SPOILED;
            return false;
        }
        tags.came[i] += answer.bytes(p);
        gather(i, answer, p);
        return true;
    }

    /** Notes that something is wrong with a completion: {@link TagPool#POISONED} or {@link TagPool#SPOILED}. */
    void flaw(int tag, byte what) {
        int i = tags.index(tag);
        if (i >= 0 && tags.flaw[i] != TagPool.SPOILED) {
            tags.flaw[i] = what;
        }
    }

    /** Returns a request that was issued at a time or before and has no answer, -1 if there is none. */
    int overdue(long issuedBy) {
        return tags.issuedBy(issuedBy);
    }

    /**
     * Gives a request up; its tag rests for a time.
     *
     * @return the read, if this was all that was missing
     */
    @Nullable
    DmaRead expire(int i, long restPs, long now) {
        int slot = tags.slot[i];
        DmaRead r = table.read(slot);
        r.fail(DmaError.TIMEOUT);
        TlpTrain half = takeGathered(i);
        if (half != null) {
            pool.give(half);
        }
        TlpTrain none = pool.take().refusal(CompletionStatus.SC, tags.bytes[i], 0, requesterId, tags.tag(i));
        tags.rest(i, now + restPs);
        table.open[slot]--;
        table.outstanding[r.flow]--;
        DmaRead done = ended(r, slot, tags.start[i], none, 0, tags.bytes[i], now);
        pool.give(none);
        return done;
    }

    /** Uses tags that have rested again. */
    void wakeTags(long now) {
        if (tags.wake(now)) {
            issue(now);
        }
    }

    /** Returns when a request times out or a tag has rested, {@code Long.MAX_VALUE} if none will. */
    long nextLook(long timeoutPs) {
        return tags.nextLook(timeoutPs);
    }

    /** Returns whether anything waits to be issued, for a window, a tag or buffer space. */
    boolean waiting() {
        return table.waiting();
    }

    /** Returns requests without an answer. */
    int outstanding() {
        return tags.inUse();
    }

    /** Returns completions that belonged to no request. */
    long unexpected() {
        return unexpected;
    }

    @Override
    public void save(Snapshot out) {
        table.save(out);
        tags.save(out);
        out.putInt(early.size());
        for (int i = 0; i < early.size(); i++) {
            out.putToken(early.get(i));
        }
        for (TlpTrain t : gathered) {
            out.putToken(t);
        }
        if (ends != null) {
            ends.save(out);
        }
        out.putInt(bytesOutstanding);
        out.putLong(unexpected);
        out.putBoolean(held);
        out.putBoolean(idBased);
        out.putInt(maxRequest);
    }

    @Override
    public void load(Snapshot in) {
        table.load(in);
        tags.load(in);
        early.clear();
        for (int n = in.getInt(); n > 0; n--) {
            if (in.getToken() instanceof TlpTrain t) {
                early.add(t);
            }
        }
        for (int i = 0; i < gathered.length; i++) {
            gathered[i] = (TlpTrain) in.getToken();
        }
        if (ends != null) {
            ends.load(in);
        }
        bytesOutstanding = in.getInt();
        unexpected = in.getLong();
        held = in.getBoolean();
        idBased = in.getBoolean();
        maxRequest = in.getInt();
    }
}
