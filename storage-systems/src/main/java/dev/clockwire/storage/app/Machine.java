package dev.clockwire.storage.app;

import dev.clockwire.nic.offload.OffloadMemory;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.roce.verbs.Device;
import dev.clockwire.roce.verbs.DmaBuf;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.nvmf.target.TargetOffload;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a process runs on.
 *
 * @param host its host
 * @param nics RDMA devices there
 * @param ssds NVMe controllers there
 * @param offload makes ready what a NIC has to execute commands of a target, whose data pass through such memory, or refuses; null if none has
 */
public record Machine(
        Host host,
        List<Device> nics,
        List<Ssd> ssds,
        @Nullable Function<OffloadMemory.Place, TargetOffload> offload) {
    /**
     * An NVMe controller.
     *
     * @param address as lspci has it, {@code 0000:3b:00.0}
     * @param bar bus address of its BAR 0
     * @param controllerMemory its controller memory buffer, null if it has none
     */
    public record Ssd(String address, long bar, @Nullable DmaBuf controllerMemory) {
        /** Unifies the address. */
        public Ssd {
            address = unified(address);
        }

        /** Makes one without such memory. */
        public Ssd(String address, long bar) {
            this(address, bar, null);
        }
    }

    /** Keeps copies. */
    public Machine {
        nics = List.copyOf(nics);
        ssds = List.copyOf(ssds);
    }

    /** Makes a machine whose NICs execute nothing. */
    public Machine(Host host, List<Device> nics, List<Ssd> ssds) {
        this(host, nics, ssds, null);
    }

    /** Returns a host without devices. */
    public static Machine bare(Host host) {
        return new Machine(host, List.of(), List.of());
    }

    /**
     * Returns an address with its domain and in lower case; dots may stand for colons, as in SPDK.
     *
     * @throws ConfigurationException if it is no address of a PCI function
     */
    public static String unified(String address) {
        String[] parts = address.toLowerCase(Locale.ROOT).split("[:.]", -1);
        int skip = parts.length == 4 ? 1 : 0;
        boolean good = parts.length == 4 || parts.length == 3;
        for (String p : parts) {
            good &= p.matches("[0-9a-f]{1,4}");
        }
        if (!good) {
            throw new ConfigurationException("'" + address + "' is no PCI address such as 0000:3b:00.0");
        }
        int domain = skip == 0 ? 0 : Integer.parseInt(parts[0], 16);
        int bus = Integer.parseInt(parts[skip], 16);
        int device = Integer.parseInt(parts[skip + 1], 16);
        int function = Integer.parseInt(parts[skip + 2], 16);
        if (bus > 0xff || device > 0x1f || function > 7) {
            throw new ConfigurationException("PCI address '" + address + "': bus is at most ff, device 1f, function 7");
        }
        return String.format(Locale.ROOT, "%04x:%02x:%02x.%x", domain, bus, device, function);
    }
}
