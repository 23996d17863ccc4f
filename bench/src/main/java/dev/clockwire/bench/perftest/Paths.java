package dev.clockwire.bench.perftest;

import dev.clockwire.roce.transport.QpType;
import dev.clockwire.sim.trace.StageChain;

/** The stages that the tools' operations pass, in order. Stages that a run does not have are left out by themselves. */
final class Paths {
    private static final String[] FRONT = {"post", "doorbell", "sq_wait", "wqe_fetch", "parse", "qpc_fetch", "lookup"};
    private static final String[] BACK = {"completion", "cqe_write", "poll"};

    /** Something is on its way, or one block after the other works on it. */
    private static final String[] CARRIED = {
        "doorbell",
        "qpc_fetch",
        "lookup",
        "wire",
        "switch",
        "rx_parse",
        "rx_dma",
        "responder_dma",
        "response_wire",
        "response_switch",
        "response_rx_parse",
        "ack",
        "ack_wire",
        "ack_switch",
        "completion",
        "cqe_write",
        "recv_completion",
        "recv_cqe_write"
    };

    private Paths() {}

    /** Returns the path from the post to the poll of the operation's own completion. */
    static StageChain toCompletion(Verb verb, QpType connection) {
        StageChain chain = new StageChain().once(FRONT).packets("payload_dma");
        if (verb.isRoundTrip()) {
            chain.feed("assembly", "tx_mac").deliver("wire", "switch", "rx_parse");
            chain.packets("responder_dma")
                    .feed("response_assembly", "response_tx_mac")
                    .deliver("response_wire", "response_switch", "response_rx_parse");
        } else if (connection == QpType.RC) {
            chain.feed("assembly", "tx_mac")
                    .deliver("wire", "switch", "rx_parse")
                    .once("ack", "ack_wire", "ack_switch");
        } else {
            // done when the last packet has begun to leave
            chain.feed("assembly").deliver("tx_mac");
        }
        return named(chain.once(BACK));
    }

    /** Returns the path from the post to the peer's program. */
    static StageChain toPeer() {
        return named(new StageChain()
                        .once(FRONT)
                        .packets("payload_dma")
                        .feed("assembly", "tx_mac")
                        .deliver("wire", "switch", "rx_parse")
                        .once("rx_dma", "recv_completion", "recv_cqe_write", "recv_poll"))
                .shown("recv_poll", "poll");
    }

    private static StageChain named(StageChain chain) {
        return chain.carried(CARRIED)
                .waits("the rest of its list", "post")
                .waits("the send queue", "sq_wait")
                .waits("fetch_queue", "wqe_fetch")
                .waits("the WQE parser", "parse")
                .waits("the send engine", "payload_dma")
                .waits("the encoder", "assembly", "response_assembly")
                .waits("the MAC", "tx_mac", "response_tx_mac")
                .waits("the next poll", "poll", "recv_poll")
                .inQueue("post", "sq_wait", "payload_dma", "assembly");
    }
}
