package dev.clockwire.pcie.link;

import dev.clockwire.pcie.tlp.FlowClass;

/** The ordering table of the base specification for one traffic class: may the later packet overtake the earlier one. */
public final class OrderingRules {
    private OrderingRules() {}

    /**
     * Returns whether a packet may pass another one that was submitted before it. Where the specification leaves the choice,
     * packets of one class keep their order and those of different classes may pass.
     *
     * @param later class of the packet that would overtake
     * @param earlier class of the packet that would be overtaken
     * @param relaxed relaxed ordering attribute of the later one
     */
    public static boolean mayPass(FlowClass later, FlowClass earlier, boolean relaxed) {
        if (later == earlier) {
            return false;
        }
        return switch (later) {
            case POSTED -> true;
            case NON_POSTED -> earlier == FlowClass.COMPLETION;
            case COMPLETION -> earlier == FlowClass.NON_POSTED || relaxed;
        };
    }
}
