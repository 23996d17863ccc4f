package dev.clockwire.pcie.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.pcie.link.DllpMode;
import dev.clockwire.pcie.link.FlowCredits;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.PayloadMode;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Bandwidths and windows that the closed forms of the literature give, measured on a link that runs: MPS 256, 64-bit
 * addresses, 4 KB transfers, enough of everything else unless said.
 */
class LinkTargetsTest {
    private static final long WARM_UP = 5_000_000;
    private static final long MEASURED = 200_000_000;
    private static final FlowCredits MANY = FlowCredits.INFINITE;

    private static PcieLinkSpec link(int generation, int lanes, int mrrs) {
        return PcieLinkSpec.of(generation, lanes)
                .withSizes(256, mrrs)
                .withReadLimits(768, 0)
                .withCredits(MANY, MANY);
    }

    private static Rig rig(PcieLinkSpec link, HostSpec host) {
        return new Rig(SimSpec.of(1), link, host, CpuSpec.free(), PayloadMode.SIZES);
    }

    /** Writes and reads of a size, so many of each in flight that the link is the limit; returns {write, read} in Gb/s. */
    private static double[] run(PcieLinkSpec link, int size, int writers, int readers) {
        Rig rig = rig(link, HostSpec.server());
        long[] bytes = new long[2];
        rig.device.reaction = t -> {
            boolean counted = rig.sim.now() >= WARM_UP;
            long next = rig.sim.now() + 1;
            if (t instanceof DmaWrite w) {
                bytes[0] += counted ? w.length : 0;
                rig.endpoint.writePort().send(next, 0, 0, 0, w);
            } else if (t instanceof DmaRead r) {
                bytes[1] += counted ? r.length : 0;
                r.into.clear();
                rig.endpoint.readPort().send(next, 0, 0, 0, r);
            }
        };
        for (int i = 0; i < writers; i++) {
            rig.write(1 + i, rig.bulk.address() + 4096L * i, new byte[size]);
        }
        for (int i = 0; i < readers; i++) {
            rig.read(1 + i, rig.bulk.address() + 4096L * (64 + i), size, i, 64);
        }
        rig.sim.run(WARM_UP + MEASURED);
        return new double[] {bytes[0] * 8_000.0 / MEASURED, bytes[1] * 8_000.0 / MEASURED};
    }

    @Test
    void theAccountingOfPcieBench() { // P1
        PcieLinkSpec link = link(3, 8, 512).withDllpMode(DllpMode.PCIE_BENCH);
        assertThat(run(link, 4096, 4, 0)[0]).isCloseTo(52.92, within(0.053));
        assertThat(run(link, 4096, 0, 48)[1]).isCloseTo(53.69, within(0.054));
    }

    @ParameterizedTest
    @CsvSource({"3, 8, 56.90", "4, 16, 228.49", "5, 16, 456.97"})
    void writes(int generation, int lanes, double gigabits) { // P2
        assertThat(run(link(generation, lanes, 512), 4096, 8, 0)[0]).isCloseTo(gigabits, Percentage.withPercentage(1));
    }

    @ParameterizedTest
    @CsvSource({"3, 8, 57.72", "4, 16, 231.80", "5, 16, 463.59"})
    void reads(int generation, int lanes, double gigabits) { // P3
        assertThat(run(link(generation, lanes, 512), 4096, 0, 48)[1]).isCloseTo(gigabits, Percentage.withPercentage(1));
        assertThat(run(link(generation, lanes, 4096), 4096, 0, 48)[1])
                .isCloseTo(gigabits, Percentage.withPercentage(1));
    }

    @ParameterizedTest
    @CsvSource({"3, 8, 47.41", "4, 16, 190.40", "5, 16, 380.81"})
    void readsInPiecesOf64Bytes(int generation, int lanes, double gigabits) { // P4
        PcieLinkSpec link = link(generation, lanes, 512).withCompletions(64, false);
        assertThat(run(link, 4096, 0, 48)[1]).isCloseTo(gigabits, Percentage.withPercentage(1));
    }

