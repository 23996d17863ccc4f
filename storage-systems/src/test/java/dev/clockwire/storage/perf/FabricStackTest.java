package dev.clockwire.storage.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.nvmf.lab.NvmfLabSpec;
import dev.clockwire.storage.reactor.CoreMask;
import dev.clockwire.storage.reactor.ReactorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole path under load. */
class FabricStackTest {
    private final Profile profile = Profiles.named("cx7-400g");

    private static FabricStack stack(Profile profile, LabSpec lab, int depth, int cores, int pairs, String media) {
        return stack(profile, lab, depth, cores, pairs, media, false);
    }

    private static FabricStack stack(
            Profile profile, LabSpec lab, int depth, int cores, int pairs, String media, boolean adaptive) {
        NvmfLabSpec spec = FabricRig.spec(profile, lab, FabricRig.QUICK, media)
                .withCores(CoreMask.first(cores), CoreMask.first(cores))
                .withReactors(ReactorSpec.server().withAdaptive(adaptive));
        return FabricRig.stack(spec, depth, pairs);
    }

    /** Each instant of an I/O belongs to one stage. */
    @ParameterizedTest
    @CsvSource({"1,100", "1,0", "16,70"})
    void stagesSumUpToTheLatency(int depth, int reads) {
        FabricStack s = stack(profile, LabSpec.of(1).withPayload(PayloadMode.SIZES), depth, 1, 1, "p5800x");
        PerfResult r =
                FabricRig.run(s, FabricRig.load(depth, 4096, reads, 1_000)).get(0);
        StageTimes t = Objects.requireNonNull(s.queues().get(0).stages());
        double sum = 0;
        for (int i = 0; i < t.names().size(); i++) {
            sum += t.sumPs(i);
        }
        assertThat(t.count()).isEqualTo(r.latency().count()).isGreaterThan(80);
        assertThat(sum / t.count()).isCloseTo(r.latency().mean(), within(1.0));
        assertThat(r.errors()).isZero();
        assertThat(r.littleError()).isLessThan(0.02);
        boolean fetched = t.sumPs(t.names().indexOf("fetch_data")) > 0;
        assertThat(fetched).as("4 KiB of a write are inside the capsule").isFalse();
        if (depth == 1 && reads == 100) {
            // P5800X: 5 us and its PCIe; both ways over the line and through two NICs
            assertThat(r.latency().mean()).isBetween(8e6, 11e6);
        }
    }

    /** 64 KiB do not fit into a capsule: the target reads them from the host before it writes. */
    @Test
    void largeWritesAreFetched() {
        FabricStack s = stack(profile, LabSpec.of(1).withPayload(PayloadMode.SIZES), 2, 1, 1, "p5800x");
        PerfResult r = FabricRig.run(s, FabricRig.load(2, 65_536, 0, 1_000)).get(0);
        StageTimes t = Objects.requireNonNull(s.queues().get(0).stages());
        assertThat(t.sumPs(t.names().indexOf("fetch_data")) / (double) t.count())
                .as("at least the time of 64 KiB on 400 Gb/s")
                .isGreaterThan(65_536 * 8 / 0.4);
        assertThat(r.errors()).isZero();
    }

    /** Reactors that sleep leave cores idle, pay an interrupt and two switches for each wake-up, and lose nothing. */
    @Test
    void sleepingReactorsWaitForInterrupts() {
        PerfSpec load = FabricRig.load(1, 4096, 100, 1_000);
        LabSpec lab = LabSpec.of(1).withPayload(PayloadMode.SIZES);
        FabricStack awake = stack(profile, lab, 1, 1, 1, "p5800x");
        FabricStack drowsy = stack(profile, lab, 1, 1, 1, "p5800x", true);
        PerfResult polled = FabricRig.run(awake, load).get(0);
        PerfResult woken = FabricRig.run(drowsy, load).get(0);
        assertThat(woken.errors()).isZero();
        assertThat(woken.littleError()).isLessThan(0.02);
        assertThat(woken.latency().mean() - polled.latency().mean())
                .as("three wake-ups on the way of a read: capsule, SSD, response")
                .isBetween(3e6, 15e6);
        for (int i = 0; i < 2; i++) {
            assertThat(drowsy.cores().get(i).busyPs())
                    .isLessThan(awake.cores().get(i).busyPs() * 9 / 10);
        }
    }

    /** What is skipped and what data are changes no time and no frame. */
    @Test
    void modesAgree() {
        PerfSpec load = FabricRig.load(4, 4096, 70, 60);
        List<Long> hashes = new ArrayList<>();
        for (LabSpec lab : List.of(
                LabSpec.of(1),
                LabSpec.of(1).withPayload(PayloadMode.SIZES),
                LabSpec.of(1).withMode(KernelMode.EXHAUSTIVE))) {
            FabricStack s = stack(profile, lab, 4, 1, 1, "p5800x");
            PerfResult r = FabricRig.run(s, load).get(0);
            assertThat(r.latency().count()).isGreaterThan(15);
            hashes.add(s.sim().traceHash());
            hashes.add(r.latency().count() << 32 | (long) r.latency().mean());
            hashes.add(s.cores().get(0).busyPs() + s.cores().get(0).pollingPs());
        }
        assertThat(hashes.subList(3, 6)).isEqualTo(hashes.subList(0, 3));
        assertThat(hashes.subList(6, 9)).isEqualTo(hashes.subList(0, 3));
    }

    /** 100 Gb/s carry 2.91 M reads of 4 KiB at most; a core and a medium without latency come near what the core allows. */
    @Test
    void theLineIsTheCeiling() {
        Profile slow = profile.with("link.gbps", "10");
        FabricStack s = stack(slow, LabSpec.of(1).withPayload(PayloadMode.SIZES), 64, 1, 1, "null");
        PerfResult r = FabricRig.run(s, FabricRig.load(64, 4096, 100, 1_000)).get(0);
        double ceiling = 10e9 / 8 / (4096 + 82 + 16 + 82 + 16);
        assertThat(r.iops()).isLessThan(ceiling).isGreaterThan(0.9 * ceiling);
    }

    /** The connection manager asks for the path MTU of the profile: 4 KiB are four packets of 1024 bytes. */
    @Test
    void thePathMtuIsThatOfTheProfile() {
        FabricStack s = stack(profile.with("link.mtu", "1024"), LabSpec.of(1), 1, 1, 1, "null");
        int[] largest = new int[1];
        s.lab().lab().tapFrames((ps, end, frame) -> {
            if (frame instanceof RocePacket p) {
                largest[0] = Math.max(largest[0], p.payloadLength);
            }
        });
        FabricRig.run(s, FabricRig.load(1, 4096, 50, 100));
        assertThat(largest[0]).isEqualTo(1024);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void severalCoresAndPairs(boolean soft) {
        LabSpec lab = LabSpec.of(1).withPayload(PayloadMode.SIZES);
        FabricStack s = stack(profile, soft ? lab.withSoft(SoftSpec.usual()) : lab, 8, 2, 2, "p5800x");
        List<PerfResult> all = FabricRig.run(s, FabricRig.load(8, 4096, 50, 300));
        assertThat(all).hasSize(2);
        assertThat(all).allSatisfy(r -> {
            assertThat(r.errors()).isZero();
            assertThat(r.latency().count()).isGreaterThan(100);
        });
        assertThat(s.controller().queues())
                .hasSize(4)
                .allSatisfy(q -> assertThat(q.completed()).isPositive());
    }
}
