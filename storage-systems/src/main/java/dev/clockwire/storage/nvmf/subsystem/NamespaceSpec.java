package dev.clockwire.storage.nvmf.subsystem;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * What a namespace is made with ({@code nvmf_subsystem_add_ns}).
 *
 * @param nsid its number; 0 takes the first that is free
 * @param nguid 32 hexadecimal digits, or empty
 * @param eui64 16 hexadecimal digits, or empty
 * @param uuid as usual, with dashes, or empty
 */
public record NamespaceSpec(int nsid, String nguid, String eui64, String uuid) {
    /** Checks the forms. */
    public NamespaceSpec {
        if (nsid < 0) {
            throw new ConfigurationException("nsid " + nsid + ": must be 0 or more");
        }
        require("nguid", nguid, "([0-9A-Fa-f]{32})?", "32 hexadecimal digits");
        require("eui64", eui64, "([0-9A-Fa-f]{16})?", "16 hexadecimal digits");
        require("uuid", uuid, "([0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})?", "a UUID");
    }

    private static void require(String what, String text, String form, String words) {
        if (!text.matches(form)) {
            throw new ConfigurationException(what + " '" + text + "' is not " + words);
        }
    }

    /** Returns a namespace with the first free number and identifiers made from its name. */
    public static NamespaceSpec any() {
        return new NamespaceSpec(0, "", "", "");
    }

    /** Returns a namespace with a number. */
    public static NamespaceSpec of(int nsid) {
        return new NamespaceSpec(nsid, "", "", "");
    }
}