    @ParameterizedTest
    @CsvSource({"3, 8, 45.26", "4, 16, 181.75", "5, 16, 363.50"})
    void smallWrites(int generation, int lanes, double gigabits) { // P5
        assertThat(run(link(generation, lanes, 512), 64, 32, 0)[0]).isCloseTo(gigabits, Percentage.withPercentage(1));
    }

    @ParameterizedTest
    @CsvSource({
        "3, 8, 512, 54.56",
        "4, 16, 512, 219.10",
        "5, 16, 512, 438.19",
        "3, 8, 4096, 56.59",
        "4, 16, 4096, 227.27",
        "5, 16, 4096, 454.54"
    })
    void readsAndWritesAtOnce(int generation, int lanes, int mrrs, double gigabits) { // P6
        double[] both = run(link(generation, lanes, mrrs), 4096, 4, 64);
        double total =
                both[0] + Math.min(both[1], gigabits); // reads may run ahead of their share of the other direction
        assertThat(both[0]).isCloseTo(gigabits, Percentage.withPercentage(1.5));
        assertThat(total).isGreaterThan(2 * gigabits * 0.985);
    }

    private static double oneReadAtATime(PcieLinkSpec link, int window, int length, long roundTrip) {
        HostSpec host = HostSpec.server().withRoundTrip(link, roundTrip);
        Rig rig = rig(link, host);
        DmaRead r = rig.read(1, rig.bulk.address(), length, 0, window);
        rig.sim.run(1_000_000_000);
        assertThat(r.into.length()).isEqualTo(length);
        return length / ((r.donePs - r.issuedPs) / 1000.0);
    }

    @ParameterizedTest
    @CsvSource({"3, 8, 3.84", "4, 16, 6.39", "5, 16, 7.18"})
    void oneReadOf4KOutstanding(int generation, int lanes, double gigabytes) { // P7
        double b = oneReadAtATime(link(generation, lanes, 4096), 1, 1 << 20, 500_000);
        assertThat(b).isCloseTo(gigabytes, Percentage.withPercentage(1));
    }

    @ParameterizedTest
    @CsvSource({"3, 8, 7.2", "4, 16, 16.4", "5, 16, 16.4"})
    void thirtyTwoTags(
            int generation, int lanes, double gigabytes) { // P8: the round trip of 1 us includes the data time
        PcieLinkSpec link = link(generation, lanes, 512).withReadLimits(32, 0);
        long data = generation == 3 ? 70_000 : generation == 4 ? 17_700 : 8_800;
        double b = oneReadAtATime(link, 64, 1 << 22, 1_000_000 - data);
        assertThat(b).isCloseTo(gigabytes, Percentage.withPercentage(1));
    }

    @ParameterizedTest
    @CsvSource({
        "3, 8, 300, 5",
        "3, 8, 500, 8",
        "3, 8, 1000, 15",
        "4, 16, 300, 17",
        "4, 16, 500, 29",
        "4, 16, 1000, 57",
        "5, 16, 300, 34",
        "5, 16, 500, 57",
        "5, 16, 1000, 114"
    })
    void tagsForTheFullRate(
            int generation, int lanes, long roundTrip, int tags) { // P9: one more, as data time comes on top
        PcieLinkSpec link = link(generation, lanes, 512).withDelays(20_000, 20_000);
        double full = oneReadAtATime(link.withReadLimits(768, 0), 700, 1 << 18, roundTrip * 1000);
        int needed = tags - 2;
        assertThat(oneReadAtATime(link.withReadLimits(needed, 0), 700, 1 << 18, roundTrip * 1000))
                .isLessThan(0.99 * full);
        while (oneReadAtATime(link.withReadLimits(needed, 0), 700, 1 << 18, roundTrip * 1000) < 0.995 * full) {
            needed++;
        }
        assertThat(needed).isBetween(tags, tags + 1);
    }
}
