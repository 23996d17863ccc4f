package dev.clockwire.nic.format;

/** Opcodes of the WQE's control segment, as mlx5 numbers them. */
public final class WqeOpcode {
    /** No operation. */
    public static final int NOP = 0x00;
    /** SEND with invalidate. */
    public static final int SEND_INVAL = 0x01;
    /** RDMA WRITE. */
    public static final int RDMA_WRITE = 0x08;
    /** RDMA WRITE with immediate. */
    public static final int RDMA_WRITE_IMM = 0x09;
    /** SEND. */
    public static final int SEND = 0x0A;
    /** SEND with immediate. */
    public static final int SEND_IMM = 0x0B;
    /** Stands until a completion queue has come so far. */
    public static final int WAIT = 0x0F;
    /** RDMA READ. */
    public static final int RDMA_READ = 0x10;
    /** Compare and swap. */
    public static final int ATOMIC_CS = 0x11;
    /** Fetch and add. */
    public static final int ATOMIC_FA = 0x12;

    /** Releases sends of another queue pair. */
    public static final int SEND_EN = 0x17;

    /** Invalidation of an own key. */
    public static final int LOCAL_INVAL = 0x1B;
    /** Binding of a window. */
    public static final int UMR = 0x25;

    private WqeOpcode() {}

    /** Whether the device does it alone, without a packet. */
    public static boolean isLocal(int opcode) {
        return opcode == LOCAL_INVAL || opcode == UMR || opcode == WAIT || opcode == SEND_EN;
    }

    /** Whether a remote-address segment follows the control segment. */
    public static boolean hasRemoteAddress(int opcode) {
        return switch (opcode) {
            case RDMA_WRITE, RDMA_WRITE_IMM, RDMA_READ, ATOMIC_CS, ATOMIC_FA -> true;
            default -> false;
        };
    }

    /** Whether the operation is an atomic. */
    public static boolean isAtomic(int opcode) {
        return opcode == ATOMIC_CS || opcode == ATOMIC_FA;
    }

    /** Whether the requester gathers payload from its own memory. */
    public static boolean carriesPayload(int opcode) {
        return switch (opcode) {
            case SEND_INVAL, RDMA_WRITE, RDMA_WRITE_IMM, SEND, SEND_IMM -> true;
            default -> false;
        };
    }
}
