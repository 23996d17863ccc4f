package dev.clockwire.pcie.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.pcie.endpoint.DmaError;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A device without an IOMMU in front of it asks for addresses that no memory has: reads are refused, writes are lost, the rest goes on. */
class NowhereTest {
    private static final long NOWHERE = 0x7FFF_0000_1000L;
    private static final int BYTES = 3000;

    private static HostSpec host(boolean stalls) {
        HostDepth depth = HostDepth.NONE;
        return HostSpec.server()
                .withDepth(stalls ? depth.withStalls(new StallSpec(50_000_000, 1_000_000, 1, false, 0, 0)) : depth);
    }

    @Test
    void readsAreRefusedAndWritesAreLost() {
        for (boolean stalls : new boolean[] {false, true}) {
            List<Long> hashes = new ArrayList<>();
            for (KernelMode mode : KernelMode.values()) {
                Rig rig = new Rig(
                        SimSpec.of(1).withMode(mode),
                        PcieLinkSpec.of(4, 16),
                        host(stalls),
                        CpuSpec.free(),
                        PayloadMode.BYTES);
                byte[] ones = new byte[BYTES];
                Arrays.fill(ones, (byte) 1);
                DmaRead read = rig.read(1, NOWHERE, BYTES, 0, 8);
                DmaWrite lost = rig.write(2, NOWHERE, ones);
                DmaRead half = rig.read(3, rig.bulk.end() - 1000, BYTES, 1, 8);
                DmaWrite good = rig.write(4, rig.real.address(), ones);
                DmaRead behind = rig.read(5, rig.real.address(), BYTES, 2, 8);
                rig.sim.run(100_000_000);
                assertThat(rig.device.done).contains(read, lost, half, good, behind);
                assertThat(List.of(read.status, half.status, behind.status))
                        .isEqualTo(List.of(CompletionStatus.UR, CompletionStatus.UR, CompletionStatus.SC));
                assertThat(read.error).isEqualTo(DmaError.UNSUPPORTED);
                assertThat(behind.into.byteAt(BYTES - 1)).isEqualTo((byte) 1);
                assertThat(rig.port.errors().refused()).isPositive();
                assertThat(rig.endpoint.readsOutstanding()).isZero();
                hashes.add(rig.sim.traceHash());
            }
            assertThat(hashes).as("stalls %s", stalls).allMatch(hashes.get(0)::equals);
        }
    }
}
