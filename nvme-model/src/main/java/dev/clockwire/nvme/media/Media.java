package dev.clockwire.nvme.media;

import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The time that commands take on a {@link MediaSpec}. Part of the node that owns it; queues and data are the owner's. A read costs one event for its
 * pieces, when the last of its units is done: pieces take the link in the order in which they are ready, and what is begun later is ready later.
 */
public final class Media implements State {
    private static final int PIECE = 1;
    private static final int DONE = 2;
    private static final int PROGRAMMED = 3;
    private static final long PS_PER_SECOND = 1_000_000_000_000L;
    private static final long MOST_WORK = 1 << 22;

    private final MediaSpec spec;
    private final EventPort port;
    private final SimNode node;

    private final long[] unitFree;
    private final WriteBuffer buffer;
    private final Pieces pieces = new Pieces();
    private long pipelineFree;
    private long linkFree;
    /** Remainder of the link's last piece, in 1 / rate ps: nothing drifts. */
    private long linkRest;

    /** Pieces that a command waits for, by its tag. */
    private final long[] left;

    private final long[] endsAt;
    private boolean begun;
    private long reads;
    private long writes;

    /**
     * Creates a medium at rest.
     *
     * @param node whose part it is
     * @param tags commands have tags from 0 to one less
     * @param done takes the tag of a command that is done, in phase 1
     */
    public Media(SimNode node, String name, MediaSpec spec, int tags, IntConsumer done) {
        this.node = node;
        this.spec = spec;
        left = new long[tags];
        endsAt = new long[tags];
        unitFree = new long[Math.max(1, spec.units())];
        buffer = new WriteBuffer(spec, unitFree);
        port = new EventPort(node, name) {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                switch (kind) {
                    case PIECE -> piece((int) a);
                    case PROGRAMMED -> programmed((int) a);
                    default -> done.accept((int) a);
                }
            }
        };
    }

    /** Returns the parameters. */
    public MediaSpec spec() {
        return spec;
    }

    /** Starts to read; its tag is free. */
    public void read(int tag, long address, long bytes) {
        reads++;
        long from = admit(tag);
        if (spec.units() == 0 || bytes == 0) {
            finish(tag, link(from, bytes));
            return;
        }
        int size = spec.pieceBytes();
        long at = address;
        long end = address + bytes;
        long last = 0;
        int lastOrder = 0;
        while (at < end) {
            int n = (int) (Math.min(end, (at | size - 1) + 1) - at);
            int unit = unitOf(at);
            long ready = buffer.readAt(unit, from) + spec.readPs() + ofUnit(n);
            buffer.occupy(unit, ready, spec.readPs() + ofUnit(n));
            left[tag]++;
            long seen = Math.max(ready, node.now() + 1);
            int order = pieces.add(seen, tag, n);
            if (seen >= last) {
                last = seen;
                lastOrder = order;
            }
            at += n;
        }
        port.send(last, PIECE, lastOrder, 0);
    }

    /** Starts to write; its tag is free and its data are there. */
    public void write(int tag, long address, long bytes) {
        writes++;
        catchUp();
        long from = link(admit(tag), bytes);
        if (spec.units() == 0 || bytes == 0) {
            finish(tag, from);
        } else if (spec.buffer().bytes() > 0) {
            buffer.put(tag, from, bytes, address);
            drain();
        } else {
            int size = spec.pieceBytes();
            long last = from;
            for (long at = address; at < address + bytes; at = (at | size - 1) + 1) {
                int unit = unitOf(at);
                unitFree[unit] = Math.max(unitFree[unit], from) + spec.writePs();
                last = Math.max(last, unitFree[unit]);
            }
            finish(tag, last);
        }
    }

    /** Starts what takes the pipeline only: writing zeros, deallocating. */
    public void touch(int tag) {
        finish(tag, admit(tag));
    }

    /** Starts to wait until everything that the buffer holds now is programmed. */
    public void flush(int tag) {
        long from = admit(tag);
        if (buffer.isEmpty()) {
            finish(tag, from);
        } else {
            buffer.flush(tag, from);
            drain();
        }
    }

    private long admit(int tag) {
        if (left[tag] != 0) {
            throw new InvariantViolation("", node.now(), "tag " + tag + " of a medium is in use");
        }
        if (!begun) {
            begin();
        }
        pipelineFree = Math.max(pipelineFree, node.now()) + spec.pipelinePs();
        endsAt[tag] = pipelineFree;
        return pipelineFree;
    }

    /** The first command finds the medium as long writing has left it, if it is to. */
    private void begin() {
        begun = true;
        if (buffer.begin(node.now())) {
            for (int unit = 0; unit < unitFree.length; unit++) {
                if (buffer.programEnd(unit) > node.now()) {
                    port.send(buffer.programEnd(unit), PROGRAMMED, unit, 0);
                }
            }
        }
    }

    /** Units are chosen as if at random: neighbours do not collide more than strangers. */
    private int unitOf(long address) {
        FlashMap map = buffer.map();
        int known = map == null ? -1 : map.unitOf(map.page(address));
        if (known >= 0) {
            return known;
        }
        return (int) Long.remainderUnsigned(RandomStream.mix(address / spec.pieceBytes()), unitFree.length);
    }

    private long ofUnit(int bytes) {
        return spec.unitRate() == 0 ? 0 : bytes * PS_PER_SECOND / spec.unitRate();
    }

    /** Takes the link from a time on; returns when the last byte has passed. */
    private long link(long from, long bytes) {
        if (spec.linkRate() == 0) {
            return from;
        }
        if (from > linkFree) {
            linkFree = from;
            linkRest = 0;
        }
        for (long left = bytes; left > 0; left -= MOST_WORK) { // more at once would be more than a long holds
            long work = Math.min(left, MOST_WORK) * PS_PER_SECOND + linkRest;
            linkFree += work / spec.linkRate();
            linkRest = work % spec.linkRate();
        }
        return linkFree;
    }

    /** The last piece of a read is ready: it and what was ready before takes the link. */
    private void piece(int lastOrder) {
        long now = node.now();
        while (!pieces.isEmpty()
                && (pieces.firstReady() < now
                        || (pieces.firstReady() == now && pieces.firstOrder() - lastOrder <= 0))) {
            passFirst();
        }
    }

    private void passFirst() {
        int tag = pieces.firstTag();
        endsAt[tag] = Math.max(endsAt[tag], link(pieces.firstReady(), pieces.firstBytes()));
        pieces.remove();
        if (--left[tag] == 0) {
            finish(tag, endsAt[tag]);
        }
    }

    /** Lets what was ready before now take the link before somebody else does. */
    private void catchUp() {
        while (!pieces.isEmpty() && pieces.firstReady() < node.now()) {
            passFirst();
        }
    }

    private void finish(int tag, long at) {
        port.send(Math.max(at + spec.fixedPs(), node.now() + 1), DONE, tag, 0);
    }

    private void programmed(int unit) {
        if (buffer.programmed(unit, node.now())) {
            drain();
        } else {
            port.send(buffer.programEnd(unit), PROGRAMMED, unit, 0);
        }
    }

    /** Ends the waits of commands whose data are in the buffer, and gives pages to units. */
    private void drain() {
        boolean moved = true;
        while (moved) {
            moved = false;
            for (int tag = buffer.admitted(); tag >= 0; tag = buffer.admitted()) {
                finish(tag, Math.max(node.now(), buffer.admittedAt()));
                moved = true;
            }
            for (int unit = buffer.program(node.now()); unit >= 0; unit = buffer.program(node.now())) {
                port.send(Math.max(buffer.programEnd(unit), node.now() + 1), PROGRAMMED, unit, 0);
                moved = true;
            }
        }
    }

    /** Returns pages programmed over pages written, 1 if the medium always has room. */
    public double amplification() {
        FlashMap map = buffer.map();
        return map == null ? 1 : map.amplification();
    }

    /** Returns the reads begun. */
    public long reads() {
        return reads;
    }

    /** Returns the writes begun. */
    public long writes() {
        return writes;
    }

    @Override
    public void save(Snapshot out) {
        out.putLongs(unitFree);
        buffer.save(out);
        out.putLong(pipelineFree);
        out.putLong(linkFree);
        out.putLong(linkRest);
        out.putLongs(left);
        out.putLongs(endsAt);
        pieces.save(out);
        out.putBoolean(begun);
        out.putLong(reads);
        out.putLong(writes);
    }

    @Override
    public void load(Snapshot in) {
        in.getLongs(unitFree);
        buffer.load(in);
        pipelineFree = in.getLong();
        linkFree = in.getLong();
        linkRest = in.getLong();
        in.getLongs(left);
        in.getLongs(endsAt);
        pieces.load(in);
        begun = in.getBoolean();
        reads = in.getLong();
        writes = in.getLong();
    }
}
