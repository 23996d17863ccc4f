package dev.clockwire.bench.pcap;

import dev.clockwire.roce.wire.Encapsulation;
import java.util.StringJoiner;

/** IP addresses as text. */
final class IpText {
    private IpText() {}

    /** Returns dotted decimals for IPv4, the canonical form of RFC 5952 for IPv6 and for the GIDs of RoCE v1. */
    static String of(Encapsulation encapsulation, long hi, long lo) {
        if (encapsulation == Encapsulation.IPV4) {
            return dotted((int) lo);
        }
        if (hi == 0 && lo >>> 32 == 0xFFFF) {
            return "::ffff:" + dotted((int) lo);
        }
        int[] groups = new int[8];
        for (int i = 0; i < 8; i++) {
            groups[i] = (int) ((i < 4 ? hi : lo) >>> (48 - 16 * (i & 3))) & 0xFFFF;
        }
        return grouped(groups);
    }

    private static String dotted(int ip) {
        return (ip >>> 24) + "." + ((ip >> 16) & 0xFF) + "." + ((ip >> 8) & 0xFF) + "." + (ip & 0xFF);
    }

    /** The first of the longest runs of at least two zero groups becomes "::". */
    private static String grouped(int[] groups) {
        int start = -1;
        int longest = 1;
        for (int i = 0; i < 8; i++) {
            int n = 0;
            while (i + n < 8 && groups[i + n] == 0) {
                n++;
            }
            if (n > longest) {
                start = i;
                longest = n;
            }
        }
        if (start < 0) {
            return joined(groups, 0, 8);
        }
        return joined(groups, 0, start) + "::" + joined(groups, start + longest, 8);
    }

    private static String joined(int[] groups, int from, int to) {
        StringJoiner text = new StringJoiner(":");
        for (int i = from; i < to; i++) {
            text.add(Integer.toHexString(groups[i]));
        }
        return text.toString();
    }
}
