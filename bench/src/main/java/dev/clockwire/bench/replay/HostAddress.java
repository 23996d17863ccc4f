package dev.clockwire.bench.replay;

import dev.clockwire.roce.verbs.Gid;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads IP addresses from text; nobody is asked what a name means. */
final class HostAddress {
    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
    private static final int GROUPS = 8;

    private HostAddress() {}

    /** Returns the address, null if the text is none. */
    static @Nullable Gid parse(String text) {
        return IPV4.matcher(text).matches() ? ipv4(text) : ipv6(text);
    }

    private static @Nullable Gid ipv4(String text) {
        int address = 0;
        for (String octet : text.split("\\.", -1)) {
            int value = Integer.parseInt(octet);
            if (value > 255) {
                return null;
            }
            address = address << 8 | value;
        }
        return Gid.ofIpv4(address);
    }

    private static @Nullable Gid ipv6(String text) {
        int gap = text.indexOf("::");
        if (gap != text.lastIndexOf("::")) {
            return null;
        }
        long[] front = groups(gap < 0 ? text : text.substring(0, gap));
        long[] back = groups(gap < 0 ? "" : text.substring(gap + 2));
        if (front == null || back == null) {
            return null;
        }
        int given = front.length + back.length;
        if (gap < 0 ? given != GROUPS : given >= GROUPS) {
            return null;
        }
        long[] halves = new long[2];
        for (int i = 0; i < GROUPS; i++) {
            int fromEnd = i - (GROUPS - back.length);
            long group = i < front.length ? front[i] : fromEnd >= 0 ? back[fromEnd] : 0;
            halves[i / 4] = halves[i / 4] << 16 | group;
        }
        return new Gid(halves[0], halves[1]);
    }

    private static long @Nullable [] groups(String text) {
        if (text.isEmpty()) {
            return new long[0];
        }
        String[] parts = text.split(":", -1);
        long[] groups = new long[parts.length];
        for (int i = 0; i < parts.length; i++) {
            if (!parts[i].matches("[0-9a-fA-F]{1,4}")) {
                return null;
            }
            groups[i] = Long.parseLong(parts[i], 16);
        }
        return groups;
    }
}
