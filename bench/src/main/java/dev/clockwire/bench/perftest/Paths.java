package dev.clockwire.bench.perftest;

import dev.clockwire.bench.explain.StageChain;
import dev.clockwire.roce.transport.QpType;

/** The stages that the tools' operations pass, in order. Stages that a run does not have are left out by themselves. */
final class Paths {
    private static final String[] FRONT = {"post", "doorbell", "wqe_fetch", "parse", "lookup"};
    private static final String[] BACK = {"completion", "cqe_write", "poll"};

    /** Something is on its way, or one block after the other works on it. */
    private static final String[] CARRIED = {
        "doorbell",
        "lookup",
        "wire",
        "rx_parse",
        "rx_dma",
        "responder_dma",
        "response_wire",
        "response_rx_parse",
        "ack",
        "ack_wire",
        "completion",
        "cqe_write",
        "recv_completion",
        "recv_cqe_write"
    };

    private Paths() {}

    /** Returns what an operation waits for that waits in front of a stage. */
    static String waitFor(String stage) {
        return switch (stage) {
            case "wqe_fetch" -> "a WQE fetch";
            case "parse" -> "the WQE parser";
            case "payload_dma" -> "the send engine";
            case "assembly", "response_assembly" -> "the encoder";
            case "tx_mac", "response_tx_mac" -> "the MAC";
            case "poll" -> "the next poll";
            default -> "";
        };
    }

    /** Returns the path from the post to the poll of the operation's own completion. */
    static StageChain toCompletion(Verb verb, QpType connection) {
        StageChain chain = new StageChain().once(FRONT).packets("payload_dma");
        if (verb.isRoundTrip()) {
            chain.feed("assembly", "tx_mac").deliver("wire", "rx_parse");
            chain.packets("responder_dma")
                    .feed("response_assembly", "response_tx_mac")
                    .deliver("response_wire", "response_rx_parse");
        } else if (connection == QpType.RC) {
            chain.feed("assembly", "tx_mac").deliver("wire", "rx_parse").once("ack", "ack_wire");
        } else {
            // done when the last packet has begun to leave
            chain.feed("assembly").deliver("tx_mac");
        }
        return chain.once(BACK).carried(CARRIED);
    }

    /** Returns the path from the post to the peer's program. */
    static StageChain toPeer() {
        return new StageChain()
                .once(FRONT)
                .packets("payload_dma")
                .feed("assembly", "tx_mac")
                .deliver("wire", "rx_parse")
                .once("rx_dma", "recv_completion", "recv_cqe_write", "poll")
                .carried(CARRIED);
    }
}
