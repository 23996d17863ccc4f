package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.fabric.LinkSpec;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When frames leave, against closed forms. */
class TransmitTimingTest {
    private static final Profile BASE = Profiles.named("cx7-400g").with("link.gbps", "100");

    private static List<Long> starts(Profile profile, int length, int mtu) {
        Pair p = new Pair(Lab.twoHosts(profile, LabSpec.of(1)), QpType.UC, Mtu.ofBytes(mtu), Allocation.Kind.REAL);
        List<Long> starts = new ArrayList<>();
        p.lab.tapFrames((ps, end, frame) -> starts.add(ps));
        new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, length);
        p.next(p.a);
        return starts;
    }

    /** A MAC that stores the frame starts later by the beats that a cut-through one does not wait for. */
    @ParameterizedTest
    @ValueSource(ints = {1, 300, 1024, 4000, 4096})
    void storingAFrameCostsItsBeatsLessTheThreshold(int length) {
        int bus = 256;
        long cycle = 4000;
        long fast = starts(BASE, length, 4096).get(0);
        long slow =
                starts(BASE.with("nic.mac.cut_through", "false"), length, 4096).get(0);
        // IPv4 20, UDP 8, BTH 12, RETH 16, ICRC 4, Ethernet 14
        int bytes = 14 + 20 + 8 + 12 + 16 + (length + 3 & ~3) + 4;
        int beats = (bytes + bus - 1) / bus;
        assertThat(slow - fast).isEqualTo(cycle * (beats - Math.min(beats, 2)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"nic.mac.crossing_cycles", "nic.mac.pcs_cycles", "nic.mac.arbiter_cycles", "nic.tx.icrc_cycles"})
    void aCycleMoreInAnyStageIsACycleLaterOnTheLine(String path) {
        long before = starts(BASE, 100, 1024).get(0);
        long after = starts(BASE.with(path, Integer.toString(BASE.integer(path) + 1)), 100, 1024)
                .get(0);
        assertThat(after - before).isEqualTo(4000);
    }

    /** Once the line is the narrowest part, frames stand back to back: their distance is their line time. */
    @Test
    void framesStandBackToBackAtLineRate() {
        List<Long> starts = starts(BASE, 60_000, 1024);
        LinkSpec line = LinkSpec.ethernet(100, 10_000, 100_000);
        int headers = 14 + 20 + 8 + 12 + 4;
        long frame = line.linePs(8 + headers + 1024 + 4 + 12);
        for (int i = 20; i < starts.size() - 1; i++) {
            assertThat(starts.get(i) - starts.get(i - 1)).isBetween(frame - 1, frame + 1);
        }
    }

    /** The bus of the blocks is narrower than the line: a frame every so many beats. */
    @Test
    void aNarrowBusSetsTheDistance() {
        Profile narrow =
                Profiles.named("cx7-400g").with("nic.datapath_bytes", "32").with("link.gbps", "1600");
        List<Long> starts = starts(narrow, 60_000, 1024);
        int beats = (14 + 20 + 8 + 12 + 4 + 1024 + 31) / 32;
        for (int i = 20; i < starts.size() - 1; i++) {
            assertThat(starts.get(i) - starts.get(i - 1)).as("frame " + i).isEqualTo(4000L * beats);
        }
    }

    /** No message leaves before all of it is here, even if a later one needs no payload at all. */
    @Test
    void aStoredMessageLeavesWhole() {
        Profile stored = BASE.with("nic.dma.store_and_forward", "message")
                .with("pcie.generation", "1")
                .with("pcie.lanes", "1");
        Pair p = new Pair(Lab.twoHosts(stored, LabSpec.of(1)), QpType.UC, Mtu.MTU_1024, Allocation.Kind.REAL);
        List<Long> starts = new ArrayList<>();
        p.lab.tapFrames((ps, end, frame) -> starts.add(ps));
        Posts posts = new Posts(p.a, p.b);
        posts.post(WrOpcode.RDMA_WRITE, 16 * 1024);
        posts.post(WrOpcode.RDMA_WRITE, 0);
        p.next(p.a);
        p.next(p.a);
        assertThat(starts).hasSize(17);
        // 16 KB take 65 us over the link; on the line a frame is 88 ns
        assertThat(starts.get(15) - starts.get(0)).isLessThan(16 * 100_000L);
    }
}
