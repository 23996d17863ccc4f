package dev.clockwire.testkit.nic;

import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.testkit.ModelAssert;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Packets that a line has seen. */
public final class FrameAssert extends ModelAssert<FrameAssert, List<FrameLog.Sent>> {
    private static final int SHOWN = 20;

    private final String of;

    FrameAssert(List<FrameLog.Sent> packets, String of, String path) {
        super(packets, FrameAssert.class, path);
        this.of = of;
    }

    static FrameAssert of(FrameLog log) {
        if (log.count() > FrameLog.MOST) {
            throw new AssertionError(log.count() + " packets were sent, and only the last " + FrameLog.MOST
                    + " are kept: start the log later, or look at a shorter run");
        }
        return new FrameAssert(log.packets(), "packets", "");
    }

    /** Continues with the packets that one host sent. */
    public FrameAssert from(String host) {
        return new FrameAssert(
                actual.stream().filter(s -> s.host().equals(host)).toList(), "packets of " + host, host);
    }

    /** Continues with the packets that satisfy a condition. */
    public FrameAssert where(String what, Predicate<RocePacket> condition) {
        List<FrameLog.Sent> some =
                actual.stream().filter(s -> condition.test(s.packet())).toList();
        return new FrameAssert(
                some,
                of + " that are " + what,
                some.isEmpty() ? "" : some.get(0).host());
    }

    /** Says which operations were sent, in order, and no others. */
    public FrameAssert hasOpcodes(Opcode... opcodes) {
        List<String> wanted = Arrays.stream(opcodes).map(Opcode::name).toList();
        List<String> found = actual.stream().map(FrameLog.Sent::opcode).toList();
        if (!wanted.equals(found)) {
            throw error(of + ": expected " + wanted + shown(), wanted, found);
        }
        return this;
    }

    /** Says how many there are. */
    public FrameAssert hasSize(int packets) {
        if (actual.size() != packets) {
            throw error("expected " + packets + " " + of + ", found " + actual.size() + shown());
        }
        return this;
    }

    /** Says that there are none. */
    public FrameAssert isEmpty() {
        return hasSize(0);
    }

    /** Says how many there are of one operation. */
    public FrameAssert hasCount(Opcode opcode, int packets) {
        long found =
                actual.stream().filter(s -> s.packet().opcode == opcode.code()).count();
        if (found != packets) {
            throw error(of + ": expected " + packets + " " + opcode + ", found " + found + shown());
        }
        return this;
    }

    /** Says that no request was sent twice: no packet sequence number of a queue pair comes again. */
    public FrameAssert hasNoRetransmission() {
        List<String> keys = actual.stream()
                .filter(s -> !s.packet().isResponse() && s.packet().opcode != Opcode.CNP.code())
                .map(s -> s.host() + " psn 0x" + Integer.toHexString(s.packet().psn) + " to QP 0x"
                        + Integer.toHexString(s.packet().destQp))
                .sorted()
                .toList();
        for (int i = 1; i < keys.size(); i++) {
            if (keys.get(i).equals(keys.get(i - 1))) {
                throw error(of + ": sent twice: " + keys.get(i) + shown());
            }
        }
        return this;
    }

    private String shown() {
        List<FrameLog.Sent> last = actual.subList(Math.max(0, actual.size() - SHOWN), actual.size());
        String before = last.size() < actual.size() ? "\n  ..." : "";
        return last.stream()
                .map(s -> String.format("%n  %12d ps  %s  %s", s.ps(), s.host(), s))
                .collect(Collectors.joining("", before, ""));
    }
}
