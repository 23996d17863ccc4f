package dev.clockwire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.FaultCount;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultDirection;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.nvmf.lab.NvmfLab;
import dev.clockwire.storage.nvmf.lab.NvmfLabSpec;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RemoteDiskTest {
    private static final int BYTES = 16_384;

    /** A host, a line and a target with one SSD, in which a plan of faults comes true. */
    private static NvmfLab lab(FaultPlan faults) {
        LabSpec hosts = LabSpec.of(1).withFaults(faults);
        return new NvmfLab(NvmfLabSpec.spdk(Profiles.named("cx7-400g"), hosts, List.of(NvmeSpec.of("p5800x"))));
    }

    private static byte[] random() {
        byte[] data = new byte[BYTES];
        new Random(1).nextBytes(data);
        return data;
    }

    @Test
    void whatIsWrittenIsReadBack() {
        NvmfLab lab = lab(FaultPlan.NONE);
        RemoteDisk disk = new RemoteDisk(lab, BYTES);
        long start = lab.sim().now();
        assertThat(disk.write(100, random())).isZero();
        assertThat(lab.sim().now() - start).as("a write in ps").isBetween(5_000_000L, 30_000_000L);
        byte[] back = new byte[BYTES];
        assertThat(disk.read(100, back)).isZero();
        assertThat(back).isEqualTo(random());
    }

    @Test
    void whatIsNotThereIsRefused() {
        RemoteDisk disk = new RemoteDisk(lab(FaultPlan.NONE), BYTES);
        int status = disk.read(1L << 40, new byte[BYTES]);
        assertThat(status & 0x7FF)
                .as("LBA out of range; bit 14 says not to try again")
                .isEqualTo(0x80);
        assertThat(disk.read(0, new byte[BYTES])).isZero();
    }

    /** Every seventh frame is lost, on both ways: the NICs send it again, and nobody above them notices. */
    @Test
    void lostFramesAreSentAgain() {
        FaultRule lost = FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Frames(every(7, 60, 400)));
        NvmfLab lab = lab(FaultPlan.of(lost.in(FaultDirection.BOTH)));
        RemoteDisk disk = new RemoteDisk(lab, BYTES);
        byte[] back = new byte[BYTES];
        for (int i = 0; i < 20; i++) {
            long block = 32L * i;
            assertThat(disk.write(block, random())).isZero();
            assertThat(disk.read(block, back)).isZero();
            assertThat(back).isEqualTo(random());
        }
        assertThat(lab.lab().faults().stream().mapToLong(FaultCount::hits).sum())
                .as("frames lost")
                .isGreaterThan(10);
    }

    private static List<Long> every(int step, long from, long to) {
        return LongStream.iterate(from, n -> n < to, n -> n + step).boxed().toList();
    }
}
