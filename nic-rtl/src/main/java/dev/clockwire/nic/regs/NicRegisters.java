package dev.clockwire.nic.regs;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.Interrupts;
import dev.clockwire.nic.doorbell.UarControl;
import dev.clockwire.nic.doorbell.UarLayout;
import dev.clockwire.pcie.config.ConfigSpace;
import dev.clockwire.pcie.config.MsixTable;
import dev.clockwire.pcie.config.PcieError;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.reg.Field;
import dev.clockwire.sim.reg.Register;
import dev.clockwire.sim.reg.RegisterArray;
import dev.clockwire.sim.reg.RegisterBank;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.List;
import java.util.function.IntConsumer;

/** The control and status registers of the NIC in BAR0, and the interrupt vectors in BAR4; the names are those of the articles. */
public final class NicRegisters implements UarControl, Interrupts, State {
    /** MSI-X vectors of the device. */
    public static final int VECTORS = 2048;
    /** Offset of the pending bits in their BAR. */
    public static final int PENDING = 0x8000;
    /** BAR of the control and status registers. */
    public static final int BAR = 0;
    /** Its size. */
    public static final long BAR_BYTES = 4L << 20;
    /** BAR of article 1's further registers, where BARs have 32 bits. */
    public static final int FURTHER_BAR = 1;
    /** Its size. */
    public static final long FURTHER_BAR_BYTES = 2L << 20;
    /** Where in {@link #BAR} that is. */
    public static final long FURTHER = 2L << 20;

    /** BAR of the interrupt vectors. */
    public static final int VECTOR_BAR = 4;
    /** Its size. */
    public static final long VECTOR_BAR_BYTES = 64L << 10;

    /** Offset of UAR_CTRL. */
    public static final int UAR_CTRL = 0x004;
    /** Offset of PCI_ERR_STS. */
    public static final int PCI_ERR_STS = 0x010;
    /** Offset of DB_ERR_STS. */
    public static final int DB_ERR_STS = 0x014;
    /** Offset of the first INT_MOD_CTRL. */
    public static final int INT_MOD_CTRL = 0x2000;
    /** Offset of the first EQ_CI_REG. */
    public static final int EQ_CI_REG = 0x1000;
    /** Offset of the first TB_RATE_REG. */
    public static final int TB_RATE_REG = 0x3000;
    /** Offset of QP_CTX_BASE. */
    public static final int QP_CTX_BASE = 0x1_0000;

    /** Offset of the first ETH_SQ_DB. */
    public static final int ETH_SQ_DB = 0x1_1000;
    /** Offset of the first ETH_RQ_DB. */
    public static final int ETH_RQ_DB = 0x1_2000;

    private static final int ETH_QUEUES = 64;
    private static final int BYTES = 0x1_2200;
    private static final int EVENT_QUEUES = 512;
    private static final int BUCKETS = 3328;
    private static final int MAGIC = 0xC10C_0001;
    private static final int SYSTEM_ERROR = 30;

    private final ContextTable table;
    private final ConfigSpace config;
    private final RegisterBank csr;
    private final MsixTable vectors;
    private final Field layoutField;
    private final Field indexField;
    private final Field literalField;
    private final Field pcieErrors;
    private final Field doorbellErrors;
    private final Register contextLow;
    private final Register contextHigh;
    private final RateRegisters rates;
    private final RegisterArray moderation;
    private final RegisterArray consumed;
    private EthernetDoorbell ethernet = (send, queue, index) -> {};
    private UarLayout layout;
    private boolean carriesIndex;
    private boolean literal;
    private long contextBase;
    private int contextStride = 256;

