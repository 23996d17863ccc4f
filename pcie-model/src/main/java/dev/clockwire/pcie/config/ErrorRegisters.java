package dev.clockwire.pcie.config;

import dev.clockwire.pcie.link.LinkError;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.pcie.tlp.TlpCodec;
import dev.clockwire.pcie.tlp.TlpHeader;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.reg.Field;
import dev.clockwire.sim.reg.Register;
import dev.clockwire.sim.reg.RegisterBank;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Advanced error reporting, and what an error changes in the older status registers. All of it is sticky: a reset of the function
 * leaves it as it is.
 */
public final class ErrorRegisters {
    /** Bytes of the capability. */
    static final int BYTES = 0x2C;

    private static final int CORR_STATUS = 0x10;
    private static final int ADVISORY = 13;
    private static final int LOG_WORDS = 4;
    private static final long WORD = 0xFFFF_FFFFL;

    private final RegisterBank bank;
    private final HeaderRegisters header;
    private final ExpressRegisters express;
    private final Register status;
    private final Register mask;
    private final Register severity;
    private final Register corrections;
    private final Register correctionsMask;
    private final Field corrected;
    private final Field advisoryMask;
    private final Field first;
    private final Field[] log = new Field[LOG_WORDS];
    private @Nullable Consumer<PcieError> observer;
    private Consumer<ErrorMessage> sender = m -> {};
    private long messages;
    private int next;

    ErrorRegisters(SimNode owner, HeaderRegisters header, ExpressRegisters express) {
        this.header = header;
        this.express = express;
        bank = new RegisterBank(owner, "aer", BYTES, "Configuration space from 0x100 on: advanced error reporting");
        Register cap = bank.reg32(0x00, "AER_CAP", "Advanced error reporting");
        cap.ro("id", 0, 16, 0x0001, "Advanced error reporting");
        cap.ro("version", 16, 4, 2, "Version");
        cap.ro("next", 20, 12, () -> next, "Place of the next one; 0 = the last");
        status = bank.reg32(0x04, "UNCORR_STATUS", "Errors that happened");
        mask = bank.reg32(0x08, "UNCORR_MASK", "Errors that are not reported");
        severity = bank.reg32(0x0C, "UNCORR_SEVERITY", "Errors that are fatal");
        for (PcieError e : PcieError.values()) {
            String name = e.name().toLowerCase(java.util.Locale.ROOT);
            status.rw1c(name, e.bit(), 1, 0, "Happened");
            mask.rw(name, e.bit(), 1, 0, "Neither logged nor reported");
            severity.rw(name, e.bit(), 1, fatalByDefault(e) ? 1 : 0, "Fatal");
        }
        Register corr =
                bank.reg32(CORR_STATUS, "CORR_STATUS", "Errors that were corrected, or are somebody else's to handle");
        corr.rw1c("receiver", 0, 1, 0, "Receiver error");
        corr.rw1c("bad_tlp", 6, 1, 0, "Bad TLP");
        corr.rw1c("bad_dllp", 7, 1, 0, "Bad DLLP");
        corr.rw1c("rollover", 8, 1, 0, "Replay number rolled over");
        corr.rw1c("replay_timeout", 12, 1, 0, "Replay timer");
        corrected = corr.rw1c("advisory", ADVISORY, 1, 0, "An error that the requester handles");
        corrections = corr;
        Register corrMask = bank.reg32(0x14, "CORR_MASK", "Corrected errors that are not reported");
        corrMask.rw("link", 0, ADVISORY, 0, "Link errors, by the bits of the status");
        correctionsMask = corrMask;
        advisoryMask = corrMask.rw("advisory", ADVISORY, 1, 1, "Advisory errors");
        Register control = bank.reg32(0x18, "AER_CONTROL", "Which error came first");
        first = control.ro("first_error", 0, 5, 0, "Bit of the error that the header log belongs to");
        for (int i = 0; i < LOG_WORDS; i++) {
            Register word = bank.reg32(0x1C + 4 * i, "HEADER_LOG" + i, "Header of the first error's packet");
            log[i] = word.ro("dw", 0, 32, 0, "DW " + i + ", byte 0 in bits 31:24");
        }
    }

