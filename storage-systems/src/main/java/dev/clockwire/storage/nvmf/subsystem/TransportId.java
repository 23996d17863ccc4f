package dev.clockwire.storage.nvmf.subsystem;

import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.Locale;

/**
 * Where a subsystem can be reached, in the words of SPDK's {@code listen_address}.
 *
 * @param trtype transport, RDMA; case does not matter
 * @param adrfam IPv4 or IPv6; case does not matter
 * @param traddr address in text
 * @param trsvcid port in digits, 1 to 65535
 */
public record TransportId(String trtype, String adrfam, String traddr, String trsvcid) {
    private static final int MAX_PORT = 0xFFFF;
    private static final int GROUPS = 8;

    /** Checks and unifies the spelling. */
    public TransportId {
        trtype = trtype.toUpperCase(Locale.ROOT);
        if (!trtype.equals("RDMA")) {
            throw new ConfigurationException("trtype '" + trtype + "': must be RDMA");
        }
        adrfam = switch (adrfam.toLowerCase(Locale.ROOT)) {
            case "ipv4" -> "IPv4";
            case "ipv6" -> "IPv6";
            default -> throw new ConfigurationException("adrfam '" + adrfam + "': must be IPv4 or IPv6");
        };
        if (!trsvcid.matches("[0-9]{1,5}") || Integer.parseInt(trsvcid) < 1 || Integer.parseInt(trsvcid) > MAX_PORT) {
            throw new ConfigurationException("trsvcid '" + trsvcid + "': must be 1 to " + MAX_PORT);
        }
        if (adrfam.equals("IPv4") && !traddr.matches("([0-9]{1,3}\\.){3}[0-9]{1,3}")) {
            throw new ConfigurationException("traddr '" + traddr + "' is no IPv4 address such as 10.0.0.2");
        }
    }

    /** Returns an RDMA address over IPv4. */
    public static TransportId rdma(String address, int port) {
        return new TransportId("RDMA", "IPv4", address, Integer.toString(port));
    }

    /** Returns the port. */
    public int port() {
        return Integer.parseInt(trsvcid);
    }

    /** Returns whether the address is that of a device's port, or any of them: 0.0.0.0 and ::. */
    public boolean isAt(Gid gid) {
        if (traddr.equals("0.0.0.0") || traddr.equals("::")) {
            return gid.isIpv4() == adrfam.equals("IPv4");
        }
        if (gid.isIpv4() || adrfam.equals("IPv4")) {
            return gid.isIpv4() && adrfam.equals("IPv4") && ipv4() == gid.ipv4();
        }
        return plain(traddr).equals(plain(gid.toString()));
    }

    /** Returns an IPv6 address with all eight groups, without leading zeros. */
    private static String plain(String address) {
        int gap = address.indexOf("::");
        String[] head = (gap < 0 ? address : address.substring(0, gap)).split(":");
        String[] tail = gap < 0 ? new String[0] : address.substring(gap + 2).split(":");
        StringBuilder all = new StringBuilder();
        int given = groups(head) + groups(tail);
        append(all, head);
        for (int i = given; i < GROUPS; i++) {
            all.append(":0");
        }
        append(all, tail);
        return all.toString();
    }

    private static int groups(String[] parts) {
        return parts.length == 1 && parts[0].isEmpty() ? 0 : parts.length;
    }

    private static void append(StringBuilder all, String[] parts) {
        for (String part : parts) {
            if (!part.isEmpty()) {
                all.append(':').append(part.toLowerCase(Locale.ROOT).replaceFirst("^0+(?=.)", ""));
            }
        }
    }

    private int ipv4() {
        int address = 0;
        for (String part : traddr.split("\\.", -1)) {
            address = (address << 8) | (Integer.parseInt(part) & 0xFF);
        }
        return address;
    }

    @Override
    public String toString() {
        return trtype + " " + adrfam + " " + traddr + ":" + trsvcid;
    }
}