    /**
     * Creates the registers.
     *
     * @param send gets vectors whose message is to be sent
     */
    public NicRegisters(SimNode owner, ContextTable table, ConfigSpace config, IntConsumer send) {
        this.table = table;
        this.config = config;
        csr = new RegisterBank(owner, "csr", BYTES, "BAR0: control and status");
        vectors = new MsixTable(owner, config, VECTORS, PENDING, "BAR4: interrupt vectors", send);
        layout = UarLayout.PAGE;
        csr.reg32(0x000, "DEV_ID", "Which device, which map")
                .ro("id", 0, 32, MAGIC & 0xFFFF_FFFFL, "0xC10C, version 1");
        Register uar = csr.reg32(UAR_CTRL, "UAR_CTRL", "Doorbells; changes only while all queue pairs are in RESET");
        layoutField = uar.rw("layout", 0, 1, 0, "0: a page for each queue pair, 1: packed");
        indexField = uar.rw("db_pi", 1, 1, 0, "1: dword 1 of WQE_DB_REG is the producer index; 0: the record is read");
        literalField = uar.rw(
                "literal",
                2,
                1,
                0,
                "1: as the articles read: consumer index modulo 256, QPN from the data, token bucket unmended");
        uar.onWrite(x -> uarChanged());
        Register pcie = csr.reg32(PCI_ERR_STS, "PCI_ERR_STS", "Errors that PCIe reported");
        pcieErrors = pcie.rw1c(
                "errors",
                0,
                8,
                0,
                "0 parity, 1 system error, 2 completion timeout, 3 UR, 4 CA, 5 unexpected completion, 6 poisoned, 7"
                        + " malformed");
        Register doorbell = csr.reg32(DB_ERR_STS, "DB_ERR_STS", "Doorbells that were dropped");
        doorbellErrors = doorbell.rw1c(
                "errors",
                0,
                5,
                0,
                "0 format, 1 QPN is not that of the place, 2 no such QPN or not ready to send, 3 BlueFlame out of order, 4 FIFO overflow:"
                        + " never, stores wait");
        consumed = csr.array32(EQ_CI_REG, 8, EVENT_QUEUES, "EQ_CI_REG", "Consumer index of an event queue");
        consumed.element().rw("index", 0, 32, 0, "Entries consumed so far, modulo 2^32");
        moderation =
                csr.array32(INT_MOD_CTRL, 8, EVENT_QUEUES, "INT_MOD_CTRL", "Interrupt moderation of an event queue");
        moderation.element().rw("period", 0, 16, 0xFF, "Units of 2^exponent core clocks");
        moderation.element().rw("exponent", 16, 4, 0, "Unit of the period");
        moderation.element().rw("count", 24, 8, 0, "Events before it fires, 0: no limit");
        rates = new RateRegisters(csr, TB_RATE_REG, BUCKETS);
        contextLow = csr.reg32(
                QP_CTX_BASE, "QP_CTX_BASE", "Queue pair contexts, lower half; locked once a queue pair has left RESET");
        contextLow.rw("address", 12, 20, 0, "Bits 31:12");
        contextLow.onWrite(x -> contextChanged());
        contextHigh = csr.reg32(QP_CTX_BASE + 4, "QP_CTX_BASE_HI", "Queue pair contexts, upper half");
        contextHigh.rw("address", 0, 32, 0, "Bits 63:32");
        contextHigh.onWrite(x -> contextChanged());
        doorbells(ETH_SQ_DB, "ETH_SQ_DB", "Doorbell of an Ethernet send queue", true);
        doorbells(ETH_RQ_DB, "ETH_RQ_DB", "Doorbell of an Ethernet receive queue", false);
        config.errors().observe(this::happened);
    }

    private void doorbells(int at, String name, String meaning, boolean send) {
        RegisterArray all = csr.array32(at, Long.BYTES, ETH_QUEUES, name, meaning);
        all.element().rw("index", 0, 16, 0, "Producer index");
        all.onWrite((queue, x) -> ethernet.rung(send, queue, (int) x & 0xFFFF));
    }

    /** Who hears of the doorbells of Ethernet queues. */
    @FunctionalInterface
    public interface EthernetDoorbell {
        /** A queue was rung: a send queue, or a receive queue. */
        void rung(boolean send, int queue, int index);
    }

    /** Sets who hears of the doorbells of Ethernet queues. */
    public void onEthernet(EthernetDoorbell listener) {
        ethernet = listener;
    }

    /** Sets layout and form of doorbells before anybody uses them. */
    public void start(UarLayout how, boolean index) {
        layoutField.set(code(how));
        indexField.set(index ? 1 : 0);
        layout = how;
        carriesIndex = index;
        table.setUars(how.places());
    }

    private static int code(UarLayout layout) {
        return layout == UarLayout.PACKED ? 1 : 0;
    }

    private void uarChanged() {
        if (table.anyActive()) {
            layoutField.set(code(layout));
            indexField.set(carriesIndex ? 1 : 0);
            literalField.set(literal ? 1 : 0);
            error(BAD_FORMAT);
            return;
        }
        UarLayout wanted = layoutField.isSet() ? UarLayout.PACKED : UarLayout.PAGE;
        carriesIndex = indexField.isSet();
        literal = literalField.isSet();
        if (wanted != layout) {
            layout = wanted;
            table.setUars(wanted.places());
        }
    }

