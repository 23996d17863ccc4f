package dev.clockwire.nic.doorbell;

import dev.clockwire.roce.verbs.Numbering;

/** Where the doorbells of a queue pair are in {@link Uar#BAR}; the two exclude each other. */
public enum UarLayout {
    /** A page of 4 KB for each queue pair, as {@link Uar} has it: BAR + QPN * 0x1000. */
    PAGE {
        @Override
        public int places() {
            return Uar.number(WINDOW);
        }

        @Override
        public long doorbell(int uar) {
            return Uar.page(uar) + Uar.WQE_DB_REG;
        }

        @Override
        public long blueflame(int uar, int buffer) {
            return Uar.page(uar) + (buffer == 0 ? Uar.BLUEFLAME_A : Uar.BLUEFLAME_B);
        }

        @Override
        public long arm(int cqn) {
            return Uar.CQ_ARM_DB;
        }

        @Override
        Target target(long offset) {
            int register = (int) (offset % Uar.PAGE);
            if (register == Uar.WQE_DB_REG) {
                return Target.DOORBELL;
            }
            if (register == Uar.WQE_DB_REG + Integer.BYTES) {
                return Target.INDEX;
            }
            if (register == Uar.CQ_ARM_DB) {
                return Target.ARM;
            }
            return register >= Uar.BLUEFLAME_A && register < Uar.BLUEFLAME_B + Uar.BLUEFLAME_BYTES
                    ? Target.BLUEFLAME
                    : Target.NONE;
        }

        @Override
        int uar(long offset) {
            return Uar.number(offset);
        }
    },
    /** Eight bytes for each queue pair: BAR + QPN * 8, with 256 BlueFlame buffers at 0x800000 and a word for each queue at 0xA00000. */
    PACKED {
        @Override
        public int places() {
            return (int) (PACKED_BLUEFLAME / Long.BYTES) - Numbering.FIRST_QPN;
        }

        @Override
        public long doorbell(int uar) {
            return (long) (uar + Numbering.FIRST_QPN) * Long.BYTES;
        }

        @Override
        public long blueflame(int uar, int buffer) {
            return PACKED_BLUEFLAME + (long) (uar % SLOTS) * Uar.BLUEFLAME_BYTES;
        }

        @Override
        public long arm(int cqn) {
            return PACKED_ARM + (long) cqn * Long.BYTES;
        }

        @Override
        Target target(long offset) {
            if (offset < PACKED_BLUEFLAME) {
                int at = (int) (offset % Long.BYTES);
                return at == 0 ? Target.DOORBELL : at == Integer.BYTES ? Target.INDEX : Target.NONE;
            }
            if (offset < PACKED_BLUEFLAME + SLOTS * Uar.BLUEFLAME_BYTES) {
                return Target.BLUEFLAME;
            }
            return offset >= PACKED_ARM && offset < PACKED_END && offset % Long.BYTES == 0 ? Target.ARM : Target.NONE;
        }

        @Override
        int uar(long offset) {
            return (int) (offset / Long.BYTES) - Numbering.FIRST_QPN;
        }
    };

    /** Size of the window in either layout: 16384 pages. */
    public static final long WINDOW = 64L << 20;
    /** First BlueFlame buffer of the packed layout. */
    public static final long PACKED_BLUEFLAME = 0x80_0000;
    /** CQ_ARM_DB of queue 0 in the packed layout. */
    public static final long PACKED_ARM = 0xA0_0000;

    private static final long PACKED_END = 0x100_0000;
    private static final int SLOTS = 256;

    /** What a store may hit. */
    enum Target {
        DOORBELL,
        /** Dword 1 of a doorbell alone: a store of 8 bytes that was cut in two. */
        INDEX,
        ARM,
        BLUEFLAME,
        NONE
    }

    /** Returns how many queue pairs can have doorbells at a time. */
    public abstract int places();

    /** Returns the offset of a queue pair's WQE_DB_REG. */
    public abstract long doorbell(int uar);

    /** Returns the offset of a BlueFlame buffer of a queue pair; the driver alternates between 0 and 1. */
    public abstract long blueflame(int uar, int buffer);

    /** Returns the offset of a completion queue's CQ_ARM_DB. */
    public abstract long arm(int cqn);

    abstract Target target(long offset);

    /** Returns whose doorbell or page an offset belongs to; below 0 it is nobody's. */
    abstract int uar(long offset);

    /** Returns the number of the BlueFlame buffer of the packed layout that an offset lies in. */
    static int slot(long offset) {
        return (int) ((offset - PACKED_BLUEFLAME) / Uar.BLUEFLAME_BYTES);
    }
}
