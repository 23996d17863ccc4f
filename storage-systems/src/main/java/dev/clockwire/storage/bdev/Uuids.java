package dev.clockwire.storage.bdev;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.Locale;

/** UUIDs that follow from names: the same ones in every run. */
public final class Uuids {
    private static final long OFFSET = 0xCBF2_9CE4_8422_2325L;
    private static final long PRIME = 0x100_0000_01B3L;

    private Uuids() {}

    /** Returns two hashes (FNV-1a, 64 bits) of two names as a UUID of version 8, which is for such uses. */
    public static String of(String a, String b) {
        String hex = String.format(Locale.ROOT, "%016x%016x", hash(a + " " + b), hash(b + " " + a));
        return hex.substring(0, 8) + "-" + hex.substring(8, 12) + "-8" + hex.substring(13, 16) + "-a"
                + hex.substring(17, 20) + "-" + hex.substring(20);
    }

    /**
     * Returns a UUID in lower case.
     *
     * @throws ConfigurationException if it is none: 8-4-4-4-12 hexadecimal digits
     */
    public static String checked(String text) {
        if (!text.matches("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")) {
            throw new ConfigurationException(
                    "uuid '" + text + "': must be 8-4-4-4-12 hexadecimal digits, such as " + of("bdev", "example"));
        }
        return text.toLowerCase(Locale.ROOT);
    }

    private static long hash(String text) {
        long h = OFFSET;
        for (int i = 0; i < text.length(); i++) {
            h = (h ^ text.charAt(i)) * PRIME;
        }
        return h;
    }
}
