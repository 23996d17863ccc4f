package dev.clockwire.testkit.nic;

import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.MemoryWindow;
import dev.clockwire.roce.verbs.MwBind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Set;

/** The windows of one direction of a pair: what the sender may do with its own, and the keys that its peer has opened for it. */
final class Windows {
    /** Keys that the peer opens. */
    static final int OPEN = 3;

    static final Set<AccessFlag> WRITE = EnumSet.of(AccessFlag.REMOTE_WRITE);
    private static final int LENGTH = 100;

    private final MemoryWindow own;
    private final MemoryRegion region;
    private final Deque<Integer> open = new ArrayDeque<>();
    private int key;
    private boolean bound;

    Windows(MemoryWindow own, MemoryRegion region) {
        this.own = own;
        this.region = region;
        key = own.rkey();
    }

    void open(int of) {
        open.add(of);
    }

    boolean isOpen() {
        return !open.isEmpty();
    }

    /** Returns a key by which the sender may write. */
    int key() {
        return open.getFirst();
    }

    /** Returns the key that the sender takes away from its peer. */
    int takeAway() {
        return open.removeFirst();
    }

    /** Makes a work request the next change of the own window: bound, and not bound any more, in turn. */
    void change(Work w) {
        bound = !bound;
        if (bound) {
            key = MemoryWindow.incRkey(key);
            w.opcode = WrOpcode.BIND_MW;
            w.rkey = key;
            w.bind = new MwBind(own, region, region.address(), LENGTH, WRITE);
        } else {
            w.opcode = WrOpcode.LOCAL_INV;
            w.immOrKey = key;
        }
    }
}
