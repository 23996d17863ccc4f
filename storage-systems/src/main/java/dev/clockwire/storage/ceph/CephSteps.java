package dev.clockwire.storage.ceph;

import dev.clockwire.storage.load.StepOrder;

/** How the steps of an operation of Ceph follow each other: the primary writes beside the replicas, and the last to be durable counts. */
final class CephSteps {
    static final StepOrder ORDER = reads(writes(new StepOrder(CephSteps::role)
            .tries("send", "@: begin")
            .arrives("answered", "answer to @", "reply", "read.answer")));

    private CephSteps() {}

    private static String role(int place, int machines, boolean write) {
        return place == 0 ? "primary" : "replica";
    }

    private static StepOrder writes(StepOrder o) {
        return o.arrives("received", "request to @", "send")
                .follows("execute", "@: wait for object lock")
                .next("repop", "@: checksum and forward")
                .arrives("replicate", "request to @", "repop")
                .follows("transaction", "@: checksum")
                .next("commit", "@: SSD write")
                .next("repop.answer", "@: answer")
                .beside("repop.reply", "answer to @", "repop.answer")
                .joins("reply", "@: answer");
    }

    private static StepOrder reads(StepOrder o) {
        return o.arrives("read", "request to @", "send")
                .follows("read.disk", "@: wait for object lock")
                .follows("read.done", "@: SSD read")
                .follows("read.answer", "@: checksum and answer");
    }
}
