package dev.clockwire.storage.nvmf.initiator;

import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.sim.error.ConfigurationException;

/**
 * Where a subsystem is reached over RDMA.
 *
 * @param address IPv4, four numbers
 * @param service port, 1 to 65535
 * @param subsystem name
 */
public record SubsystemAddress(String address, int service, String subsystem) {
    /** Port of I/O, and of discovery where nothing else is said. */
    public static final int PORT = 4420;

    private static final int MOST_PORT = 0xFFFF;
    private static final int OCTETS = 4;
    private static final int OCTET = 255;

    /** Checks address and port. */
    public SubsystemAddress {
        ipv4(address);
        if (service < 1 || service > MOST_PORT) {
            throw new ConfigurationException("trsvcid " + service + " is not in 1.." + MOST_PORT);
        }
    }

    /** Returns the address as verbs have it. */
    public Gid gid() {
        return Gid.ofIpv4(ipv4(address));
    }

    private static int ipv4(String text) {
        String[] parts = text.split("\\.", -1);
        int ip = 0;
        boolean good = parts.length == OCTETS;
        for (String part : parts) {
            int octet = part.matches("[0-9]{1,3}") ? Integer.parseInt(part) : OCTET + 1;
            good &= octet <= OCTET;
            ip = ip << Byte.SIZE | octet;
        }
        if (!good) {
            throw new ConfigurationException("traddr '" + text + "': must be four numbers of 0..255 with dots");
        }
        return ip;
    }

    /** Returns a copy for another subsystem. */
    public SubsystemAddress withSubsystem(String nqn) {
        return new SubsystemAddress(address, service, nqn);
    }

    @Override
    public String toString() {
        return "trtype:RDMA adrfam:IPv4 traddr:" + address + " trsvcid:" + service + " subnqn:" + subsystem;
    }
}
