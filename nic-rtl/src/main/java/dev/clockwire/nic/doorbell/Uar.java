package dev.clockwire.nic.doorbell;

import dev.clockwire.roce.verbs.Numbering;

/** Layout of the user access region in BAR2: one 4 KB page per queue pair, registers little-endian. */
public final class Uar {
    /** BAR that holds the region. */
    public static final int BAR = 2;
    /** Size of a QP's page in bytes. */
    public static final int PAGE = 0x1000;
    /** WQE_DB_REG: dword 0 bits 23:0 QPN; dword 1 bits 15:0 producer index. */
    public static final int WQE_DB_REG = 0x000;
    /** CQ_ARM_DB, in the first page of the region: dword 0 bits 23:0 CQN; dword 1 bits 23:0 entries seen, 25:24 sequence number, 26 solicited only. */
    public static final int CQ_ARM_DB = 0x100;
    /** First BlueFlame buffer. */
    public static final int BLUEFLAME_A = 0x800;
    /** Second BlueFlame buffer; the driver alternates. */
    public static final int BLUEFLAME_B = 0x900;
    /** Size of one BlueFlame buffer in bytes. */
    public static final int BLUEFLAME_BYTES = 0x100;

    private Uar() {}

    /** Bit of dword 1 of {@link #CQ_ARM_DB}: only solicited and failed completions count. */
    public static final int SOLICITED_ONLY = 1 << 26;

    /** Lowest bit of the sequence number in dword 1 of {@link #CQ_ARM_DB}: the driver counts a queue's events there, modulo 4. */
    public static final int SEQUENCE_SHIFT = 24;

    /** Pages in front of page 0 for a QP: where QPNs count up, the place of its page in the BAR is the QPN. */
    private static final int FIRST_PAGE = Numbering.FIRST_QPN;

    /** Returns the offset of a QP's page in the BAR. */
    public static long page(int uar) {
        return (long) (uar + FIRST_PAGE) * PAGE;
    }

    /** Returns the page of a QP that an offset in the BAR belongs to; below 0 it is none. */
    public static int number(long offset) {
        return (int) (offset / PAGE) - FIRST_PAGE;
    }
}
