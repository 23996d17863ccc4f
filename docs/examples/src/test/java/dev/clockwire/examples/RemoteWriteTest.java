package dev.clockwire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.stats.StatRegistry;
import dev.clockwire.sim.trace.JourneyIndex;
import dev.clockwire.sim.trace.Waterfall;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RemoteWriteTest {
    private static final int BYTES = 65536;
    private static final long MS = 1_000_000_000L;

    /** Two hosts, two connected queue pairs, and one 64 KB WRITE from a to b. */
    private static final class Scenario {
        final Lab lab;
        final Peer a;
        final Peer b;
        final WorkCompletion[] completions = WorkCompletion.array(1);

        Scenario(Profile profile, LabSpec spec) {
            lab = Lab.twoHosts(profile, spec);
            a = new Peer(lab, lab.a(), BYTES);
            b = new Peer(lab, lab.b(), BYTES);
            a.connect(b);
            b.connect(a);
        }

        WorkCompletion write() {
            SendBatch batch = new SendBatch(1, 1);
            SendEntry wr = batch.add();
            wr.wrId = 7;
            wr.opcode = WrOpcode.RDMA_WRITE;
            wr.flags = SendFlag.SIGNALED.code();
            wr.sges().add(a.address(), BYTES, a.region().lkey());
            wr.remoteAddress = b.address();
            wr.rkey = b.region().rkey();
            a.qp().postSend(batch);
            assertThat(lab.sim().runUntil(a.cq()::hasCompletion, lab.sim().now() + MS))
                    .isTrue();
            assertThat(a.cq().poll(completions)).isEqualTo(1);
            return completions[0];
        }
    }

    @Test
    void aWriteArrivesAndCompletes() {
        Scenario s = new Scenario(Profiles.named("cx7-400g"), LabSpec.of(1));
        byte[] data = new byte[BYTES];
        new Random(1).nextBytes(data);
        s.a.fill(data);
        WorkCompletion wc = s.write();
        assertThat(wc.status).isEqualTo(WcStatus.SUCCESS);
        assertThat(wc.wrId).isEqualTo(7);
        s.lab.sim().run(s.lab.sim().now() + MS);
        assertThat(s.b.content(BYTES)).isEqualTo(data);
    }

    @Test
    void theWaterfallExplainsEachNanosecond() {
        Scenario s = new Scenario(Profiles.named("article-1"), LabSpec.of(1).withJourneys(1 << 16));
        s.write();
        JourneyIndex index = new JourneyIndex(Objects.requireNonNull(s.lab.sim().journeys()));
        Waterfall w = Waterfall.of(index, s.lab.sim().stages(), index.journeys()[0]);
        assertThat(w.perStage().keySet()).contains("post", "wqe_fetch", "payload_dma", "wire", "cqe_write");
        assertThat(w.perStage().values().stream().mapToLong(ps -> ps).sum()).isEqualTo(w.totalPs());
    }

    @Test
    void moreOutstandingReadsShortenTheOperation() {
        Profile serial = Profiles.named("article-1");
        Profile parallel = serial.with("nic.dma.payload_outstanding_reads", "16");
        assertThat(latency(parallel)).isLessThan(latency(serial) - 8_000_000);
    }

    private static long latency(Profile profile) {
        Scenario s = new Scenario(profile, LabSpec.of(1));
        long start = s.lab.sim().now();
        s.write();
        return s.lab.sim().now() - start;
    }

    @Test
    void statisticsAreReadByName() {
        Scenario s = new Scenario(Profiles.named("cx7-400g"), LabSpec.of(1));
        StatRegistry stats = s.lab.sim().stats();
        stats.reset(s.lab.sim().now());
        s.write();
        s.lab.sim().run(s.lab.sim().now() + MS);
        assertThat(stats.value("host1.pcie.up.data_bytes")).isEqualTo(BYTES);
        assertThat(stats.value("host0.nic.local_ack_timeout_err")).isZero();
    }

    @Test
    void bothKernelModesGiveTheSameTrace() {
        assertThat(traceHash(KernelMode.EXHAUSTIVE)).isEqualTo(traceHash(KernelMode.ACTIVITY));
    }

    private static long traceHash(KernelMode mode) {
        LabSpec spec = LabSpec.of(1).withMode(mode).withFullHash(true);
        Scenario s = new Scenario(Profiles.named("cx7-400g"), spec);
        s.write();
        return s.lab.sim().traceHash();
    }
}
