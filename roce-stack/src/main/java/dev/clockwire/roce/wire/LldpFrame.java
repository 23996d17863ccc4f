package dev.clockwire.roce.wire;

import dev.clockwire.sim.error.ConfigurationException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An LLDP frame (IEEE 802.1AB) that carries settings of data centre bridging (IEEE 802.1Qaz): chassis, port, time to live, the settings, the end.
 *
 * @param source MAC address of the port, 48 bits; also the chassis
 * @param port name of the port, up to 255 bytes in UTF-8
 * @param seconds how long the settings hold, 0 to 65535; 0 takes them back
 */
public record LldpFrame(long source, String port, int seconds, DcbSettings settings) {
    /** Where every frame goes: the nearest bridge, which does not pass it on. */
    public static final long ADDRESS = 0x0180_C200_000EL;

    private static final int ETHERTYPE = 0x88CC;
    private static final int HEADER = 14;
    private static final int SHORTEST = 60;
    private static final int LONGEST = 1514;
    private static final int END = 0;
    private static final int CHASSIS = 1;
    private static final int PORT = 2;
    private static final int TIME = 3;
    private static final int ORGANISATION = 127;
    private static final int BY_MAC = 4;
    private static final int BY_NAME = 5;
    private static final int LONGEST_NAME = 255;
    /** The organisation that defines the settings, and their subtypes. */
    private static final int IEEE_8021 = 0x00_80_C2;

    private static final int ETS = 9;
    private static final int RECOMMENDED = 10;
    private static final int PFC = 11;
    private static final int APPLICATIONS = 12;
    private static final int ETS_BYTES = 25;
    private static final int PFC_BYTES = 6;
    private static final int PRIORITIES = 8;

    /** Checks the ranges. */
    public LldpFrame {
        boolean longName = port.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME;
        if (seconds < 0 || seconds > 0xFFFF || longName || port.isEmpty()) {
            throw new ConfigurationException("LLDP: time to live " + seconds
                    + " is not in 0..65535, or the port's name is not of 1 to 255 bytes: '" + port + "'");
        }
    }

    /** Returns the frame as captured, padded. */
    public byte[] encode() {
        byte[] out = new byte[LONGEST];
        Bytes.put48(out, 0, ADDRESS);
        Bytes.put48(out, 6, source);
        Bytes.put16(out, 12, ETHERTYPE);
        int at = head(out, HEADER, CHASSIS, 7);
        out[at] = BY_MAC;
        Bytes.put48(out, at + 1, source);
        byte[] name = port.getBytes(StandardCharsets.UTF_8);
        at = head(out, at + 7, PORT, 1 + name.length);
        out[at] = BY_NAME;
        System.arraycopy(name, 0, out, at + 1, name.length);
        at = head(out, at + 1 + name.length, TIME, 2);
        Bytes.put16(out, at, seconds);
        at += 2;
        EtsSettings own = settings.ets();
        if (own != null) {
            int flags = (own.willing() ? 0x80 : 0) | (own.creditShaper() ? 0x40 : 0) | own.classes() % PRIORITIES;
            at = ets(out, at, ETS, flags, own);
        }
        EtsSettings other = settings.recommended();
        at = other == null ? at : ets(out, at, RECOMMENDED, 0, other);
        PfcSettings pfc = settings.pfc();
        if (pfc != null) {
            at = organisation(out, at, PFC, PFC_BYTES);
            out[at] = (byte) ((pfc.willing() ? 0x80 : 0) | (pfc.bypass() ? 0x40 : 0) | pfc.capacity());
            out[at + 1] = (byte) pfc.enabled();
            at += 2;
        }
        at = applications(out, at);
        at = head(out, at, END, 0);
        return Arrays.copyOf(out, Math.max(SHORTEST, at));
    }

    /** The head of a field: seven bits of type, nine of length. Returns where its value begins. */
    private static int head(byte[] out, int at, int type, int length) {
        Bytes.put16(out, at, type << 9 | length);
        return at + 2;
    }

    private static int organisation(byte[] out, int at, int subtype, int length) {
        int value = head(out, at, ORGANISATION, length);
        Bytes.put16(out, value, IEEE_8021 >>> 8);
        out[value + 2] = (byte) IEEE_8021;
        out[value + 3] = (byte) subtype;
        return value + 4;
    }

    private static int ets(byte[] out, int from, int subtype, int flags, EtsSettings ets) {
        int at = organisation(out, from, subtype, ETS_BYTES);
        out[at++] = (byte) flags;
        for (int p = 0; p < PRIORITIES; p += 2) {
            out[at++] = (byte) (ets.classOf().get(p) << 4 | ets.classOf().get(p + 1));
        }
        for (int share : ets.shares()) {
            out[at++] = (byte) share;
        }
        for (int algorithm : ets.algorithms()) {
            out[at++] = (byte) algorithm;
        }
        return at;
    }

