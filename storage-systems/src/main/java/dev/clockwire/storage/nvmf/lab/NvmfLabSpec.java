package dev.clockwire.storage.nvmf.lab;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.roce.cm.CmTimes;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.nvmf.initiator.InitiatorSpec;
import dev.clockwire.storage.nvmf.subsystem.TransportSpec;
import dev.clockwire.storage.nvmf.target.TargetSpec;
import dev.clockwire.storage.reactor.CoreMask;
import java.util.List;

/**
 * What an NVMe-oF system is built of.
 *
 * @param profile hosts, NICs and line
 * @param lab how it is simulated, with the device and the faults
 * @param hostCores cores of the initiator's reactors
 * @param targetCores cores of the target's reactors
 * @param ssds of the target host, one to 16
 * @param initiator how the host behaves
 * @param target how the target behaves
 * @param transport the limits of the target's transport
 * @param times of the connection managers
 */
public record NvmfLabSpec(
        Profile profile,
        LabSpec lab,
        CoreMask hostCores,
        CoreMask targetCores,
        List<NvmeSpec> ssds,
        InitiatorSpec initiator,
        TargetSpec target,
        TransportSpec transport,
        CmTimes times) {
    /** Name of the subsystem. */
    public static final String SUBSYSTEM = "nqn.2016-06.io.spdk:cnode1";
    /** Name of the host. */
    public static final String HOST = "nqn.2014-08.org.nvmexpress:uuid:2d7e2a54-8b8f-4a5c-9b1e-6f3d1c5a0b77";

    private static final int MOST_SSDS = 16;

    /** Copies the list. */
    public NvmfLabSpec {
        ssds = List.copyOf(ssds);
        if (ssds.isEmpty() || ssds.size() > MOST_SSDS) {
            throw new ConfigurationException("number of SSDs " + ssds.size() + " is not in 1.." + MOST_SSDS);
        }
    }

    /** Returns SPDK on both sides, one core each. */
    public static NvmfLabSpec spdk(Profile profile, LabSpec lab, List<NvmeSpec> ssds) {
        return new NvmfLabSpec(
                profile,
                lab,
                CoreMask.first(1),
                CoreMask.first(1),
                ssds,
                InitiatorSpec.spdk(HOST),
                TargetSpec.spdk(),
                TransportSpec.rdma(),
                CmTimes.LINUX);
    }

    /** Returns a copy with other cores. */
    public NvmfLabSpec withCores(CoreMask host, CoreMask targets) {
        return new NvmfLabSpec(profile, lab, host, targets, ssds, initiator, target, transport, times);
    }

    /** Returns a copy whose host behaves otherwise. */
    public NvmfLabSpec withInitiator(InitiatorSpec other) {
        return new NvmfLabSpec(profile, lab, hostCores, targetCores, ssds, other, target, transport, times);
    }

    /** Returns a copy whose target has other limits. */
    public NvmfLabSpec withTransport(TransportSpec other) {
        return new NvmfLabSpec(profile, lab, hostCores, targetCores, ssds, initiator, target, other, times);
    }

    /** Returns a copy whose connection managers wait otherwise. */
    public NvmfLabSpec withTimes(CmTimes other) {
        return new NvmfLabSpec(profile, lab, hostCores, targetCores, ssds, initiator, target, transport, other);
    }
}
