package dev.clockwire.sim.fault;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.Locale;

/** What a fault does. */
public sealed interface FaultAction {
    /** An action on one frame, done by the sending end of a link. */
    sealed interface OnFrame extends FaultAction {}

    /** The frame never arrives. */
    record Drop() implements OnFrame {}

    /**
     * One bit of the frame arrives flipped, as from a switch's memory: the Ethernet frame check sequence is right again.
     *
     * @param bit 0 is the first bit sent of the first byte of the destination MAC, counted on to the last of the ICRC; a frame without
     *     such a bit is not hit. {@link #ANY_BIT} draws one for each frame
     */
    record Corrupt(int bit) implements OnFrame {
        /** A bit drawn for each frame. */
        public static final int ANY_BIT = -1;

        /** Checks the range. */
        public Corrupt {
            if (bit < ANY_BIT) {
                throw new ConfigurationException("bit " + bit + " of a frame: must be 0 or more, or -1 for any");
            }
        }
    }

    /** The frame is on the line twice, one right behind the other. */
    record Duplicate() implements OnFrame {}

    /** The frame arrives behind the next one of its direction, or when the rule's duration (10 us if none is given) is over. One is held at a time. */
    record Reorder() implements OnFrame {}

    /** The frame arrives later by the rule's duration, 10 us if none is given; frames behind it may overtake it. */
    record Delay() implements OnFrame {}

    /**
     * No frame passes in either direction; for ever if the rule says not how long.
     *
     * @param link name of the link
     */
    record LinkDown(String link) implements FaultAction {}

    /**
     * Something happens to a node.
     *
     * @param what happens
     * @param node name of the node
     */
    record OnNode(NodeFault what, String node) implements FaultAction {}

    /**
     * Something happens to packets on the link between a host and its device, which their numbers choose.
     *
     * @param what happens
     * @param node name of the host
     * @param toHost whether the host's end receives them, else the device's
     * @param type which are counted, as the specification spells it (CplD); empty for all
     */
    record OnPacket(PacketFault what, String node, boolean toHost, String type) implements FaultAction {}

    /**
     * Nothing passes between two nodes for the rule's duration, for ever if it has none; both reach everybody else.
     *
     * @param node one
     * @param other the other
     */
    record Partition(String node, String other) implements FaultAction {}

    /** What can happen to a packet between host and device. */
    enum PacketFault {
        /** It is gone, and what it asked for never comes. */
        DROP,
        /** It is taken later by the rule's duration, 10 us if none is given. */
        DELAY,
        /** Its data are marked as wrong. */
        POISON,
        /** It breaks a rule of the format. */
        MALFORM,
        /** It is answered with UR: unsupported request. */
        UR,
        /** It is answered with CA: completer abort. */
        CA,
        /** It arrives with a wrong bit, and is sent again. */
        CORRUPT_TLP,
        /** A packet of the data link layer arrives with a wrong bit. */
        CORRUPT_DLLP
    }

    /** What can happen to a node. */
    enum NodeFault {
        /** It is gone, with all it had in memory that does not last. */
        CRASH,
        /** It is gone and comes back after the rule's restart time. */
        RESTART,
        /** It does nothing for the rule's duration and then goes on. */
        PAUSE,
        /** Its device forgets its state; after the rule's restart time it can be opened again. */
        RESET,
        /**
         * A fault of firmware: a completion is written behind the next one of its queue, or when the rule's duration (10 us if none is given) is
         * over. One is held at a time; triggers count completions.
         */
        CQE_ORDER,
        /** Its disk is slow. */
        DISK_SLOW,
        /** Its disk reports errors. */
        DISK_ERROR;

        /** Returns the name in lower case. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
