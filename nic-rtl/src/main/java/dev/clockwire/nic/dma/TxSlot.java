package dev.clockwire.nic.dma;

import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.state.Snapshot;
import java.util.Objects;

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
    /** The owner gave the packet up while reads were on their way. */
    boolean dead;
    /** Queue the slot stands in. */
    int queue;

    TxSlot(int number, RocePacket packet) {
        this.number = number;
        this.packet = packet;
    }

    /** Returns the number by which {@link PayloadEngine#slot} finds the slot again. */
    public int number() {
        return number;
    }

    void save(Snapshot out) {
        out.putToken(packet);
        out.putInt(pending);
        out.putInt((last ? 1 : 0) | (dead ? 2 : 0));
        out.putLong(entry);
        out.putInt(index);
        out.putLong(askedPs);
        out.putInt(queue);
    }

    void load(Snapshot in) {
        packet = (RocePacket) Objects.requireNonNull(in.getToken());
        pending = in.getInt();
        int flags = in.getInt();
        last = (flags & 1) != 0;
        dead = (flags & 2) != 0;
        entry = in.getLong();
        index = in.getInt();
        askedPs = in.getLong();
        queue = in.getInt();
    }
}
