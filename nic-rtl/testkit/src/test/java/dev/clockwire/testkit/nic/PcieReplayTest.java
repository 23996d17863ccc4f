package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.LoopKind;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.sim.trace.JourneyLog;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A NIC behind a PCIe link that damages packets: programs see it in times only. */
class PcieReplayTest {
    private static final int BYTES = 60_000;

    private static Lab lab(String rate, KernelMode mode) {
        LabSpec spec = new LabSpec(1, mode, LoopKind.AUTO, PayloadMode.BYTES, true, 1 << 16);
        return Lab.twoHosts(Profiles.named("cx7-400g").with("pcie.ber", rate), spec);
    }

    private static long[] run(Lab lab) {
        Pair pair = new Pair(lab, QpType.RC, Mtu.MTU_4096, Allocation.Kind.REAL);
        byte[] data = new byte[BYTES];
        new Random(1).nextBytes(data);
        pair.a.write(0, data);
        for (int i = 0; i < 4; i++) {
            new Posts(pair.a, pair.b).post(i % 2 == 0 ? WrOpcode.RDMA_WRITE : WrOpcode.RDMA_READ, BYTES);
            assertThat(pair.next(pair.a).status).isEqualTo(WcStatus.SUCCESS);
            assertThat(pair.b.read(0, BYTES)).isEqualTo(data);
        }
        return new long[] {lab.sim().now(), lab.sim().traceHash()};
    }

    private static long repeated(Lab lab) {
        return lab.sim().stats().value("host0.pcie.up.repeated_tlps")
                + lab.sim().stats().value("host1.root.port0Down.repeated_tlps");
    }

    @Test
    void aDamagedPacketCostsTimeAndNothingElse() {
        Lab bad = lab("2e-6", KernelMode.ACTIVITY);
        Lab good = lab("0", KernelMode.ACTIVITY);
        long[] late = run(bad);
        assertThat(late[0]).isGreaterThan(run(good)[0]);
        assertThat(repeated(bad)).isPositive();
        assertThat(lab("2e-6", KernelMode.EXHAUSTIVE))
                .satisfies(lab -> assertThat(run(lab)).isEqualTo(late));
    }

    @Test
    void whatWasLostIsLostToReplay() {
        Lab bad = lab("2e-6", KernelMode.ACTIVITY);
        run(bad);
        JourneyLog log = Objects.requireNonNull(bad.sim().journeys());
        long lost = 0;
        for (int i = 0; i < log.size(); i++) {
            if (log.isDelay(i) && log.cause(i) == bad.sim().causes().pcieReplay) {
                lost += log.out(i) - log.in(i);
            }
        }
        assertThat(lost).isPositive();
    }
}
