package dev.clockwire.nvme.format;

/** Opcodes. Their lowest two bits say where data go: 0 none, 1 to the controller, 2 to the host, 3 both. */
public final class Opcodes {
    /** Admin: delete an I/O submission queue. */
    public static final int DELETE_SQ = 0x00;
    /** Admin: create an I/O submission queue. */
    public static final int CREATE_SQ = 0x01;
    /** Admin: get a log page. */
    public static final int GET_LOG_PAGE = 0x02;
    /** Admin: delete an I/O completion queue. */
    public static final int DELETE_CQ = 0x04;
    /** Admin: create an I/O completion queue. */
    public static final int CREATE_CQ = 0x05;
    /** Admin: identify. */
    public static final int IDENTIFY = 0x06;
    /** Admin: abort. */
    public static final int ABORT = 0x08;
    /** Admin: set features. */
    public static final int SET_FEATURES = 0x09;
    /** Admin: get features. */
    public static final int GET_FEATURES = 0x0A;
    /** Admin: asynchronous event request. */
    public static final int ASYNC_EVENT = 0x0C;
    /** Admin: keep alive. */
    public static final int KEEP_ALIVE = 0x18;
    /** Fabrics, on both kinds of queues. */
    public static final int FABRICS = 0x7F;

    /** I/O: flush. */
    public static final int FLUSH = 0x00;
    /** I/O: write. */
    public static final int WRITE = 0x01;
    /** I/O: read. */
    public static final int READ = 0x02;
    /** I/O: make blocks unreadable. */
    public static final int WRITE_UNCORRECTABLE = 0x04;
    /** I/O: compare. */
    public static final int COMPARE = 0x05;
    /** I/O: write zeroes. */
    public static final int WRITE_ZEROES = 0x08;
    /** I/O: dataset management. */
    public static final int DSM = 0x09;
    /** I/O: verify. */
    public static final int VERIFY = 0x0C;

    private Opcodes() {}

    /** Whether data go to the controller. */
    public static boolean toController(int opcode) {
        return (opcode & 3) == 1;
    }

    /** Whether data go to the host. */
    public static boolean toHost(int opcode) {
        return (opcode & 3) == 2;
    }
}
