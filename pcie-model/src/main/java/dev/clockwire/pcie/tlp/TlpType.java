package dev.clockwire.pcie.tlp;

import org.jspecify.annotations.Nullable;

/** The packet types of the transaction layer, with the codes of the header's first byte. */
public enum TlpType {
    /** Memory read request. */
    MRD("MRd", 0b00000, false, FlowClass.NON_POSTED),
    /** Memory write request. */
    MWR("MWr", 0b00000, true, FlowClass.POSTED),
    /** Locked memory read request. */
    MRDLK("MRdLk", 0b00001, false, FlowClass.NON_POSTED),
    /** I/O read request. */
    IORD("IORd", 0b00010, false, FlowClass.NON_POSTED),
    /** I/O write request. */
    IOWR("IOWr", 0b00010, true, FlowClass.NON_POSTED),
    /** Configuration read of the device on this bus. */
    CFGRD0("CfgRd0", 0b00100, false, FlowClass.NON_POSTED),
    /** Configuration write of the device on this bus. */
    CFGWR0("CfgWr0", 0b00100, true, FlowClass.NON_POSTED),
    /** Configuration read that a bridge forwards. */
    CFGRD1("CfgRd1", 0b00101, false, FlowClass.NON_POSTED),
    /** Configuration write that a bridge forwards. */
    CFGWR1("CfgWr1", 0b00101, true, FlowClass.NON_POSTED),
    /** Message without data; the low three type bits route it. */
    MSG("Msg", 0b10000, false, FlowClass.POSTED),
    /** Message with data. */
    MSGD("MsgD", 0b10000, true, FlowClass.POSTED),
    /** Completion without data. */
    CPL("Cpl", 0b01010, false, FlowClass.COMPLETION),
    /** Completion with data. */
    CPLD("CplD", 0b01010, true, FlowClass.COMPLETION),
    /** Completion of a locked read without data, that is with an error. */
    CPLLK("CplLk", 0b01011, false, FlowClass.COMPLETION),
    /** Completion of a locked read. */
    CPLDLK("CplDLk", 0b01011, true, FlowClass.COMPLETION),
    /** Atomic fetch and add. */
    FETCH_ADD("FetchAdd", 0b01100, true, FlowClass.NON_POSTED),
    /** Atomic unconditional swap. */
    SWAP("Swap", 0b01101, true, FlowClass.NON_POSTED),
    /** Atomic compare and swap. */
    CAS("CAS", 0b01110, true, FlowClass.NON_POSTED);

    private static final @Nullable TlpType[] BY_FIRST_BYTE = byFirstByte();

    private final String label;
    private final int code;
    private final boolean data;
    private final FlowClass flowClass;

    TlpType(String label, int code, boolean data, FlowClass flowClass) {
        this.label = label;
        this.code = code;
        this.data = data;
        this.flowClass = flowClass;
    }

    /** Returns the specification's spelling, such as CplD. */
    public String label() {
        return label;
    }

    /** Returns the five type bits; the routing bits of a message are zero here. */
    public int code() {
        return code;
    }

    /** Returns whether data follows the header. */
    public boolean hasData() {
        return data;
    }

    /** Returns the credits that the packet uses. */
    public FlowClass flowClass() {
        return flowClass;
    }

    /** Returns whether the packet is a Cpl or CplD of any kind. */
    public boolean isCompletion() {
        return flowClass == FlowClass.COMPLETION;
    }

    /** Returns whether the packet is routed by a memory address: reads, writes and atomics. */
    public boolean isMemory() {
        return this == MRD || this == MWR || this == MRDLK || isAtomic();
    }

    /** Returns whether the packet is a FetchAdd, Swap or CAS. */
    public boolean isAtomic() {
        return this == FETCH_ADD || this == SWAP || this == CAS;
    }

    /** Returns whether the packet is a configuration request. */
    public boolean isConfiguration() {
        return code == 0b00100 || code == 0b00101;
    }

    /** Returns whether the packet is an I/O request. */
    public boolean isIo() {
        return code == 0b00010;
    }

    /** Returns whether the packet is a Msg or MsgD. */
    public boolean isMessage() {
        return this == MSG || this == MSGD;
    }

    /**
     * Finds the type by the first byte of a header.
     *
     * @param firstByte format and type bits; only the low eight bits count
     * @return null if the byte is a prefix or no defined combination of format and type
     */
    public static @Nullable TlpType ofFirstByte(int firstByte) {
        return BY_FIRST_BYTE[firstByte & 0xff];
    }

    private static @Nullable TlpType[] byFirstByte() {
        @Nullable TlpType[] table = new @Nullable TlpType[256];
        for (TlpType type : values()) {
            int format = type.data ? 0x40 : 0;
            if (type.isMessage()) {
                for (int routing = 0; routing < 8; routing++) {
                    table[format | 0x20 | type.code | routing] = type;
                }
            } else {
                table[format | type.code] = type;
                if (type.isMemory()) {
                    table[format | 0x20 | type.code] = type;
                }
            }
        }
        return table;
    }
}
