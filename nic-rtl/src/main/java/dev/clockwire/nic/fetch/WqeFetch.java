package dev.clockwire.nic.fetch;

import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.format.Eqe;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.sched.FetchWord;
import dev.clockwire.pcie.endpoint.DmaError;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.stats.StatRegistry;
import java.util.Objects;

/**
 * Reads blocks of send queues. A parameter says how many reads may be in flight; a reply is unpacked at one WQE a cycle. A
 * WQE whose end lies beyond the blocks that came is left for the next read. Blocks that wrap around the ring's end take two
 * reads, one behind the other. Blocks that cannot be read are asked for once more, since only they say where each WQE ends: the first of
 * them then ends with an error and those behind it are flushed. Where the second read fails too, one WQE stands for all of them.
 */
public final class WqeFetch extends SimModule {
    private static final int SYNC = 1;
    private static final int RECORD_BYTES = 8;
    private static final int FLOW = 0xFFFF;
    private static final int WINDOW = 1024;

    private final LongChannel fetches;
    private final LongChannel fetched;
    private final Channel<Wqe> out;
    private final EventPort reads;
    private final Inlet<DmaRead> replies;
    private final DeviceParts parts;
    private final FetchState s;

    /**
     * Creates the engine.
     *
     * @param fetches from the scheduler
     * @param fetched back to it: blocks consumed and, in the index field, WQEs found
     * @param out to the parser
     * @param reads port of the endpoint for this engine's reads
     */
    public WqeFetch(
            Scope parent,
            Clock clock,
            LongChannel fetches,
            LongChannel fetched,
            Channel<Wqe> out,
            EventPort reads,
            DeviceParts parts) {
        super(parent, "wqeFetch", clock);
        this.fetches = fetches.to(this);
        this.fetched = fetched.from(this);
        this.out = out.from(this);
        this.reads = reads;
        this.parts = parts;
        int outstanding = parts.spec().outstandingFetches();
        replies = new Inlet<>(this, "replies", outstanding, SYNC);
        s = state(new FetchState(outstanding));
        StatRegistry stats = sim().stats();
        stats.reading(path() + ".fetches", "reads", "Reads of work requests", () -> s.fetches);
        stats.reading(path() + ".waited", "reads", "Reads that waited for the end of another one", () -> s.waited);
    }

    @Override
    protected boolean tick(long cycle) {
        boolean did = false;
        boolean full = !s.free();
        DmaRead reply = s.current;
        if (reply == null && replies.valid(cycle)) {
            reply = replies.take(cycle);
            did = true;
            if (isWhole(reply)) {
                s.start(reply);
            } else {
                reply = null;
            }
        }
        if (reply != null && unpack(reply, cycle)) {
            did = true;
        }
        if (s.free() && fetches.valid(cycle)) {
            s.fetches++;
            s.waited += full ? 1 : 0;
            read(s.takeFree(), fetches.take(cycle));
            did = true;
        }
        return did && (more(cycle + 1) || rest(true));
    }

    private boolean more(long next) {
        return s.current != null || replies.valid(next) || (s.free() && fetches.valid(next));
    }

    /** Whether a reply is all that was asked for; else asks for what is missing. */
    private boolean isWhole(DmaRead reply) {
        boolean failed = reply.error != DmaError.NONE;
        if (failed && !FetchWord.isAgain(reply.cookie)) {
            parts.control().happened(Eqe.WQ_CATAS, FetchWord.qpn(reply.cookie));
            read(reply, FetchWord.again(reply.cookie));
            return false;
        }
        if (!failed && reply.into.length() < bytes(reply.cookie)) {
            readRest(reply);
            return false;
        }
        return true;
    }

    private void read(DmaRead read, long word) {
        QpContext qp = context(word);
        boolean record = FetchWord.blocks(word) == FetchWord.RECORD;
        int blocks = (1 << qp.logSqBlocks) - 1;
        long block = FetchWord.index(word) & blocks;
        read.address = record ? qp.recordAddress : qp.sqBase + block * Wqe.BLOCK;
        read.length = record ? RECORD_BYTES : Math.min(bytes(word), (int) (blocks + 1 - block) * Wqe.BLOCK);
        read.into.clear();
        read.cookie = word;
        read.flow = FLOW;
        read.window = WINDOW;
        read.reply = replies;
        read.stage = parts.journal().wqeFetch;
        read.journey = record ? 0 : qp.journey(FetchWord.index(word));
        reads.send(now() + 1, 0, 0, 0, read);
    }

    private static int bytes(long word) {
        int blocks = FetchWord.blocks(word);
        return blocks == FetchWord.RECORD ? RECORD_BYTES : blocks * Wqe.BLOCK;
    }

    /** The blocks wrapped: the rest lies at the ring's start. */
    private void readRest(DmaRead read) {
        read.address = context(read.cookie).sqBase;
        read.length = bytes(read.cookie) - read.into.length();
        reads.send(now() + 1, 0, 0, 0, read);
    }

    private boolean unpack(DmaRead reply, long cycle) {
        long word = reply.cookie;
        boolean failed = reply.error != DmaError.NONE;
        if (FetchWord.blocks(word) == FetchWord.RECORD) {
            if (failed) {
                // How far the program has come stays unknown until it posts again, or resets the queue pair.
                parts.control().qpFailed(context(word));
                return finish(cycle, FetchWord.of(FetchWord.qpn(word), 0, 0));
            }
            return finish(cycle, FetchWord.of(FetchWord.qpn(word), record(reply), FetchWord.RECORD));
        }
        int total = FetchWord.blocks(word);
        int units = s.consumed < total ? reply.into.byteAt(s.consumed * Wqe.BLOCK + 7) & 0x3F : 0;
        int blocks = failed ? Math.max(1, total - s.consumed) : Math.max(1, (units * 16 + Wqe.BLOCK - 1) / Wqe.BLOCK);
        if (s.consumed + blocks > total) {
            return finish(cycle, FetchWord.of(FetchWord.qpn(word), s.found, s.consumed));
        }
        if (!out.ready(cycle)) {
            return false;
        }
        QpContext qp = context(word);
        Wqe wqe = parts.wqes().take();
        wqe.unread = FetchWord.isAgain(word) && s.consumed == 0;
        wqe.opaque = false;
        if (failed) {
            wqe.unreadable(FetchWord.index(word), blocks);
        } else {
            reply.into.copyTo(s.consumed * Wqe.BLOCK, wqe.raw, 0, blocks * Wqe.BLOCK);
        }
        wqe.qpn = qp.qpn;
        wqe.journey = qp.journey(FetchWord.index(word) + s.consumed);
        s.consumed += blocks;
        wqe.end = FetchWord.index(word) + s.consumed & 0xFFFF;
        s.found++;
        long visible = clock().edgeTime(cycle + 1);
        parts.journal().stamp(wqe.journey, parts.journal().wqeFetch, 0, reply.issuedPs, visible);
        out.put(cycle, wqe);
        return true;
    }

    private boolean finish(long cycle, long word) {
        if (!fetched.ready(cycle)) {
            return false;
        }
        fetched.put(cycle, word);
        s.finish();
        return true;
    }

    private static int record(DmaRead reply) {
        return ((reply.into.byteAt(6) & 0xFF) << 8) | (reply.into.byteAt(7) & 0xFF);
    }

    private QpContext context(long word) {
        return Objects.requireNonNull(parts.table().qp(FetchWord.qpn(word)));
    }
}