    /** As many as fit into the nine bits of length and into the frame. */
    private int applications(byte[] out, int from) {
        List<AppPriority> all = settings.applications();
        int count = Math.min(all.size(), Math.min((511 - 5) / 3, (LONGEST - from - 9) / 3));
        if (count == 0) {
            return from;
        }
        int at = organisation(out, from, APPLICATIONS, 5 + 3 * count) + 1;
        for (AppPriority app : all.subList(0, count)) {
            out[at] = (byte) (app.priority() << 5 | app.selector());
            Bytes.put16(out, at + 1, app.protocol());
            at += 3;
        }
        return at;
    }

    /** Reads a frame; empty if the bytes are no LLDP frame, or one of its fields does not fit. Fields of others are passed over. */
    public static Optional<LldpFrame> decode(byte[] in) {
        if (in.length < HEADER || Bytes.get48(in, 0) != ADDRESS || Bytes.get16(in, 12) != ETHERTYPE) {
            return Optional.empty();
        }
        Reader reader = new Reader(Bytes.get48(in, 6));
        int at = HEADER;
        for (int nth = 1; at + 2 <= in.length; nth++) {
            int type = Bytes.get16(in, at) >>> 9;
            int length = Bytes.get16(in, at) & 0x1FF;
            at += 2;
            if (at + length > in.length || (nth <= TIME && type != nth)) {
                return Optional.empty(); // cut off, or not chassis, port, time in this order
            }
            if (type == END) {
                return reader.done();
            }
            if (!reader.field(type, in, at, length)) {
                return Optional.empty();
            }
            at += length;
        }
        return Optional.empty();
    }

    /** Collects the fields of a frame. */
    private static final class Reader {
        private final long source;
        private String port = "";
        private int seconds;
        private @Nullable EtsSettings ets;
        private @Nullable EtsSettings recommended;
        private @Nullable PfcSettings pfc;
        private final List<AppPriority> applications = new ArrayList<>();

        Reader(long source) {
            this.source = source;
        }

        Optional<LldpFrame> done() {
            if (port.isEmpty() || port.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME) {
                return Optional.empty();
            }
            return Optional.of(
                    new LldpFrame(source, port, seconds, new DcbSettings(ets, recommended, pfc, applications)));
        }

        /** Takes a field; false if it is not what its type says. */
        boolean field(int type, byte[] in, int at, int length) {
            switch (type) {
                case PORT -> {
                    port = length < 2 ? "" : new String(in, at + 1, length - 1, StandardCharsets.UTF_8);
                    return length >= 2;
                }
                case TIME -> {
                    seconds = length < 2 ? 0 : Bytes.get16(in, at);
                    return length >= 2;
                }
                case ORGANISATION -> {
                    return length >= 4 && (!isIeee(in, at) || settings(Bytes.get8(in, at + 3), in, at + 4, length));
                }
                default -> {
                    return true;
                }
            }
        }

        private static boolean isIeee(byte[] in, int at) {
            return Bytes.get24(in, at) == IEEE_8021;
        }

        private boolean settings(int subtype, byte[] in, int at, int length) {
            switch (subtype) {
                case ETS, RECOMMENDED -> {
                    EtsSettings read = length == ETS_BYTES ? ets(in, at, subtype == ETS) : null;
                    ets = subtype == ETS ? read : ets;
                    recommended = subtype == RECOMMENDED ? read : recommended;
                    return read != null;
                }
                case PFC -> {
                    if (length != PFC_BYTES) {
                        return false;
                    }
                    int flags = Bytes.get8(in, at);
                    pfc = new PfcSettings(
                            (flags & 0x80) != 0, (flags & 0x40) != 0, flags & 0xF, Bytes.get8(in, at + 1));
                    return true;
                }
                case APPLICATIONS -> {
                    for (int i = at + 1; i + 3 <= at + length - 4; i += 3) {
                        int first = Bytes.get8(in, i);
                        applications.add(new AppPriority(first >> 5, first & 7, Bytes.get16(in, i + 1)));
                    }
                    return (length - 5) % 3 == 0;
                }
                default -> {
                    return true;
                }
            }
        }

        private static @Nullable EtsSettings ets(byte[] in, int from, boolean own) {
            int flags = own ? Bytes.get8(in, from) : 0;
            List<Integer> classOf = new ArrayList<>();
            List<Integer> shares = new ArrayList<>();
            List<Integer> algorithms = new ArrayList<>();
            for (int p = 0; p < PRIORITIES; p++) {
                classOf.add(Bytes.get8(in, from + 1 + p / 2) >> (p % 2 == 0 ? 4 : 0) & 0xF);
                shares.add(Bytes.get8(in, from + 5 + p));
                algorithms.add(Bytes.get8(in, from + 13 + p));
            }
            boolean good = classOf.stream().allMatch(c -> c < PRIORITIES)
                    && shares.stream().allMatch(s -> s <= 100);
            int classes = (flags & 7) == 0 ? PRIORITIES : flags & 7;
            return good
                    ? new EtsSettings((flags & 0x80) != 0, (flags & 0x40) != 0, classes, classOf, shares, algorithms)
                    : null;
        }
    }
}
