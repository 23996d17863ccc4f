package dev.clockwire.storage.nvmf.subsystem;

import dev.clockwire.storage.bdev.Bdev;
import java.util.Locale;

/**
 * A block device in a subsystem.
 *
 * @param nsid its number
 * @param bdev the device
 * @param nguid 32 hexadecimal digits, or empty
 * @param eui64 16 hexadecimal digits, or empty
 * @param uuid with dashes; one is made from the names if none was given
 */
public record Namespace(int nsid, Bdev bdev, String nguid, String eui64, String uuid) {
    private static final long OFFSET = 0xCBF2_9CE4_8422_2325L;
    private static final long PRIME = 0x100_0000_01B3L;

    /** Makes a namespace; without a UUID it gets one of its subsystem's and device's names. */
    static Namespace of(String nqn, int nsid, Bdev bdev, NamespaceSpec spec) {
        String uuid = spec.uuid().isEmpty() ? uuid(nqn, bdev.name()) : spec.uuid();
        return new Namespace(nsid, bdev, spec.nguid(), spec.eui64(), uuid);
    }

    /** Two hashes (FNV-1a, 64 bits) as a UUID of version 8, which is for such uses. */
    private static String uuid(String nqn, String bdev) {
        String hex = String.format(Locale.ROOT, "%016x%016x", hash(nqn + " " + bdev), hash(bdev + " " + nqn));
        return hex.substring(0, 8) + "-" + hex.substring(8, 12) + "-8" + hex.substring(13, 16) + "-a"
                + hex.substring(17, 20) + "-" + hex.substring(20);
    }

    private static long hash(String text) {
        long h = OFFSET;
        for (int i = 0; i < text.length(); i++) {
            h = (h ^ text.charAt(i)) * PRIME;
        }
        return h;
    }
}
