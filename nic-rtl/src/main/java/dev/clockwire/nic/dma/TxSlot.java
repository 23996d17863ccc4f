package dev.clockwire.nic.dma;

import dev.clockwire.nic.chip.ChipMemory;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.state.Snapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One packet between segmentation and encoder. */
public final class TxSlot {
    /** Place in the pool; the cookie of the slot's reads. */
    final int number;
    /** The packet; its payload is filled by the reads. */
    public RocePacket packet;
    /** What has not come yet: reads, or the result of an atomic. */
    public int pending;
    /** Whether this is the last packet of its message. */
    public boolean last;
    /** Entry of the work request, or whatever the owner needs to find it again. */
    public long entry;
    /** Index of the packet in its message. */
    public int index;
    /** Time at which the payload was asked for, in ps. */
    public long askedPs;
    /** Reads that have come so far, and all before them. */
    int came;
    /** Reads that have come before one that was asked for earlier. */
    final List<DmaRead> early = new ArrayList<>();
    /** Pieces of the device's memory that stand behind reads: address, length, and behind how many reads. */
    private long[] pieceAddress = {};

    private int[] pieceLength = {};
    private int[] pieceBehind = {};
    private int pieces;
    private int nextPiece;
    /** The owner gave the packet up while reads were on their way. */
    boolean dead;
    /** Queue the slot stands in. */
    int queue;
    /** Class of its packet, if classes are held one by one. */
    int trafficClass;

    TxSlot(int number, RocePacket packet) {
        this.number = number;
        this.packet = packet;
    }

    /** Returns the number by which {@link PayloadEngine#slot} finds the slot again. */
    public int number() {
        return number;
    }

    /** Returns the queue the packet stands in. */
    public int queue() {
        return queue;
    }

    /** Returns whether the packet was given up while reads were on their way. */
    public boolean isDead() {
        return dead;
    }

    void begin() {
        pending = 0;
        came = 0;
        pieces = 0;
        nextPiece = 0;
        dead = false;
        early.clear();
    }

    /** Returns whether one that was asked for before this read has not come. */
    boolean isEarly(DmaRead reply) {
        return (int) (reply.cookie >>> Integer.SIZE) != came;
    }

    /** Removes the read that is next and has come, null if it has not. */
    @Nullable
    DmaRead nextEarly() {
        for (int i = 0; i < early.size(); i++) {
            if (!isEarly(early.get(i))) {
                return early.remove(i);
            }
        }
        return null;
    }

    /** Notes a piece that stands behind everything asked for so far. */
    void addPiece(long address, int length) {
        if (pieces == pieceAddress.length) {
            pieceAddress = Arrays.copyOf(pieceAddress, pieces + 4);
            pieceLength = Arrays.copyOf(pieceLength, pieces + 4);
            pieceBehind = Arrays.copyOf(pieceBehind, pieces + 4);
        }
        pieceAddress[pieces] = address;
        pieceLength[pieces] = length;
        pieceBehind[pieces++] = came + pending;
    }

    /** Appends the pieces whose turn it is. */
    void appendPieces(ChipMemory memory) {
        while (nextPiece < pieces && pieceBehind[nextPiece] == came) {
            memory.read(pieceAddress[nextPiece], pieceLength[nextPiece], packet.payload);
            nextPiece++;
        }
    }

    void save(Snapshot out) {
        out.putInt(came);
        out.putInt(pieces - nextPiece);
        for (int i = nextPiece; i < pieces; i++) {
            out.putLong(pieceAddress[i]);
            out.putInt(pieceLength[i]);
            out.putInt(pieceBehind[i]);
        }
        out.putToken(packet);
        out.putInt(pending);
        out.putInt((last ? 1 : 0) | (dead ? 2 : 0));
        out.putLong(entry);
        out.putInt(index);
        out.putLong(askedPs);
        out.putInt(queue);
        out.putInt(trafficClass);
        out.putInt(early.size());
        for (DmaRead r : early) {
            out.putToken(r);
        }
    }

    void load(Snapshot in) {
        begin();
        came = in.getInt();
        for (int n = in.getInt(); n > 0; n--) {
            addPiece(in.getLong(), in.getInt());
            pieceBehind[pieces - 1] = in.getInt();
        }
        packet = (RocePacket) Objects.requireNonNull(in.getToken());
        pending = in.getInt();
        int flags = in.getInt();
        last = (flags & 1) != 0;
        dead = (flags & 2) != 0;
        entry = in.getLong();
        index = in.getInt();
        askedPs = in.getLong();
        queue = in.getInt();
        trafficClass = in.getInt();
        early.clear();
        for (int n = in.getInt(); n > 0; n--) {
            early.add((DmaRead) Objects.requireNonNull(in.getToken()));
        }
    }
}
