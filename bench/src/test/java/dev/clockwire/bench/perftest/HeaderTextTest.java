package dev.clockwire.bench.perftest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.RateLimit;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Compared with the blocks that perftest itself printed on two virtual machines. */
class HeaderTextTest {
    private static final long V4 = 0xFFFF_0A00_0001L;
    private static final EndPoint LOCAL = new EndPoint(0x16, 0xc46d99, 0xaf1, 0x55dbddd49000L, 0, V4);
    private static final EndPoint REMOTE = new EndPoint(0x16, 0x4be44, 0x96d, 0x560be2e68000L, 0, V4 + 1);

    private static List<String> header(Tool tool) {
        PerftestSpec spec = new PerftestSpec(
                tool,
                Profiles.named("cx7-400g"),
                Provider.HW,
                QpType.RC,
                256,
                5,
                0,
                false,
                1,
                1,
                6,
                1,
                1,
                4096,
                220,
                16,
                AtomicKind.FETCH_AND_ADD,
                0,
                RateLimit.NONE,
                false,
                1,
                KernelMode.ACTIVITY,
                PayloadMode.BYTES,
                false,
                FaultPlan.NONE,
                false,
                BufferKind.POOLED,
                Rounds.SPREAD,
                Tuning.NONE);
        List<String> lines = new ArrayList<>();
        HeaderText.print(spec, "rxe0", 1, List.of(LOCAL), List.of(REMOTE), lines::add);
        return lines;
    }

    @Test
    void writeLatencyLooksLikeTheRealTool() {
        assertThat(header(Tool.WRITE_LAT))
                .containsExactly(
                        "---------------------------------------------------------------------------------------",
                        "                    RDMA_Write Latency Test",
                        " Dual-port       : OFF\t\tDevice         : rxe0",
                        " Number of qps   : 1\t\tTransport type : IB",
                        " Connection type : RC\t\tUsing SRQ      : OFF",
                        " PCIe relax order: OFF",
                        " ibv_wr* API     : OFF",
                        " TX depth        : 1",
                        " Mtu             : 4096[B]",
                        " Link type       : Ethernet",
                        " GID index       : 1",
                        " Max inline data : 220[B]",
                        " rdma_cm QPs\t : OFF",
                        " Data ex. method : Ethernet",
                        " Simulation      : profile cx7-400g, seed 1 (no hardware was measured)",
                        "---------------------------------------------------------------------------------------",
                        " local address: LID 0000 QPN 0x0016 PSN 0xc46d99 RKey 0x000af1 VAddr 0x0055dbddd49000",
                        " GID: 00:00:00:00:00:00:00:00:00:00:255:255:10:00:00:01",
                        " remote address: LID 0000 QPN 0x0016 PSN 0x4be44 RKey 0x00096d VAddr 0x00560be2e68000",
                        " GID: 00:00:00:00:00:00:00:00:00:00:255:255:10:00:00:02",
                        "---------------------------------------------------------------------------------------");
    }

    @Test
    void readsTellHowManyAreOutstanding() {
        assertThat(header(Tool.READ_BW))
                .contains(
                        "                    RDMA_Read BW Test",
                        " CQ Moderation   : 1",
                        " Outstand reads  : 16",
                        " local address: LID 0000 QPN 0x0016 PSN 0xc46d99 OUT 0x10 RKey 0x000af1 VAddr"
                                + " 0x0055dbddd49000")
                .noneMatch(line -> line.startsWith(" Max inline data"));
    }

    @Test
    void atomicsAndSendsHaveNoRemoteMemoryToTell() {
        assertThat(header(Tool.ATOMIC_BW))
                .contains(
                        "                    Atomic FETCH_AND_ADD BW Test",
                        " local address: LID 0000 QPN 0x0016 PSN 0xc46d99");
        assertThat(header(Tool.SEND_LAT))
                .contains("                    Send Latency Test", " remote address: LID 0000 QPN 0x0016 PSN 0x4be44");
    }
}
