package dev.clockwire.pcie.endpoint;

import dev.clockwire.pcie.link.LinkDirection;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.link.TrainPool;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.pcie.tlp.TlpSplit;
import dev.clockwire.pcie.tlp.TlpType;
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

    private int bytesOutstanding;
    private long unexpected;

    ReadController(PcieLinkSpec spec, int requesterId, LinkDirection up, TrainPool pool) {
        this.spec = spec;
        this.requesterId = requesterId;
        this.up = up;
        this.pool = pool;
        tags = new TagPool(spec.tags());
    }

    /** Takes a new read and issues what may be issued. */
    void accept(DmaRead r, long now) {
        r.status = CompletionStatus.SC;
        r.issuedPs = -1;
        table.add(r);
        issue(now);
    }

    /** Issues until tags, buffer or windows are used up; what is issued at one instant for one read is one train. */
    void issue(long now) {
        TlpTrain train = null;
        int trainSlot = ReadTable.NONE;
        int flow;
        while ((flow = table.turn()) != ReadTable.NONE && !tags.isEmpty()) {
            int slot = table.head(flow);
            DmaRead r = table.read(slot);
            int from = r.length - Math.max(0, table.unissued[slot]);
            int n = r.length == 0 ? 0 : TlpSplit.read(r.address + from, table.unissued[slot], spec.maxReadRequest());
            if (spec.readBufferBytes() != 0 && bytesOutstanding + n > spec.readBufferBytes()) {
                break;
            }
            if (train == null || trainSlot != slot) {
                if (train != null) {
                    up.submit(train);
                }
                train = pool.take().reads(r.address + from, requesterId);
                train.journey = r.journey;
                trainSlot = slot;
                if (r.issuedPs < 0) {
                    r.issuedPs = now;
                }
            }
            train.addRead(n, tags.take(slot, from, n));
            noteIssued(flow, slot, n);
        }
        if (train != null) {
            up.submit(train);
        }
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
     * Takes the last completion of a request.
     *
     * @return the read, if this was its last byte
     */
    @Nullable
    DmaRead complete(TlpTrain answer, long now) {
        int i = tags.index(answer.tag[0]);
        if (i < 0) {
            unexpected++;
            pool.give(answer);
            return null;
        }
        int slot = tags.slot[i];
        DmaRead r = table.read(slot);
        answer.cookie = (long) slot << 32 | tags.start[i];
        bytesOutstanding -= tags.bytes[i];
        table.open[slot]--;
        table.outstanding[r.flow]--;
        tags.give(i);
        collect(r, slot, answer);
        boolean complete = table.missing[slot] == 0 && table.open[slot] == 0;
        if (complete) {
            table.free(slot);
            r.donePs = now;
        }
        table.offer(r.flow);
        issue(now);
        return complete ? r : null;
    }

    private void collect(DmaRead r, int slot, TlpTrain answer) {
        if ((int) answer.cookie != r.length - table.missing[slot]) {
            early.add(answer);
            return;
        }
        append(r, slot, answer);
        int i = 0;
        while (i < early.size()) {
            TlpTrain t = early.get(i);
            if ((int) (t.cookie >>> 32) == slot && (int) t.cookie == r.length - table.missing[slot]) {
                early.remove(i);
                append(r, slot, t);
                i = 0;
            } else {
                i++;
            }
        }
    }

    private void append(DmaRead r, int slot, TlpTrain answer) {
        if (answer.type == TlpType.CPL) {
            r.status = answer.status;
        } else {
            r.into.appendFrom(answer.data, 0, answer.length());
        }
        table.missing[slot] -= answer.length();
        pool.give(answer);
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
        out.putInt(bytesOutstanding);
        out.putLong(unexpected);
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
        bytesOutstanding = in.getInt();
        unexpected = in.getLong();
    }
}
