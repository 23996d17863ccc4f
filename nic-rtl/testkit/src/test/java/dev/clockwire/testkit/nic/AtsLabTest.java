package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.sim.mem.Allocation;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A NIC that keeps translations, on the root port and behind a switch. */
class AtsLabTest {
    private static final int BYTES = 60_000;

    private static Profile profile(String between) {
        return Profiles.named("cx7-400g")
                .with("host.iommu.enabled", "true")
                .with("host.iommu.iotlb_entries", "4")
                .with("pcie.switch", between);
    }

    private static long run(Lab lab, Pair pair, int times) {
        byte[] data = new byte[BYTES];
        new Random(1).nextBytes(data);
        pair.a.write(0, data);
        long from = lab.sim().now();
        for (int i = 0; i < times; i++) {
            new Posts(pair.a, pair.b).post(i % 2 == 0 ? WrOpcode.RDMA_WRITE : WrOpcode.RDMA_READ, BYTES);
            assertThat(pair.next(pair.a).status).isEqualTo(WcStatus.SUCCESS);
            assertThat(pair.b.read(0, BYTES)).isEqualTo(data);
        }
        return lab.sim().now() - from;
    }

    private static Pair pair(Lab lab) {
        return new Pair(lab, QpType.RC, Mtu.MTU_4096, Allocation.Kind.REAL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "gen5"})
    void aWarmDeviceWalksNoMoreAndIsAsFastAsWithoutTranslation(String between) {
        Lab plain = Lab.twoHosts(profile(between).with("host.iommu.enabled", "false"), LabSpec.of(1));
        Lab thrashes = Lab.twoHosts(profile(between), LabSpec.of(1));
        Lab keeps = Lab.twoHosts(profile(between).with("pcie.ats", "true"), LabSpec.of(1));
        long[] ps = new long[3];
        Lab[] labs = {plain, thrashes, keeps};
        long walks = 0;
        for (int i = 0; i < labs.length; i++) {
            Pair pair = pair(labs[i]);
            run(labs[i], pair, 2);
            walks = i == 2 ? walks(keeps) : 0;
            ps[i] = run(labs[i], pair, 6);
        }
        assertThat(walks(keeps)).as("all pages are known").isEqualTo(walks);
        assertThat(ps[1]).isGreaterThan(ps[0] + 1_000_000);
        assertThat(ps[2]).isEqualTo(ps[0]);
    }

    private static long walks(Lab lab) {
        return lab.sim().stats().value("host0.root.iommu.walks")
                + lab.sim().stats().value("host1.root.iommu.walks");
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "gen5"})
    void memoryThatIsTakenAwayIsOutOfReachOnceTheDeviceHasSaidSo(String between) {
        Lab lab = Lab.twoHosts(profile(between).with("pcie.ats", "true"), LabSpec.of(1));
        Pair pair = pair(lab);
        run(lab, pair, 2);
        lab.b().host().unmap(pair.b.at(0), Pair.BUFFER);
        assertThat(lab.b().host().port(0).invalidationsPending()).isEqualTo(1);
        lab.sim().run(lab.sim().now() + 5_000_000);
        assertThat(lab.b().host().port(0).invalidationsPending()).isZero();
        byte[] before = pair.b.read(0, BYTES);
        pair.a.write(0, new byte[BYTES]);
        new Posts(pair.a, pair.b).post(WrOpcode.RDMA_READ, BYTES);
        assertThat(pair.next(pair.a, 100_000_000_000L).status).isEqualTo(WcStatus.REM_OP_ERR);
        assertThat(pair.b.read(0, BYTES)).isEqualTo(before);
    }
}