    private void contextChanged() {
        long wanted = csr.read(QP_CTX_BASE, Long.BYTES);
        if (table.anyActive()) {
            contextLow.fields().get(0).set(contextBase >>> 12 & 0xF_FFFF);
            contextHigh.fields().get(0).set(contextBase >>> 32);
            error(BAD_FORMAT);
            return;
        }
        contextBase = wanted;
        for (int i = 0; i < table.qpCount() && wanted != 0; i++) {
            table.at(i).contextAddress = wanted + (long) table.at(i).qpn * contextStride;
        }
    }

    /** Says how far apart the contexts of queue pairs are. */
    public void contextStride(int bytes) {
        contextStride = bytes;
    }

    /** Returns the address of a queue pair's context; 0 before software has said where contexts are. */
    public long contextAddress(int qpn) {
        return contextBase == 0 ? 0 : contextBase + (long) qpn * contextStride;
    }

    private void happened(PcieError error) {
        int bits = switch (error) {
            case COMPLETION_TIMEOUT -> 1 << 2;
            case UNSUPPORTED_REQUEST -> 1 << 3;
            case COMPLETER_ABORT -> 1 << 4;
            case UNEXPECTED_COMPLETION -> 1 << 5;
            case POISONED -> 1 << 6 | 1;
            case MALFORMED -> 1 << 7;
            default -> 0;
        };
        boolean system = (config.read(ConfigSpace.COMMAND) >>> SYSTEM_ERROR & 1) != 0;
        pcieErrors.raise(bits | (system ? 1 << 1 : 0));
    }

    @Override
    public UarLayout layout() {
        return layout;
    }

    @Override
    public boolean carriesIndex() {
        return carriesIndex;
    }

    @Override
    public boolean articleLiteral() {
        return literal;
    }

    @Override
    public void error(int kind) {
        doorbellErrors.raise(1L << kind);
    }

    @Override
    public int moderation(int eqn) {
        return (int) moderation.get(eqn);
    }

    @Override
    public int consumed(int eqn) {
        return (int) consumed.get(eqn);
    }

    @Override
    public boolean request(int vector) {
        return vectors.request(vector);
    }

    @Override
    public long address(int vector) {
        return vectors.address(vector);
    }

    @Override
    public int data(int vector) {
        return vectors.data(vector);
    }

    /** Returns the address of the queue pair contexts in host memory. */
    public long contextBase() {
        return contextBase;
    }

    /** Returns the rate registers. */
    public RateRegisters rates() {
        return rates;
    }

    /** Returns the interrupt vectors. */
    public MsixTable vectors() {
        return vectors;
    }

    /** Returns the banks, for the documentation. */
    public List<RegisterBank> banks() {
        return List.of(csr, vectors.bank());
    }

    /** Answers a read of either window; reserved places read as zero. */
    public long read(int bar, long offset, int bytes) {
        if (bar == FURTHER_BAR) {
            return read(BAR, FURTHER + offset, bytes);
        }
        RegisterBank bank = bank(bar);
        long x = 0;
        for (int i = bytes - 1; i >= 0; i--) {
            long at = offset + i;
            long word = (at | 3) < size(bar) ? bank.read(at & ~3L, 4) : 0;
            x = (x << 8) | ((word >>> (8 * (at & 3))) & 0xFF);
        }
        return x;
    }

    /** Stores bytes into either window; reserved places ignore them. */
    void write(int bar, long offset, byte[] data, int bytes) {
        if (bar == FURTHER_BAR) {
            write(BAR, FURTHER + offset, data, bytes);
            return;
        }
        RegisterBank bank = bank(bar);
        int i = 0;
        while (i < bytes) {
            long word = offset + i & ~3L;
            long value = 0;
            int enables = 0;
            while (i < bytes && (offset + i & ~3L) == word) {
                int at = (int) (offset + i & 3);
                value |= (data[i] & 0xFFL) << (8 * at);
                enables |= 1 << at;
                i++;
            }
            if ((word | 3) < size(bar)) {
                bank.writeBytes(word, value, enables);
            }
        }
    }

    private RegisterBank bank(int bar) {
        return bar == BAR ? csr : vectors.bank();
    }

    private static long size(int bar) {
        return bar == BAR ? BYTES : PENDING + VECTORS / 8;
    }

    @Override
    public void save(Snapshot out) {
        csr.save(out);
        vectors.save(out);
        out.putInt(code(layout));
        out.putBoolean(carriesIndex);
        out.putBoolean(literal);
        out.putLong(contextBase);
    }

    @Override
    public void load(Snapshot in) {
        csr.load(in);
        vectors.load(in);
        layout = in.getInt() == 0 ? UarLayout.PAGE : UarLayout.PACKED;
        carriesIndex = in.getBoolean();
        literal = in.getBoolean();
        contextBase = in.getLong();
    }
}
