package dev.clockwire.storage.hoststack.kernel;

/** The way of an I/O through two kernels; each instant belongs to one stage. */
public enum IoStage {
    /** System call, block layer, driver and protocol of the host, until the NIC hears of it. */
    POST(0, "post"),
    /** NICs and wire, until the interrupt at the target or the poll that finds it. */
    REQUEST_WIRE(1, "request_wire"),
    /** Interrupt, softirq, switch to the work of the target. */
    TARGET_WAKE(2, "target_wake"),
    /** The target reads the command and hands it to the SSD. */
    TARGET_SUBMIT(3, "target_submit"),
    /** The SSD, until its interrupt. */
    SSD(4, "ssd"),
    /** The target ends the I/O and answers, until its NIC hears of it. */
    TARGET_RESPOND(5, "target_respond"),
    /** NICs and wire, until the interrupt at the host or the poll that finds it. */
    RESPONSE_WIRE(6, "response_wire"),
    /** Interrupt, softirq, switch to the work of the host. */
    HOST_WAKE(7, "host_wake"),
    /** The host takes the answer and ends the I/O. */
    HOST_COMPLETE(8, "host_complete"),
    /** Until the program runs and has its answer. */
    WAKEUP(9, "wakeup");

    private final int at;
    private final String text;

    IoStage(int at, String text) {
        this.at = at;
        this.text = text;
    }

    /** Returns its place among them. */
    public int at() {
        return at;
    }

    /** Returns its name in reports. */
    public String text() {
        return text;
    }

    /** Is told when a stage of an I/O has ended. */
    @FunctionalInterface
    public interface Tap {
        /** A stage of the I/O with a tag has ended. */
        void ended(IoStage stage, int tag, long ps);
    }
}
