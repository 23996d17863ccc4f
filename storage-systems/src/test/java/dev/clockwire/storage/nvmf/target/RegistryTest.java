package dev.clockwire.storage.nvmf.target;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.bdev.BdevSpec;
import dev.clockwire.storage.bdev.Bdevs;
import dev.clockwire.storage.bdev.NullBdev;
import dev.clockwire.storage.nvmf.subsystem.NamespaceSpec;
import dev.clockwire.storage.nvmf.subsystem.Subsystem;
import dev.clockwire.storage.nvmf.subsystem.SubsystemSpec;
import dev.clockwire.storage.nvmf.subsystem.TransportId;
import dev.clockwire.storage.nvmf.subsystem.TransportSpec;
import dev.clockwire.storage.reactor.CoreMask;
import dev.clockwire.storage.reactor.ReactorSpec;
import dev.clockwire.storage.reactor.Reactors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegistryTest {
    private static final String NQN = "nqn.2016-06.io.spdk:cnode1";
    private static final String HOST = "nqn.2014-08.org.nvmexpress:uuid:11111111-2222-3333-4444-555555555555";

    private Bdevs bdevs;
    private NvmfTarget target;

    @BeforeEach
    void build() {
        Lab lab = Lab.twoHosts(Profiles.named(Profiles.DEFAULT), LabSpec.of(1).withSoft(SoftSpec.usual()));
        Reactors reactors = new Reactors(lab.b().host(), CoreMask.first(1), ReactorSpec.server());
        bdevs = new Bdevs(reactors, BdevSpec.server());
        target = new NvmfTarget(reactors, bdevs, reactors.thread("app_thread"), TargetSpec.spdk());
        target.addDevice(lab.b().device());
    }

    @Test
    void givesNamespacesTheFirstFreeNumberAndClaimsTheirDevices() {
        Subsystem s = target.createSubsystem(SubsystemSpec.of(NQN).withNamespaces(3));
        NullBdev first = new NullBdev(bdevs, "null0", 512, 8);
        assertEquals(2, s.addNamespace(first, NamespaceSpec.of(2)).nsid());
        assertEquals(
                1,
                s.addNamespace(new NullBdev(bdevs, "null1", 512, 8), NamespaceSpec.any())
                        .nsid());
        assertEquals(
                3,
                s.addNamespace(new NullBdev(bdevs, "null2", 512, 8), NamespaceSpec.any())
                        .nsid());
        NullBdev more = new NullBdev(bdevs, "null3", 512, 8);
        assertThrows(ConfigurationException.class, () -> s.addNamespace(more, NamespaceSpec.any()));
        assertThrows(ConfigurationException.class, () -> s.addNamespace(more, NamespaceSpec.of(1)));
        assertNull(more.claimedBy());
        assertEquals(Subsystem.CLAIM, first.claimedBy());
        s.removeNamespace(2);
        assertNull(first.claimedBy());
        assertEquals(2, s.addNamespace(more, NamespaceSpec.any()).nsid());
    }

    @Test
    void aDeviceIsANamespaceOnce() {
        NullBdev device = new NullBdev(bdevs, "null0", 512, 8);
        target.createSubsystem(SubsystemSpec.of(NQN)).addNamespace(device, NamespaceSpec.any());
        Subsystem other = target.createSubsystem(SubsystemSpec.of(NQN + "b"));
        assertThrows(ConfigurationException.class, () -> other.addNamespace(device, NamespaceSpec.any()));
        target.deleteSubsystem(NQN);
        assertEquals(1, other.addNamespace(device, NamespaceSpec.any()).nsid());
    }

    @Test
    void listensWhereADeviceIs() {
        Subsystem s = target.createSubsystem(SubsystemSpec.of(NQN));
        TransportId at = TransportId.rdma("10.0.0.2", 4420);
        assertThrows(ConfigurationException.class, () -> target.addListener(s, at));
        target.createTransport(TransportSpec.rdma());
        assertThrows(ConfigurationException.class, () -> target.createTransport(TransportSpec.rdma()));
        assertThrows(ConfigurationException.class, () -> target.addListener(s, TransportId.rdma("10.0.0.3", 4420)));
        long before = target.generation();
        target.addListener(s, at);
        assertTrue(target.generation() > before);
        assertThrows(ConfigurationException.class, () -> target.addListener(s, at));
        target.removeListener(s, at);
        assertThrows(ConfigurationException.class, () -> target.removeListener(s, at));
    }

    @ParameterizedTest
    @CsvSource({"fd00::2, true", "FD00:0:0:0:0:0:0:0002, true", "fd00::3, false", "::, true", "fd00:2::, false"})
    void knowsSpellingsOfAddresses(String text, boolean same) {
        assertEquals(same, new TransportId("rdma", "ipv6", text, "4420").isAt(new Gid(0xFD00L << 48, 2)));
    }

    @Test
    void letsNamedHostsIn() {
        Subsystem s = target.createSubsystem(SubsystemSpec.of(NQN));
        assertFalse(s.allows(HOST));
        s.addHost(HOST);
        assertTrue(s.allows(HOST));
        s.removeHost(HOST);
        assertThrows(ConfigurationException.class, () -> s.removeHost(HOST));
        s.allowAnyHost(true);
        assertTrue(s.allows(HOST));
    }

    @Test
    void refusesWhatIsNoName() {
        for (String bad : new String[] {
            "nqn",
            "nqn.2016-13.io.spdk:x",
            "nqn.2016-06.io.spdk:" + "x".repeat(220),
            "iqn.2016-06.a:b",
            "nqn.2016-06.io..spdk:x",
            "nqn.2016-06.io.-spdk:x",
            "nqn.2014-08.org.nvmexpress:uuid:xyz"
        }) {
            assertThrows(ConfigurationException.class, () -> SubsystemSpec.of(bad), bad);
        }
        assertThrows(
                ConfigurationException.class,
                () -> target.createSubsystem(SubsystemSpec.of("nqn.2014-08.org.nvmexpress.discovery")));
        assertThrows(
                ConfigurationException.class, () -> target.deleteSubsystem("nqn.2014-08.org.nvmexpress.discovery"));
        assertThrows(ConfigurationException.class, () -> TransportId.rdma("10.0.0.2", 0));
        assertThrows(ConfigurationException.class, () -> new TransportId("TCP", "IPv4", "10.0.0.2", "4420"));
        assertEquals(256, TransportSpec.rdma().withBytes(0, 131_072).inCapsuleBytes());
        assertThrows(ConfigurationException.class, () -> TransportSpec.rdma().withBytes(0, 100_000));
    }
}
