package dev.clockwire.bench.artefact;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The stages of operations in their order, as timelines need them: on whose host, and what part of the operation is in them. */
enum FlowStage {
    POST("post", Side.OWN, Role.FRONT),
    DOORBELL_TLP("", Side.OWN, Role.FRONT),
    DOORBELL("doorbell", Side.OWN, Role.FRONT),
    SQ_WAIT("sq_wait", Side.OWN, Role.FRONT),
    FETCH_TLP("", Side.OWN, Role.FRONT),
    WQE_FETCH("wqe_fetch", Side.OWN, Role.FRONT),
    PARSE("parse", Side.OWN, Role.FRONT),
    QPC_FETCH("qpc_fetch", Side.OWN, Role.FRONT),
    LOOKUP("lookup", Side.OWN, Role.FRONT),
    PAYLOAD_TLP("", Side.OWN, Role.TO_REQUEST),
    PAYLOAD_DMA("payload_dma", Side.OWN, Role.TO_REQUEST),
    ASSEMBLY("assembly", Side.OWN, Role.TO_REQUEST),
    TX_MAC("tx_mac", Side.OWN, Role.TO_REQUEST),
    WIRE("wire", Side.OWN, Role.REQUEST),
    SWITCH("switch", Side.BETWEEN, Role.FROM_REQUEST),
    RX_PARSE("rx_parse", Side.PEER, Role.FROM_REQUEST),
    RX_DMA_TLP("", Side.PEER, Role.FROM_REQUEST),
    RX_DMA("rx_dma", Side.PEER, Role.FROM_REQUEST),
    RESPONDER_TLP("", Side.PEER, Role.TO_RESPONSE),
    RESPONDER_DMA("responder_dma", Side.PEER, Role.TO_RESPONSE),
    RESPONSE_ASSEMBLY("response_assembly", Side.PEER, Role.TO_RESPONSE),
    RESPONSE_TX_MAC("response_tx_mac", Side.PEER, Role.TO_RESPONSE),
    RESPONSE_WIRE("response_wire", Side.PEER, Role.RESPONSE),
    RESPONSE_SWITCH("response_switch", Side.BETWEEN, Role.FROM_RESPONSE),
    RESPONSE_RX_PARSE("response_rx_parse", Side.OWN, Role.FROM_RESPONSE),
    RESPONSE_TLP("", Side.OWN, Role.FROM_RESPONSE),
    ACK("ack", Side.PEER, Role.BACK),
    ACK_WIRE("ack_wire", Side.PEER, Role.BACK),
    ACK_SWITCH("ack_switch", Side.BETWEEN, Role.BACK),
    COMPLETION("completion", Side.OWN, Role.BACK),
    CQE_TLP("", Side.OWN, Role.CQE),
    CQE_WRITE("cqe_write", Side.OWN, Role.NONE),
    POLL("poll", Side.OWN, Role.NONE),
    RECV_COMPLETION("recv_completion", Side.PEER, Role.RECEIVE),
    RECV_CQE_TLP("", Side.PEER, Role.RECEIVE_CQE),
    RECV_CQE_WRITE("recv_cqe_write", Side.PEER, Role.NONE),
    RECV_POLL("recv_poll", Side.PEER, Role.NONE),
    OTHER("", Side.OWN, Role.NONE);

    /** Where a stage is. */
    enum Side {
        /** At the host that posted. */
        OWN,
        PEER,
        BETWEEN
    }

    /** What a stage works on. */
    enum Role {
        /** The operation before it has packets. */
        FRONT,
        /** What a request packet is made of. */
        TO_REQUEST,
        /** The packet itself, on the line. */
        REQUEST,
        FROM_REQUEST,
        TO_RESPONSE,
        RESPONSE,
        FROM_RESPONSE,
        /** The operation behind its last packet. */
        BACK,
        CQE,
        /** The receive that the peer had posted. */
        RECEIVE,
        RECEIVE_CQE,
        NONE
    }

    private static final Map<String, FlowStage> BY_NAME = Arrays.stream(values())
            .filter(s -> !s.stage.isEmpty())
            .collect(Collectors.toMap(s -> s.stage, s -> s, (a, b) -> a, TreeMap::new));
    private static final Map<String, FlowStage> TLPS = new TreeMap<>(Map.of(
            "doorbell", DOORBELL_TLP,
            "wqe_fetch", FETCH_TLP,
            "sq_wait", FETCH_TLP,
            "payload_dma", PAYLOAD_TLP,
            "rx_dma", RX_DMA_TLP,
            "responder_dma", RESPONDER_TLP,
            "completion", RESPONSE_TLP,
            "cqe_write", CQE_TLP,
            "recv_cqe_write", RECV_CQE_TLP));

    private final String stage;
    private final Side side;
    private final Role role;

    FlowStage(String stage, Side side, Role role) {
        this.stage = stage;
        this.side = side;
        this.role = role;
    }

    /** Returns the stage of a name, {@link #OTHER} if it is none of an operation's. */
    static FlowStage of(String name) {
        return BY_NAME.getOrDefault(name, OTHER);
    }

    /** Returns what a TLP is that an operation waits for in a stage. */
    static FlowStage ofTlp(String stage) {
        return TLPS.getOrDefault(stage, OTHER);
    }

    Side side() {
        return side;
    }

    Role role() {
        return role;
    }

    /** Whether what is done in it is done for one packet, whose PSN is known. */
    boolean isOfPacket() {
        return role.compareTo(Role.FRONT) > 0 && role.compareTo(Role.BACK) < 0;
    }
}
