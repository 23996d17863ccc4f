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
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many more WQEs written by BlueFlame at once than the device has room for. They are posted writes, and no completion of a read may
 * overtake a posted write: a device that let them stand until a read is answered would stand for good.
 */
class PostedBurstsTest {
    private static final int PAIRS = 512;
    private static final int EACH = 4;
    private static final int PAGE = 4096;

    private static final String SMALL = " nic.dma.buffer_packets=1 nic.dma.payload_outstanding_reads=1 pcie.tags=1"
            + " nic.wqe.outstanding_fetches=1 nic.sched.ahead=1";
    private static final String POSTED =
            " pcie.credits.posted_headers=1 pcie.credits.posted_data=64" + " pcie.credits.nonposted_headers=1";

    private static Profile profile(String settings) {
        Profile p = Profiles.named("cx7-400g");
        for (String s : settings.trim().split(" ", -1)) {
            p = p.with(s.substring(0, s.indexOf('=')), s.substring(s.indexOf('=') + 1));
        }
        return p;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                SMALL,
                SMALL + POSTED,
                "nic.cache.mtt_entries=1 nic.cache.mtt_ways=1 nic.cache.mpt_entries=1 nic.cache.mpt_ways=1"
                        + " nic.cache.misses=1 nic.cache.mtt_prefetch=false" + SMALL,
                "nic.cache.mtt_entries=1 nic.cache.mtt_ways=1 nic.cache.mpt_entries=1 nic.cache.mpt_ways=1"
                        + " nic.cache.misses=1 nic.cache.wqe_entries=1" + SMALL + POSTED,
                "nic.lookup.qpc_cycles=200 nic.lookup.mtt_cycles=200 nic.wqe.parse_cycles=200" + SMALL + POSTED,
                "nic.cache.qpc_entries=1 nic.cache.qpc_ways=1 nic.cache.qpc_shared=true nic.cache.mtt_entries=1"
                        + " nic.cache.mtt_ways=1 nic.cache.misses=1" + SMALL + POSTED,
                "host.iommu.enabled=true pcie.ats=true pcie.atc_entries=1 pcie.atc_ways=1" + SMALL + POSTED,
            })
    void nothingThatIsPostedWaitsForAReadOfTheDevice(String settings) {
        Lab lab = Lab.twoHosts(profile(settings), LabSpec.of(1));
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < PAIRS; i++) {
            pairs.add(new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL));
        }
        for (int r = 0; r < EACH; r++) {
            for (Pair p : pairs) {
                // more than what is sent inline, so that the payload is read; each from a page of its own
                Posts posts = new Posts(p.a, p.b);
                SendEntry e = posts.begin(WrOpcode.RDMA_WRITE, 256);
                e.sges().clear();
                e.sges().add(p.a.at(r * PAGE), 256, p.a.mr.lkey());
                posts.post();
            }
        }
        for (Pair p : pairs) {
            for (int r = 0; r < EACH; r++) {
                assertThat(p.next(p.a, 100_000_000_000L).status).isEqualTo(WcStatus.SUCCESS);
            }
        }
    }
}
