package dev.clockwire.storage.threefs;

import dev.clockwire.storage.load.StepOrder;

/** How the steps of an operation of 3FS follow each other: down the chain, and back up. */
final class ThreeFsSteps {
    static final StepOrder ORDER = reads(writes(new StepOrder(ThreeFsSteps::role)
            .tries("submit", "@: checksum")
            .next("slot", "@: wait for slot")
            .arrives("answered", "answer to @", "answer", "read.answer", "confirmed")));

    private ThreeFsSteps() {}

    private static String role(int place, int machines, boolean write) {
        if (!write) {
            return "replica";
        }
        if (place == 0) {
            return "head";
        }
        if (place == machines - 1) {
            return "tail";
        }
        return machines == 3 ? "middle" : "middle " + place;
    }

    private static StepOrder writes(StepOrder o) {
        return o.arrives("received", "request to @", "submit", "slot", "forward")
                .follows("channel", "@: route and channel")
                .next("lock", "@: wait for chunk lock")
                .next("buffer", "@: wait for buffer")
                .next("read.posted", "@: RDMA READ")
                .next("read.done", "@: RDMA READ")
                .next("landed", "@: wait for data")
                .next("store", "@: checksum")
                .next("written", "@: SSD write")
                .follows("forward", "@: forward")
                .arrives("successor", "answer to @", "answer")
                .next("unanswered", "@: wait in vain for an answer")
                .follows("commit", "@: SSD commit")
                .follows("answer", "@: answer")
                .arrives("confirmed", "written and confirmed along the chain", "submit");
    }

    private static StepOrder reads(StepOrder o) {
        return o.arrives("read", "request to @", "submit")
                .follows("told", "@: ask the tail")
                .follows("buffer", "@: wait for buffer")
                .next("read.disk", "@: SSD read")
                .next("permit", "@: wait for permit")
                .next("sent", "@: RDMA WRITE")
                .follows("read.answer", "@: answer");
    }
}
