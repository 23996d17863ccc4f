package dev.clockwire.nvme.format;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How a command ends: a type and a code. */
public enum NvmeStatus {
    /** 0/00. */
    SUCCESS(0, 0x00, "success"),
    /** 0/01. */
    INVALID_OPCODE(0, 0x01, "invalid command opcode"),
    /** 0/02. */
    INVALID_FIELD(0, 0x02, "invalid field in command"),
    /** 0/03. */
    ID_CONFLICT(0, 0x03, "command identifier conflict"),
    /** 0/04. */
    DATA_TRANSFER_ERROR(0, 0x04, "data transfer error"),
    /** 0/06. */
    INTERNAL_ERROR(0, 0x06, "internal error"),
    /** 0/07. */
    ABORTED(0, 0x07, "command aborted on request"),
    /** 0/08. */
    ABORTED_SQ_DELETED(0, 0x08, "command aborted as its submission queue was deleted"),
    /** 0/09. */
    ABORTED_FUSED_FAILED(0, 0x09, "command aborted as the other of its pair failed"),
    /** 0/0A. */
    ABORTED_FUSED_MISSING(0, 0x0A, "command aborted as the other of its pair is missing"),
    /** 0/0B. */
    INVALID_NAMESPACE(0, 0x0B, "invalid namespace or format"),
    /** 0/0C. */
    SEQUENCE_ERROR(0, 0x0C, "command sequence error"),
    /** 0/0D. */
    SGL_BAD_SEGMENT(0, 0x0D, "invalid SGL segment descriptor"),
    /** 0/0E. */
    SGL_BAD_COUNT(0, 0x0E, "invalid number of SGL descriptors"),
    /** 0/0F. */
    SGL_BAD_LENGTH(0, 0x0F, "data SGL length invalid"),
    /** 0/11. */
    SGL_BAD_TYPE(0, 0x11, "SGL descriptor type invalid"),
    /** 0/12. */
    MEMORY_BUFFER_INVALID(0, 0x12, "invalid use of controller memory buffer"),
    /** 0/13. */
    PRP_BAD_OFFSET(0, 0x13, "PRP offset invalid"),
    /** 0/16. */
    SGL_BAD_OFFSET(0, 0x16, "SGL offset invalid"),
    /** 0/19. */
    KEEP_ALIVE_EXPIRED(0, 0x19, "keep alive timer expired"),
    /** 0/1A. */
    KEEP_ALIVE_INVALID(0, 0x1A, "keep alive timeout invalid"),
    /** 0/22. */
    TRANSIENT_TRANSPORT(0, 0x22, "transient transport error"),
    /** 0/80. */
    LBA_OUT_OF_RANGE(0, 0x80, "LBA out of range"),
    /** 0/81. */
    CAPACITY_EXCEEDED(0, 0x81, "capacity exceeded"),
    /** 0/82. */
    NAMESPACE_NOT_READY(0, 0x82, "namespace not ready"),
    /** 1/00. */
    CQ_INVALID(1, 0x00, "completion queue invalid"),
    /** 1/01. */
    QUEUE_ID_INVALID(1, 0x01, "invalid queue identifier"),
    /** 1/02. */
    QUEUE_SIZE_INVALID(1, 0x02, "invalid queue size"),
    /** 1/03. */
    ABORT_LIMIT(1, 0x03, "abort command limit exceeded"),
    /** 1/05. */
    EVENT_LIMIT(1, 0x05, "asynchronous event request limit exceeded"),
    /** 1/08. */
    VECTOR_INVALID(1, 0x08, "invalid interrupt vector"),
    /** 1/09. */
    LOG_PAGE_INVALID(1, 0x09, "invalid log page"),
    /** 1/0C. */
    QUEUE_DELETION_INVALID(1, 0x0C, "invalid queue deletion"),
    /** 1/0D. */
    FEATURE_NOT_SAVEABLE(1, 0x0D, "feature identifier not saveable"),
    /** 1/0E. */
    FEATURE_NOT_CHANGEABLE(1, 0x0E, "feature not changeable"),
    /** 1/0F. */
    FEATURE_NOT_OF_NAMESPACE(1, 0x0F, "feature not namespace specific"),
    /** 1/80. */
    CONNECT_BAD_FORMAT(1, 0x80, "connect: incompatible format"),
    /** 1/81; of Connect it says that the controller is busy. */
    INVALID_PROTECTION(1, 0x81, "invalid protection information, or connect: controller busy"),
    /** 1/82. */
    CONNECT_INVALID(1, 0x82, "connect: invalid parameters"),
    /** 1/83. */
    CONNECT_RESTART_DISCOVERY(1, 0x83, "connect: restart discovery"),
    /** 1/84. */
    CONNECT_INVALID_HOST(1, 0x84, "connect: invalid host"),
    /** 1/91. */
    AUTHENTICATION_REQUIRED(1, 0x91, "authentication required"),
    /** 2/80. */
    WRITE_FAULT(2, 0x80, "write fault"),
    /** 2/81. */
    UNRECOVERED_READ(2, 0x81, "unrecovered read error"),
    /** 2/85. */
    COMPARE_FAILURE(2, 0x85, "compare failure"),
    /** 2/86. */
    ACCESS_DENIED(2, 0x86, "access denied"),
    /** 2/87. */
    UNWRITTEN_BLOCK(2, 0x87, "deallocated or unwritten block"),
    /** 3/00. */
    PATH_INTERNAL(3, 0x00, "internal path error"),
    /** 3/60. */
    CONTROLLER_PATH(3, 0x60, "controller path error"),
    /** 3/70. */
    HOST_PATH(3, 0x70, "host path error"),
    /** 3/71. */
    ABORTED_BY_HOST(3, 0x71, "command aborted by host");

    /** In a status: more about it is in the error log. */
    public static final int MORE = 1 << 13;
    /** In a status: the command would fail again. */
    public static final int DO_NOT_RETRY = 1 << 14;

    private static final NvmeStatus[] ALL = values();
    private static final int TYPE_SHIFT = 8;

    private final int type;
    private final int code;
    private final String text;

    NvmeStatus(int type, int code, String text) {
        this.type = type;
        this.code = code;
        this.text = text;
    }

    /** Returns type and code in one number, as a completion holds them. */
    public int code() {
        return type << TYPE_SHIFT | code;
    }

    /** Returns what it says in words. */
    public String text() {
        return text;
    }

    /** Returns the status of a number, null if it has no name here. */
    public static @Nullable NvmeStatus of(int code) {
        for (NvmeStatus s : ALL) {
            if (s.code() == code) {
                return s;
            }
        }
        return null;
    }

    /** Returns a number as the specification writes it, with its words: {@code 0/80 LBA out of range}. */
    public static String describe(int code) {
        NvmeStatus known = of(code);
        String number = String.format(Locale.ROOT, "%d/%02X", code >> TYPE_SHIFT & 7, code & 0xFF);
        return known == null ? number : number + " " + known.text;
    }
}
