package dev.clockwire.testkit.nic;

import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.testkit.ModelAssert;
import dev.clockwire.testkit.SimEvent;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
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
        Map<String, FrameLog.Sent> known = new TreeMap<>();
        int again = 0;
        int at = 0;
        String what = "";
        for (int i = 0; i < actual.size(); i++) {
            FrameLog.Sent s = actual.get(i);
            FrameLog.Sent before = isRequest(s.packet()) ? known.putIfAbsent(name(s), s) : null;
            if (before != null && again++ == 0) {
                at = i;
                what = name(s) + ", at " + ns(before) + " and at " + ns(s);
            }
        }
        if (again > 0) {
            throw error(of + ": sent twice: " + what + "; of " + actual.size() + " packets " + again
                    + (again == 1 ? " comes" : " come") + " again" + shown(at + SHOWN / 2));
        }
        return this;
    }

    private static boolean isRequest(RocePacket packet) {
        return !packet.isResponse() && packet.opcode != Opcode.CNP.code();
    }

    private static String name(FrameLog.Sent s) {
        return String.format(Locale.ROOT, "%s psn 0x%06x to QP 0x%06x", s.host(), s.packet().psn, s.packet().destQp);
    }

    private static String ns(FrameLog.Sent s) {
        return SimEvent.ns(s.ps());
    }

    private String shown() {
        return shown(actual.size());
    }

    /** The packets before the given place, at most {@link #SHOWN}. */
    private String shown(int place) {
        int end = Math.min(actual.size(), place);
        int start = Math.max(0, end - SHOWN);
        return actual.subList(start, end).stream()
                .map(s -> String.format(Locale.ROOT, "%n  %16s  %s  %s", ns(s), s.host(), s))
                .collect(Collectors.joining("", start > 0 ? "\n  ..." : "", end < actual.size() ? "\n  ..." : ""));
    }
}
