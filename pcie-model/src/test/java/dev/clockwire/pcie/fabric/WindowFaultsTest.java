package dev.clockwire.pcie.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.pcie.endpoint.DmaError;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.WindowSpec;
import dev.clockwire.pcie.link.DataLinkSpec;
import dev.clockwire.pcie.link.FlowCredits;
import dev.clockwire.pcie.link.LinkTroubles;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.link.TlpFault;
import dev.clockwire.pcie.link.TlpFault.What;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.sim.SimSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Packets to memory of a device, and back, that are lost, wrong or late. Few credits: whatever happens to a packet, its credits come back. */
class WindowFaultsTest {
    private static final int PACKET = 256;
    private static final FlowCredits FEW = new FlowCredits(2, 32, 2, 0, 2, 32);
    private static final PcieLinkSpec LINK = PcieLinkSpec.of(4, 8).withCredits(FEW, FEW);
    private static final long US = 1_000_000;

    private static byte[] random(int n, int seed) {
        byte[] b = new byte[n];
        new Random(seed).nextBytes(b);
        return b;
    }

    private static FabricRig rig(PcieLinkSpec near, PcieLinkSpec far) {
        return new FabricRig(
                SimSpec.of(1).withWatchdogPs(0), new PcieSwitchSpec(90_000, false), WindowSpec.SSD, LINK, near, far);
    }

    /** The third of eight packets of a write never gets into memory; the others do, and so do the next writes. */
    @ParameterizedTest
    @CsvSource({"LOSE", "POISON", "MALFORM"})
    void aWriteThatIsStruckIsMissing(What what) {
        LinkTroubles troubles = LinkTroubles.of(TlpFault.of(false, TlpType.MWR, 3, what));
        FabricRig r = rig(LINK, LINK.withTroubles(troubles));
        byte[] data = random(8 * PACKET, 1);
        r.devices.get(0).write(1_000, r.large(1), data);
        r.devices.get(0).write(2_000, r.large(1) + 65_536, random(20_000, 2));
        r.sim.run(500 * US);
        for (int i = 0; i < 8; i++) {
            byte[] part = r.devices.get(1).content((long) i * PACKET, PACKET);
            byte[] expected = new byte[PACKET];
            if (i != 2) {
                System.arraycopy(data, i * PACKET, expected, 0, PACKET);
            }
            assertThat(part).as("packet " + i).isEqualTo(expected);
        }
        assertThat(r.devices.get(1).content(65_536, 20_000)).isEqualTo(random(20_000, 2));
    }

    /** A late packet is written late, and what is read behind it shows that. */
    @Test
    void aLateWriteIsWrittenLate() {
        TlpFault late = new TlpFault(false, TlpType.MWR, 1, What.DELAY, 100 * US);
        FabricRig r = rig(LINK, LINK.withTroubles(LinkTroubles.of(late)));
        r.devices.get(0).write(1_000, r.large(1), random(64, 1));
        DmaRead before = r.devices.get(0).read(50 * US, r.large(1), 64);
        DmaRead after = r.devices.get(0).read(150 * US, r.large(1), 64);
        r.sim.run(300 * US);
        assertThat(FabricRig.content(before)).containsOnly(0);
        assertThat(FabricRig.content(after)).isEqualTo(random(64, 1));
    }

    @ParameterizedTest
    @CsvSource({"LOSE, TIMEOUT", "MALFORM, TIMEOUT", "REFUSE, UNSUPPORTED", "ABORT, ABORTED"})
    void aReadThatIsStruckEndsAsAnError(What what, DmaError error) {
        LinkTroubles far = LinkTroubles.of(TlpFault.of(false, TlpType.MRD, 2, what));
        LinkTroubles near = LinkTroubles.NONE.withTimeout(100 * US);
        FabricRig r = rig(LINK.withTroubles(near), LINK.withTroubles(far));
        checkSecondFails(r, error);
    }

    @ParameterizedTest
    @CsvSource({"LOSE, TIMEOUT", "MALFORM, TIMEOUT", "POISON, POISONED"})
    void anAnswerThatIsStruckEndsAsAnError(What what, DmaError error) {
        LinkTroubles near =
                LinkTroubles.of(TlpFault.of(false, TlpType.CPLD, 3, what)).withTimeout(100 * US);
        FabricRig r = rig(LINK.withTroubles(near), LINK);
        checkSecondFails(r, error);
    }

    /** Six reads of two completions each; the second has the fault. */
    private static void checkSecondFails(FabricRig r, DmaError error) {
        byte[] data = random(4096, 3);
        r.devices.get(0).write(1_000, r.large(1), data);
        List<DmaRead> reads = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            reads.add(r.devices.get(0).read((10 + i) * US, r.large(1) + 512L * i, 512));
        }
        r.sim.run(1_000 * US);
        for (int i = 0; i < 6; i++) {
            DmaRead read = reads.get(i);
            assertThat(read.donePs).isPositive();
            if (i == 1) {
                assertThat(read.error).isEqualTo(error);
            } else {
                assertThat(read.error).isEqualTo(DmaError.NONE);
                assertThat(FabricRig.content(read)).isEqualTo(Arrays.copyOfRange(data, 512 * i, 512 * i + 512));
            }
        }
        assertThat(r.devices.get(0).endpoint.readsOutstanding()).isZero();
    }

    /** Damaged packets are sent again: nothing is lost, doubled or out of order. */
    @Test
    void bitErrorsChangeNothingButTimes() {
        long repeated = 0;
        for (int seed = 0; seed < 10; seed++) {
            PcieLinkSpec bad = LINK.withTroubles(LinkTroubles.of(DataLinkSpec.of(5e-6)));
            FabricRig r =
                    new FabricRig(SimSpec.of(seed), new PcieSwitchSpec(90_000, false), WindowSpec.SSD, LINK, bad, bad);
            byte[] data = random(60_000, seed);
            r.devices.get(0).write(1_000, r.large(1) + 100 + seed, data);
            DmaRead back = r.devices.get(0).read(1_001, r.large(1) + 100 + seed, 60_000);
            r.sim.run(2_000 * US);
            assertThat(back.status).isEqualTo(CompletionStatus.SC);
            assertThat(FabricRig.content(back)).isEqualTo(data);
            repeated += Objects.requireNonNull(
                            r.devices.get(1).endpoint.transmitter().errors())
                    .repeated();
        }
        assertThat(repeated).isPositive();
    }
}
