package dev.clockwire.storage.daos;

import dev.clockwire.storage.load.StepOrder;

/** How the steps of an operation of DAOS follow each other: the leader writes beside the replicas, and the last to be prepared counts. */
final class DaosSteps {
    static final StepOrder ORDER = reads(writes(clients(new StepOrder(DaosSteps::role))));

    private DaosSteps() {}

    private static String role(int place, int machines, boolean write) {
        if (!write) {
            return "engine";
        }
        return place == 0 ? "leader" : "replica";
    }

    private static StepOrder clients(StepOrder o) {
        return o.next("submit", "@: begin")
                .next("digest", "@: checksum")
                .next("handle", "@: register memory")
                .tries("ask", "@: copy")
                .arrives("answered", "answer to @", "answer", "fetch.answer")
                .follows("released", "@: release memory")
                .follows("done", "@: checksum");
    }

    private static StepOrder writes(StepOrder o) {
        return o.arrives("received", "request to @", "ask", "forward")
                .follows("dispatch", "@: dispatch")
                .next("forward", "@: forward")
                .follows("buffer", "@: wait for buffer")
                .next("pull", "@: RDMA READ")
                .next("pulled", "@: RDMA READ")
                .next("data", "@: checksum")
                .next("data.done", "@: SSD write")
                .next("persist", "@: copy to SCM")
                .next("prepared", "@: SCM transaction")
                .follows("reply", "@: answer")
                .beside("replica", "answer to @", "reply")
                .joins("committable", "@: answer")
                .follows("answer", "@: answer");
    }

    private static StepOrder reads(StepOrder o) {
        return o.arrives("fetch", "request to @", "ask")
                .follows("read.scm", "@: SCM read")
                .follows("read.ssd", "@: SSD read")
                .next("put.done", "@: RDMA WRITE")
                .follows("fetch.answer", "@: answer");
    }
}
