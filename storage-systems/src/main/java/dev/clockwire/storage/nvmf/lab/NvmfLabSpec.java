package dev.clockwire.storage.nvmf.lab;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.roce.cm.CmTimes;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.bdev.BdevSpec;
import dev.clockwire.storage.nvmf.initiator.InitiatorSpec;
import dev.clockwire.storage.nvmf.subsystem.TransportSpec;
import dev.clockwire.storage.nvmf.target.TargetSpec;
import dev.clockwire.storage.reactor.CoreMask;
import dev.clockwire.storage.reactor.ReactorSpec;
import dev.clockwire.storage.software.SpdkCosts;
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
 * @param layer block devices between target and SSDs
 * @param reactors of both hosts
 * @param ssdTimeoutPs behind which the target resets an SSD that does not answer; 0 = never
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
        CmTimes times,
        BdevSpec layer,
        ReactorSpec reactors,
        long ssdTimeoutPs) {
    /** Name of the subsystem. */
    public static final String SUBSYSTEM = "nqn.2016-06.io.spdk:cnode1";
    /** Name of the host. */
    public static final String HOST = "nqn.2014-08.org.nvmexpress:uuid:2d7e2a54-8b8f-4a5c-9b1e-6f3d1c5a0b77";

    /** SSDs at most. */
    public static final int MOST_SSDS = 16;

    /** Copies the list. */
    public NvmfLabSpec {
        ssds = List.copyOf(ssds);
        if (ssds.isEmpty() || ssds.size() > MOST_SSDS) {
            throw new ConfigurationException("number of SSDs " + ssds.size() + " is not in 1.." + MOST_SSDS);
        }
    }

    /** Returns SPDK on both sides, one core each, with the costs of the profile. */
    public static NvmfLabSpec spdk(Profile profile, LabSpec lab, List<NvmeSpec> ssds) {
        SpdkCosts costs = SpdkCosts.of(profile);
        return new NvmfLabSpec(
                profile,
                lab,
                CoreMask.first(1),
                CoreMask.first(1),
                ssds,
                SpdkCosts.initiator(profile, HOST),
                costs.target(),
                TransportSpec.rdma(),
                CmTimes.LINUX,
                costs.layer(),
                costs.reactor(),
                0);
    }

    /** Returns a copy that is simulated otherwise, with another device or other faults. */
    public NvmfLabSpec withLab(LabSpec other) {
        Draft d = new Draft(this);
        d.lab = other;
        return d.done();
    }

    /** Returns a copy whose target resets an SSD behind a time. */
    public NvmfLabSpec withSsdTimeout(long ps) {
        Draft d = new Draft(this);
        d.ssdTimeoutPs = ps;
        return d.done();
    }

    /** Returns a copy with other SSDs. */
    public NvmfLabSpec withSsds(List<NvmeSpec> other) {
        Draft d = new Draft(this);
        d.ssds = other;
        return d.done();
    }

    /** Returns a copy with other cores. */
    public NvmfLabSpec withCores(CoreMask host, CoreMask targets) {
        Draft d = new Draft(this);
        d.hostCores = host;
        d.targetCores = targets;
        return d.done();
    }

    /** Returns a copy whose host behaves otherwise. */
    public NvmfLabSpec withInitiator(InitiatorSpec other) {
        Draft d = new Draft(this);
        d.initiator = other;
        return d.done();
    }

    /** Returns a copy whose target has other limits. */
    public NvmfLabSpec withTransport(TransportSpec other) {
        Draft d = new Draft(this);
        d.transport = other;
        return d.done();
    }

    /** Returns a copy whose connection managers wait otherwise. */
    public NvmfLabSpec withTimes(CmTimes other) {
        Draft d = new Draft(this);
        d.times = other;
        return d.done();
    }

    /** Returns a copy with another layer of block devices. */
    public NvmfLabSpec withLayer(BdevSpec other) {
        Draft d = new Draft(this);
        d.layer = other;
        return d.done();
    }

    /** Returns a copy whose reactors cost otherwise, or sleep. */
    public NvmfLabSpec withReactors(ReactorSpec other) {
        Draft d = new Draft(this);
        d.reactors = other;
        return d.done();
    }

    /** What copies change; it alone names every component. */
    private static final class Draft {
        private final NvmfLabSpec from;
        private LabSpec lab;
        private List<NvmeSpec> ssds;
        private CoreMask hostCores;
        private CoreMask targetCores;
        private InitiatorSpec initiator;
        private TransportSpec transport;
        private CmTimes times;
        private BdevSpec layer;
        private ReactorSpec reactors;
        private long ssdTimeoutPs;

        Draft(NvmfLabSpec from) {
            this.from = from;
            lab = from.lab;
            ssds = from.ssds;
            hostCores = from.hostCores;
            targetCores = from.targetCores;
            initiator = from.initiator;
            transport = from.transport;
            times = from.times;
            layer = from.layer;
            reactors = from.reactors;
            ssdTimeoutPs = from.ssdTimeoutPs;
        }

        NvmfLabSpec done() {
            return new NvmfLabSpec(
                    from.profile,
                    lab,
                    hostCores,
                    targetCores,
                    ssds,
                    initiator,
                    from.target,
                    transport,
                    times,
                    layer,
                    reactors,
                    ssdTimeoutPs);
        }
    }
}
