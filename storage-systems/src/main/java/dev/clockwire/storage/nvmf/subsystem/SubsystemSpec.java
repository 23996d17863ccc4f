package dev.clockwire.storage.nvmf.subsystem;

import dev.clockwire.sim.error.ConfigurationException;
import java.nio.charset.StandardCharsets;

/**
 * What a subsystem is made with ({@code nvmf_create_subsystem}).
 *
 * @param nqn its name, such as {@code nqn.2016-06.io.spdk:cnode1}; 11 to 223 bytes
 * @param serial up to 20 printable characters
 * @param model up to 40 printable characters
 * @param allowAnyHost whether hosts need not be named
 * @param maxNamespaces largest namespace number, 1 to 1024
 * @param minCntlid first number of a controller, 1 to 65519
 * @param maxCntlid last number of a controller
 */
public record SubsystemSpec(
        String nqn,
        String serial,
        String model,
        boolean allowAnyHost,
        int maxNamespaces,
        int minCntlid,
        int maxCntlid) {
    /** Largest number of a controller. */
    public static final int LAST_CNTLID = 0xFFEF;

    private static final String OF_UUID = "nqn.2014-08.org.nvmexpress:uuid:";
    private static final int SHORTEST = 11;
    private static final int LONGEST = 223;
    private static final int SERIAL = 20;
    private static final int MODEL = 40;
    private static final int MOST_NAMESPACES = 1024;

    /** Checks the ranges. */
    public SubsystemSpec {
        requireNqn(nqn);
        requireText("serial_number", serial, SERIAL);
        requireText("model_number", model, MODEL);
        if (maxNamespaces < 1 || maxNamespaces > MOST_NAMESPACES) {
            throw new ConfigurationException("max_namespaces " + maxNamespaces + " is not in 1.." + MOST_NAMESPACES);
        }
        if (minCntlid < 1 || minCntlid > maxCntlid || maxCntlid > LAST_CNTLID) {
            throw new ConfigurationException("min_cntlid " + minCntlid + ", max_cntlid " + maxCntlid + ": must be 1.."
                    + LAST_CNTLID + ", the first not above the last");
        }
    }

    /**
     * Checks a name: {@code nqn.}, a year, a month, a domain and what its owner wants, or a UUID.
     *
     * @throws ConfigurationException if it is none
     */
    public static void requireNqn(String nqn) {
        int length = nqn.getBytes(StandardCharsets.UTF_8).length;
        if (length < SHORTEST || length > LONGEST) {
            throw new ConfigurationException(
                    "nqn '" + nqn + "' of " + length + " bytes: must be " + SHORTEST + ".." + LONGEST);
        }
        String label = "[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?";
        boolean good = nqn.matches("nqn\\.[0-9]{4}-(0[1-9]|1[0-2])\\." + label + "(\\." + label + ")*(:.*)?");
        if (nqn.startsWith(OF_UUID)) {
            good = nqn.substring(OF_UUID.length()).matches("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}");
        }
        if (!good) {
            throw new ConfigurationException("nqn '" + nqn + "' is none: must be like nqn.2016-06.io.spdk:cnode1");
        }
    }

    private static void requireText(String what, String text, int most) {
        if (text.length() > most || !text.matches("[ -~]*")) {
            throw new ConfigurationException(
                    what + " '" + text + "': must be up to " + most + " printable characters of ASCII");
        }
    }

    /** Returns SPDK's defaults: no host allowed, 32 namespaces, all controllers. */
    public static SubsystemSpec of(String nqn) {
        return new SubsystemSpec(nqn, "00000000000000000000", "SPDK bdev Controller", false, 32, 1, LAST_CNTLID);
    }

    /** Returns a copy with another serial number and model. */
    public SubsystemSpec withNames(String serialNumber, String modelNumber) {
        return new SubsystemSpec(nqn, serialNumber, modelNumber, allowAnyHost, maxNamespaces, minCntlid, maxCntlid);
    }

    /** Returns a copy that hosts need not be named to, or need to. */
    public SubsystemSpec withAnyHost(boolean allowed) {
        return new SubsystemSpec(nqn, serial, model, allowed, maxNamespaces, minCntlid, maxCntlid);
    }

    /** Returns a copy with another largest namespace number. */
    public SubsystemSpec withNamespaces(int most) {
        return new SubsystemSpec(nqn, serial, model, allowAnyHost, most, minCntlid, maxCntlid);
    }

    /** Returns a copy with other numbers of controllers. */
    public SubsystemSpec withCntlids(int first, int last) {
        return new SubsystemSpec(nqn, serial, model, allowAnyHost, maxNamespaces, first, last);
    }
}
