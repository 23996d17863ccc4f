package dev.clockwire.pcie.link;

import dev.clockwire.pcie.tlp.FlowClass;

/** The ordering table of the base specification for one traffic class: may the later packet overtake the earlier one. */
public final class OrderingRules {
    private OrderingRules() {}

    /** What the specification says about a pair of packets. */
    public enum Rule {
        /** The later one must be able to pass, or there is a deadlock. */
        MUST,
        /** It may, or may not. */
        MAY,
        /** It must not. */
        NEVER
    }

    /** Returns what the specification says; see {@link #mayPass} for what is done. */
    public static Rule rule(FlowClass later, FlowClass earlier, boolean relaxed, boolean otherStream) {
        boolean released = relaxed || otherStream;
        return switch (later) {
            case POSTED -> earlier == FlowClass.NON_POSTED ? Rule.MUST : mayIf(earlier != later || released);
            case NON_POSTED -> mayIf(earlier != FlowClass.POSTED || otherStream);
            case COMPLETION -> earlier == FlowClass.NON_POSTED ? Rule.MUST : mayIf(earlier == later || released);
        };
    }

    private static Rule mayIf(boolean allowed) {
        return allowed ? Rule.MAY : Rule.NEVER;
    }

    /**
     * Returns whether a packet may pass another one that was submitted before it. Where the specification leaves the choice,
     * packets of one class keep their order and those of different classes may pass.
     *
     * @param later class of the packet that would overtake
     * @param earlier class of the packet that would be overtaken
     * @param relaxed relaxed ordering attribute of the later one
     * @param otherStream whether the later one has the ID-based ordering attribute and comes from another requester
     */
    public static boolean mayPass(FlowClass later, FlowClass earlier, boolean relaxed, boolean otherStream) {
        return later != earlier && rule(later, earlier, relaxed, otherStream) != Rule.NEVER;
    }
}
