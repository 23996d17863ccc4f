package dev.clockwire.roce.verbs;

import dev.clockwire.roce.transport.WrOpcode;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One piece of work for a send queue ({@code ibv_send_wr}). For hot loops there is {@link SendBatch}.
 *
 * @param wrId a number for the completion
 * @param opcode the operation
 * @param flags how it is done
 * @param sges local memory: source of SEND and WRITE, target of READ and atomics
 * @param remoteAddress not for SEND
 * @param rkey remote key, or the new key of a window of type 2; not for SEND
 * @param immOrKey immediate data in wire order, or the key to invalidate, the peer's or the own one
 * @param swapAdd value to swap in or to add
 * @param compare value to compare with
 * @param ah UD: the way to the receiver
 * @param remoteQpn UD: queue pair number of the receiver
 * @param remoteQkey UD: queue key of the receiver
 * @param bind BIND_MW: what the window opens
 */
public record SendWorkRequest(
        long wrId,
        WrOpcode opcode,
        Set<SendFlag> flags,
        List<ScatterGather> sges,
        long remoteAddress,
        int rkey,
        int immOrKey,
        long swapAdd,
        long compare,
        @Nullable AddressHandle ah,
        int remoteQpn,
        int remoteQkey,
        @Nullable MwBind bind) {

    /** Copies the collections. */
    public SendWorkRequest {
        flags = Collections.unmodifiableSet(enumSet(flags));
        sges = List.copyOf(sges);
    }

    private static Set<SendFlag> enumSet(Set<SendFlag> flags) {
        Set<SendFlag> copy = EnumSet.noneOf(SendFlag.class);
        copy.addAll(flags);
        return copy;
    }

    private static SendWorkRequest of(
            long wrId, WrOpcode opcode, List<ScatterGather> sges, long remote, int rkey, int imm) {
        Set<SendFlag> signaled = EnumSet.of(SendFlag.SIGNALED);
        return new SendWorkRequest(wrId, opcode, signaled, sges, remote, rkey, imm, 0, 0, null, 0, 0, null);
    }

    /** Returns a signalled SEND. */
    public static SendWorkRequest send(long wrId, ScatterGather... sges) {
        return of(wrId, WrOpcode.SEND, List.of(sges), 0, 0, 0);
    }

    /** Returns a signalled SEND with immediate data in wire order. */
    public static SendWorkRequest sendWithImm(long wrId, int imm, ScatterGather... sges) {
        return of(wrId, WrOpcode.SEND_WITH_IMM, List.of(sges), 0, 0, imm);
    }

    /** Returns a signalled SEND that invalidates a key of the peer. */
    public static SendWorkRequest sendWithInv(long wrId, int key, ScatterGather... sges) {
        return of(wrId, WrOpcode.SEND_WITH_INV, List.of(sges), 0, 0, key);
    }

    /** Returns a signalled WRITE. */
    public static SendWorkRequest write(long wrId, long remoteAddress, int rkey, ScatterGather... sges) {
        return of(wrId, WrOpcode.RDMA_WRITE, List.of(sges), remoteAddress, rkey, 0);
    }

    /** Returns a signalled WRITE with immediate data in wire order. */
    public static SendWorkRequest writeWithImm(
            long wrId, long remoteAddress, int rkey, int imm, ScatterGather... sges) {
        return of(wrId, WrOpcode.RDMA_WRITE_WITH_IMM, List.of(sges), remoteAddress, rkey, imm);
    }

    /** Returns a signalled READ. */
    public static SendWorkRequest read(long wrId, long remoteAddress, int rkey, ScatterGather... sges) {
        return of(wrId, WrOpcode.RDMA_READ, List.of(sges), remoteAddress, rkey, 0);
    }

    /** Returns a signalled compare and swap; the old value goes to 8 bytes of local memory. */
    public static SendWorkRequest compareAndSwap(
            long wrId, long remoteAddress, int rkey, long compare, long swap, ScatterGather result) {
        return of(wrId, WrOpcode.ATOMIC_CMP_AND_SWP, List.of(result), remoteAddress, rkey, 0)
                .withOperands(swap, compare);
    }

    /** Returns a signalled fetch and add; the old value goes to 8 bytes of local memory. */
    public static SendWorkRequest fetchAndAdd(long wrId, long remoteAddress, int rkey, long add, ScatterGather result) {
        return of(wrId, WrOpcode.ATOMIC_FETCH_AND_ADD, List.of(result), remoteAddress, rkey, 0)
                .withOperands(add, 0);
    }

    /** Returns the signalled invalidation of an own key. */
    public static SendWorkRequest localInv(long wrId, int key) {
        return of(wrId, WrOpcode.LOCAL_INV, List.of(), 0, 0, key);
    }

    /** Returns the signalled binding of a window of type 2, which gets the key {@code rkey}. */
    public static SendWorkRequest bindMw(long wrId, int rkey, MwBind bind) {
        SendWorkRequest wr = of(wrId, WrOpcode.BIND_MW, List.of(), 0, rkey, 0);
        return new SendWorkRequest(wrId, wr.opcode, wr.flags, wr.sges, 0, rkey, 0, 0, 0, null, 0, 0, bind);
    }

    private SendWorkRequest withOperands(long first, long second) {
        return new SendWorkRequest(
                wrId,
                opcode,
                flags,
                sges,
                remoteAddress,
                rkey,
                immOrKey,
                first,
                second,
                ah,
                remoteQpn,
                remoteQkey,
                bind);
    }

    /** Returns a copy with exactly these flags. */
    public SendWorkRequest withFlags(SendFlag... exactly) {
        Set<SendFlag> set = EnumSet.noneOf(SendFlag.class);
        set.addAll(List.of(exactly));
        return new SendWorkRequest(
                wrId,
                opcode,
                set,
                sges,
                remoteAddress,
                rkey,
                immOrKey,
                swapAdd,
                compare,
                ah,
                remoteQpn,
                remoteQkey,
                bind);
    }

    /** Returns a copy for a datagram receiver. */
    public SendWorkRequest to(AddressHandle handle, int qpn, int qkey) {
        return new SendWorkRequest(
                wrId, opcode, flags, sges, remoteAddress, rkey, immOrKey, swapAdd, compare, handle, qpn, qkey, bind);
    }
}
