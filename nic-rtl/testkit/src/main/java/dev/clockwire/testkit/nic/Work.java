package dev.clockwire.testkit.nic;

import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.MwBind;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SgeList;
import org.jspecify.annotations.Nullable;

/** One send work request of a random program; also one receive, which uses the pieces only. */
final class Work {
    WrOpcode opcode = WrOpcode.SEND;
    int flags;
    int length;
    int immOrKey;
    long remote;
    int rkey;
    long swapAdd;
    long compare;
    /** Local pieces: address, length and key of each. */
    long[] address = {};

    int[] bytes = {};
    int lkey;
    /** What a window opens; null for everything but a bind. */
    @Nullable
    MwBind bind;

    void fill(SendEntry e) {
        e.opcode = opcode;
        e.flags = flags;
        e.remoteAddress = remote;
        e.rkey = rkey;
        e.immOrKey = immOrKey;
        e.swapAdd = swapAdd;
        e.compare = compare;
        e.bind = bind;
        fill(e.sges());
    }

    void fill(SgeList sges) {
        for (int i = 0; i < address.length; i++) {
            sges.add(address[i], bytes[i], lkey);
        }
    }

    @Override
    public String toString() {
        return opcode + " of " + length + " bytes in " + address.length + " pieces, flags " + flags;
    }
}