    private static boolean fatalByDefault(PcieError e) {
        return switch (e) {
            case DATA_LINK_PROTOCOL, SURPRISE_DOWN, FLOW_CONTROL, RECEIVER_OVERFLOW, MALFORMED -> true;
            default -> false;
        };
    }

    /** Says where the next capability is. */
    void follow(int place) {
        next = place;
    }

    RegisterBank bank() {
        return bank;
    }

    /** Says who hears of each error; one at most. */
    public void observe(Consumer<PcieError> who) {
        observer = who;
    }

    /** Says who sends messages to the root complex; one at most. */
    public void send(Consumer<ErrorMessage> who) {
        sender = who;
    }

    private void message(ErrorMessage m) {
        messages++;
        sender.accept(m);
    }

    /** Returns how many error messages the function has sent to the root complex. */
    public long messages() {
        return messages;
    }

    void setMessages(long n) {
        messages = n;
    }

    /**
     * Notes an error.
     *
     * @param packet its header, null if the error has none
     * @param advisory whether the other side gets to know and handles it: a request that was answered, a completion too many
     */
    public void report(PcieError error, @Nullable TlpHeader packet, boolean advisory) {
        long bit = 1L << error.bit();
        boolean masked = (bank.read(mask.offset(), 4) & bit) != 0;
        boolean fatal = (bank.read(severity.offset(), 4) & bit) != 0;
        note(error, bit, masked, packet);
        if (error == PcieError.UNSUPPORTED_REQUEST) {
            express.detectedUnsupported();
        } else if (error == PcieError.COMPLETER_ABORT) {
            header.targetAbort();
        } else if (error == PcieError.POISONED) {
            header.detectedParity();
        }
        if (advisory && !fatal) {
            express.detectedCorrectable();
            corrected.set(1);
            if (!masked && !advisoryMask.isSet() && express.reportsCorrectable()) {
                message(ErrorMessage.CORRECTABLE);
            }
        } else {
            uncorrected(error, fatal, masked);
        }
        if (observer != null) {
            observer.accept(error);
        }
    }

    /** Notes an error that the data link layer has corrected. */
    public void corrected(LinkError error) {
        for (Field f : corrections.fields()) {
            if (f.lsb() == error.bit()) {
                f.set(1);
            }
        }
        express.detectedCorrectable();
        boolean masked = (bank.read(correctionsMask.offset(), 4) >>> error.bit() & 1) != 0;
        if (!masked && express.reportsCorrectable()) {
            message(ErrorMessage.CORRECTABLE);
        }
    }

    private void uncorrected(PcieError error, boolean fatal, boolean masked) {
        if (fatal) {
            express.detectedFatal();
        } else {
            express.detectedNonFatal();
        }
        boolean asked = error != PcieError.UNSUPPORTED_REQUEST || express.reportsUnsupported();
        boolean sent = !masked && (header.reports() || (asked && express.reports(fatal)));
        if (sent) {
            message(fatal ? ErrorMessage.FATAL : ErrorMessage.NON_FATAL);
            if (header.reports()) {
                header.systemError();
            }
        }
    }

    /** The log belongs to the first error whose status has not been cleared. */
    private void note(PcieError error, long bit, boolean masked, @Nullable TlpHeader packet) {
        long before = bank.read(status.offset(), 4);
        boolean logged = (before >>> first.get() & 1) != 0;
        for (Field f : status.fields()) {
            if (f.lsb() == error.bit()) {
                f.set(1);
            }
        }
        if (masked || logged) {
            return;
        }
        first.set(Long.numberOfTrailingZeros(bit));
        long a = packet == null ? 0 : TlpCodec.word01(packet);
        long b = packet == null ? 0 : TlpCodec.word23(packet);
        log[0].set(a >>> 32);
        log[1].set(a & WORD);
        log[2].set(b >>> 32);
        log[3].set(b & WORD);
    }

    /** Notes how the host refused a request of the function. */
    public void refused(CompletionStatus why) {
        if (why == CompletionStatus.CA) {
            header.receivedTargetAbort();
        } else if (why != CompletionStatus.SC) {
            header.receivedMasterAbort();
        }
    }
}
