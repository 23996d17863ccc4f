package dev.clockwire.storage.nvmf.subsystem;

import dev.clockwire.storage.bdev.Bdev;
import dev.clockwire.storage.bdev.Uuids;

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
    /** Makes a namespace; without a UUID it has that of its device if one was given, else one of its subsystem's and device's names. */
    static Namespace of(String nqn, int nsid, Bdev bdev, NamespaceSpec spec) {
        String own = bdev.givenUuid().isEmpty() ? Uuids.of(nqn, bdev.name()) : bdev.givenUuid();
        return new Namespace(nsid, bdev, spec.nguid(), spec.eui64(), spec.uuid().isEmpty() ? own : spec.uuid());
    }
}
