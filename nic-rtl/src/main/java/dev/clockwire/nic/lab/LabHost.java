package dev.clockwire.nic.lab;

import dev.clockwire.nic.context.RetireTap;
import dev.clockwire.nic.device.NicDevice;
import dev.clockwire.nic.driver.EthernetSpec;
import dev.clockwire.nic.driver.HwDevice;
import dev.clockwire.nic.driver.HwOffload;
import dev.clockwire.nic.driver.NicEthernet;
import dev.clockwire.pcie.fabric.PcieSwitch;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.roce.soft.SoftDevice;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.Context;
import dev.clockwire.roce.verbs.Device;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.verbs.VerbsProvider;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.MemorySanitizer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** One host of a lab: memory, a core, a NIC and the opened device. */
public final class LabHost {
    private final String name;
    private final Host host;
    private final CpuCore core;
    private final VerbsProvider provider;
    private final Device device;
    private final Context context;
    private final @Nullable PcieSwitch fabric;
    private @Nullable NicEthernet ethernet;

    LabHost(String name, Host host, VerbsProvider provider) {
        this(name, host, provider, null);
    }

    LabHost(String name, Host host, VerbsProvider provider, @Nullable PcieSwitch fabric) {
        this.name = name;
        this.fabric = fabric;
        this.host = host;
        this.provider = provider;
        core = host.addCore();
        device = new Device(provider);
        context = device.open(core);
    }

    /** Returns the name in the hierarchy. */
    public String name() {
        return name;
    }

    /** Returns memory, root complex and cores. */
    public Host host() {
        return host;
    }

    /**
     * Returns who watches the host's memory.
     *
     * @throws ConfigurationException if nobody does
     */
    public MemorySanitizer sanitizer() {
        MemorySanitizer found = host.hostMemory().sanitizer();
        if (found == null) {
            throw new ConfigurationException(
                    host.path() + " has no memory sanitizer: build the lab with LabSpec.withSanitizer(true)");
        }
        return found;
    }

    /** Returns the core that runs the programs. */
    public CpuCore core() {
        return core;
    }

    /**
     * Returns the NIC.
     *
     * @throws ConfigurationException if the host has a software device
     */
    public NicDevice nic() {
        if (provider instanceof HwDevice hardware) {
            return hardware.nic();
        }
        throw new ConfigurationException(device.name() + " is a software device: there is no NIC to look into");
    }

    /** Returns the NIC's address on its line. */
    public long mac() {
        return nic().parts().port().mac();
    }

    /** Returns the host's IPv4 address. */
    public int ipv4() {
        return nic().parts().port().ipv4();
    }

    /**
     * Returns the switch of the NIC's NVMe-oF offload.
     *
     * @throws ConfigurationException if there is none
     */
    public HwOffload offload() {
        if (provider instanceof HwDevice hardware) {
            return hardware.offload();
        }
        throw new ConfigurationException(device.name() + " is a software device: it has no offload");
    }

    /** Returns the PCIe switch between the host and its NIC, null if the NIC sits on the root port. */
    public @Nullable PcieSwitch pcieSwitch() {
        return fabric;
    }

    /**
     * Returns the software device.
     *
     * @throws ConfigurationException if the host has hardware
     */
    public SoftDevice soft() {
        if (provider instanceof SoftDevice software) {
            return software;
        }
        throw new ConfigurationException(device.name() + " is hardware, no software device");
    }

    /** Returns whether the host has hardware, not a software device. */
    public boolean isHardware() {
        return provider instanceof HwDevice;
    }

    /** Sets the one observer of send work requests that end, also unsignalled ones. */
    public void observeSends(RetireTap tap) {
        if (provider instanceof SoftDevice software) {
            software.observe((qpn, index, ps) -> tap.retired(qpn, (int) index, ps));
        } else {
            nic().parts().setRetireTap(tap);
        }
    }

    /**
     * Opens the Ethernet queues of the NIC for the host's core.
     *
     * @param events gets the number of a queue that was armed and has fired
     * @throws ConfigurationException if the NIC has not so many, or the host has a software device
     */
    public Completion<NicEthernet> openEthernet(EthernetSpec spec, IntConsumer events) {
        if (provider instanceof HwDevice hardware) {
            Completion<NicEthernet> opened = hardware.openEthernet(core, spec, events);
            opened.whenDone(queues -> ethernet = queues);
            return opened;
        }
        throw new ConfigurationException(device.name() + " is a software device: it has no Ethernet queues");
    }

    /** Returns the Ethernet queues; null before they are open. */
    public @Nullable NicEthernet ethernet() {
        return ethernet;
    }

    /** Returns the RDMA device. */
    public Device device() {
        return device;
    }

    /** Returns the device as opened by the core. */
    public Context context() {
        return context;
    }

    /** Returns the host's IPv4 identifier. */
    public Gid gid() {
        return device.port(1).gids().get(0);
    }

    /** Returns the host's IPv6 identifier. */
    public Gid gid6() {
        return device.port(1).gids().get(1);
    }

    /**
     * Says in a step of the core that nothing was found in a completion queue: the core polls on, and polls that would find
     * nothing are skipped. Several calls in a step name several queues.
     */
    public void idleUntil(CompletionQueue cq) {
        core.idle(cq.provider().watchAddress(), 1);
    }
}
