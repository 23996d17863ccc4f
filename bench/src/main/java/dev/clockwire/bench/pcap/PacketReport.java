package dev.clockwire.bench.pcap;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One RoCE frame. QPs, PSNs, keys, addresses and syndromes are hexadecimal text; what the frame does not have is null and
 * does not appear in JSON.
 *
 * @param frame number of the frame in the file, from 1 on, other protocols counted too
 * @param timeNs time of the frame in ns since the capture's epoch
 * @param src source IP address
 * @param dst destination IP address
 * @param length bytes that the frame had on the wire, without FCS
 * @param opcode name of the opcode; its number if it has no name
 * @param pad pad bytes
 * @param icrc {@code good} or {@code bad}, null if the frame is cut
 * @param payloadLen payload in bytes without padding
 * @param imm immediate data
 * @param ieth key to invalidate
 * @param cm the message of the connection manager in it, field by field
 * @param error what is wrong with the frame
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PacketReport(
        long frame,
        long timeNs,
        String src,
        String dst,
        long length,
        @Nullable String opcode,
        @Nullable String destQp,
        @Nullable String psn,
        @Nullable Boolean ackReq,
        @Nullable Boolean solicited,
        @Nullable Integer pad,
        @Nullable String pkey,
        @Nullable String icrc,
        @Nullable Integer payloadLen,
        @Nullable Reth reth,
        @Nullable Aeth aeth,
        @Nullable AtomicEth atomicEth,
        @Nullable AtomicAck atomicAck,
        @Nullable String imm,
        @Nullable String ieth,
        @Nullable Deth deth,
        @Nullable Map<String, Object> cm,
        @Nullable String error) {

    /** RDMA extended header; {@code dmaLen} in bytes. */
    public record Reth(String va, String rkey, long dmaLen) {}

    /** Acknowledge extended header. */
    public record Aeth(String syndrome, int msn) {}

    /** Atomic extended header. */
    public record AtomicEth(String va, String rkey, String swapAdd, String compare) {}

    /** Atomic acknowledge extended header. */
    public record AtomicAck(String original) {}

    /** Datagram extended header. */
    public record Deth(String qkey, String srcQp) {}
}
