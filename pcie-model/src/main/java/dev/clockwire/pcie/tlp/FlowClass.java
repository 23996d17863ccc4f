package dev.clockwire.pcie.tlp;

/** The three flow-control classes of a virtual channel; each has header and data credits of its own. */
public enum FlowClass {
    /** Memory writes and messages: nobody answers. */
    POSTED(0),
    /** Everything that expects a completion. */
    NON_POSTED(1),
    /** Cpl and CplD. */
    COMPLETION(2);

    /** Number of classes. */
    public static final int COUNT = 3;

    private final int index;

    FlowClass(int index) {
        this.index = index;
    }

    /** Returns the number of the class, from 0: an index of arrays and the kind of events. */
    public int index() {
        return index;
    }
}
