package dev.clockwire.pcie.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.pcie.config.ConfigSpace;
import dev.clockwire.pcie.config.ConfigSpec;
import dev.clockwire.pcie.link.DataLinkSpec;
import dev.clockwire.pcie.link.DataLinkSpec.Damage;
import dev.clockwire.pcie.link.DllpMode;
import dev.clockwire.pcie.link.FlowCredits;
import dev.clockwire.pcie.link.LinkError;
import dev.clockwire.pcie.link.LinkErrors;
import dev.clockwire.pcie.link.LinkRate;
import dev.clockwire.pcie.link.LinkTroubles;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** The data link layer under damage that a test chooses; times follow from the base specification's rules. */
class ReplayTest {
    private static final boolean UP = true;
    private static final boolean DOWN = false;
    /** Acknowledge limit of Gen3 x8 with MPS 256: 203 symbols of 1.015625 ns. */
    private static final long LIMIT = 206_171;

    private static PcieLinkSpec link(DataLinkSpec layer) {
        return PcieLinkSpec.of(3, 8).withDllpMode(DllpMode.FRAMING).withTroubles(LinkTroubles.of(layer));
    }

    private static Rig rig(DataLinkSpec layer) {
        return new Rig(SimSpec.of(1), link(layer));
    }

    private static LinkErrors device(Rig rig) {
        return Objects.requireNonNull(rig.endpoint.transmitter().errors());
    }

    private static LinkErrors root(Rig rig) {
        return Objects.requireNonNull(rig.port.transmitter().errors());
    }

    /** Time on the wire of a write with 256 bytes above 4 GB, and of a DLLP, rounded down. */
    private static long wire(PcieLinkSpec link, int bytes) {
        LinkRate rate = LinkRate.of(link);
        return bytes * rate.num() / rate.den();
    }

    private static byte[] filled(int x) {
        byte[] b = new byte[256];
        java.util.Arrays.fill(b, (byte) x);
        return b;
    }

    @Test
    void theThirdOfFivePacketsIsDamagedAndTheRestIsSentAgain() { // alexforencich/cocotbext-pcie issue 3
        Rig rig = rig(DataLinkSpec.of(0).damage(Damage.tlp(UP, 3)));
        List<Long> order = new ArrayList<>();
        rig.host.memory().watch(rig.bulk.address(), 5 * 256, (va, n) -> order.add((va - rig.bulk.address()) / 256));
        for (int i = 0; i < 5; i++) {
            rig.write(1, rig.bulk.address() + 256L * i, filled(i + 1));
        }
        rig.sim.run(3_000_000);
        for (int i = 0; i < 5; i++) {
            assertThat(rig.host.memory().getInt(rig.bulk.address() + 256L * i + 128))
                    .isEqualTo(0x01010101 * (i + 1));
        }
        assertThat(order).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(root(rig).count(LinkError.BAD_TLP)).isEqualTo(1);
        assertThat(root(rig).naks()).isEqualTo(1);
        assertThat(device(rig).repeated()).isEqualTo(3);
        assertThat(root(rig).duplicates()).isZero();
        assertThat(device(rig).count(LinkError.REPLAY_TIMER)).isZero();
        assertThat(rig.endpoint.transmitter().packets()).isEqualTo(5);
        assertThat(rig.endpoint.transmitter().wireBytes()).isEqualTo(8 * 280);
    }

    @Test
    void aNakCostsOneRoundTripOfTheLink() {
        DataLinkSpec layer = DataLinkSpec.of(0).damage(Damage.tlp(UP, 1));
        PcieLinkSpec link = link(layer);
        Rig rig = rig(layer);
        long[] commit = {0};
        rig.host.memory().watch(rig.bulk.address(), 256, (va, n) -> commit[0] = rig.sim.now());
        rig.write(1, rig.bulk.address(), filled(1));
        rig.sim.run(3_000_000);

        Rig good = rig(DataLinkSpec.of(0));
        long[] before = {0};
        good.host.memory().watch(good.bulk.address(), 256, (va, n) -> before[0] = good.sim.now());
        good.write(1, good.bulk.address(), filled(1));
        good.sim.run(3_000_000);
        // packet there 1 ps before it is due, NAK back, packet again
        long expected = link.upPs() - 1 + wire(link, 8) + link.downPs() + wire(link, 280);
        assertThat(commit[0] - before[0]).isBetween(expected, expected + 1);
    }

    @Test
    void oneAcknowledgementServesManyPacketsAndItsLossIsHealedByTheNext() {
        Rig rig = rig(DataLinkSpec.of(0).damage(Damage.dllp(DOWN, 1)));
        for (int i = 0; i < 4; i++) {
            rig.write(1 + 300_000L * i, rig.bulk.address(), filled(i));
        }
        rig.sim.run(5_000_000);
        assertThat(device(rig).count(LinkError.BAD_DLLP)).isEqualTo(1);
        assertThat(device(rig).count(LinkError.REPLAY_TIMER)).isZero();
        assertThat(device(rig).repeated()).isZero();
    }

    @Test
    void aLostAcknowledgementWithNothingBehindItEndsTheReplayTimer() {
        DataLinkSpec layer = DataLinkSpec.of(0).damage(Damage.dllp(DOWN, 2)); // the first one returns credits
        PcieLinkSpec link = link(layer);
        Rig rig = rig(layer);
        rig.write(1, rig.bulk.address(), filled(1));
        long due = 1 + wire(link, 280) + 3 * LIMIT + link.upPs() + link.downPs();
        rig.sim.run(due - 5);
        assertThat(device(rig).count(LinkError.REPLAY_TIMER)).isZero();
        rig.sim.run(due + 5);
        assertThat(device(rig).count(LinkError.REPLAY_TIMER)).isEqualTo(1);
        rig.sim.run(5_000_000);
        assertThat(device(rig).repeated()).isEqualTo(1);
        assertThat(root(rig).duplicates()).isEqualTo(1);
        assertThat(root(rig).count(LinkError.BAD_TLP)).isZero();
        assertThat(device(rig).count(LinkError.REPLAY_TIMER)).isEqualTo(1);
    }

    @Test
    void theFourthRepetitionInVainRetrainsTheLinkAndKeepsThePacket() {
        Damage[] four = {Damage.tlp(UP, 1), Damage.tlp(UP, 2), Damage.tlp(UP, 3), Damage.tlp(UP, 4)};
        Damage[] three = {four[0], four[1], four[2]};
        Rig rig = rig(DataLinkSpec.of(0).damage(three));
        rig.write(1, rig.bulk.address(), filled(7));
        rig.sim.run(20_000_000);
        assertThat(device(rig).count(LinkError.REPLAY_ROLLOVER)).isZero();

        Rig worse = rig(DataLinkSpec.of(0).damage(four));
        long[] commit = {0};
        worse.host.memory().watch(worse.bulk.address(), 256, (va, n) -> commit[0] = worse.sim.now());
        worse.write(1, worse.bulk.address(), filled(7));
        worse.sim.run(20_000_000);
        assertThat(device(worse).count(LinkError.REPLAY_ROLLOVER)).isEqualTo(1);
        assertThat(worse.host.memory().getInt(worse.bulk.address())).isEqualTo(0x07070707);
        assertThat(commit[0]).isGreaterThan(4_000_000);
    }

    @Test
    void everyNakIsLostAndTheTimerHelps() {
        Rig rig = rig(DataLinkSpec.of(0).damage(Damage.tlp(UP, 2), Damage.dllp(DOWN, 1)));
        rig.write(1, rig.bulk.address(), filled(1));
        rig.write(1, rig.bulk.address() + 256, filled(2));
        rig.sim.run(5_000_000);
        assertThat(root(rig).naks()).isEqualTo(1);
        assertThat(device(rig).count(LinkError.REPLAY_TIMER)).isEqualTo(1);
        assertThat(device(rig).repeated()).isEqualTo(2);
        assertThat(root(rig).duplicates()).isEqualTo(1); // the first had come
        assertThat(rig.host.memory().getInt(rig.bulk.address() + 256)).isEqualTo(0x02020202);
    }

    @Test
    void sequenceNumbersWrap() {
        Rig rig = rig(DataLinkSpec.of(1e-6));
        int packets = 5_000;
        for (int i = 0; i < packets; i++) {
            byte[] data = {(byte) i, (byte) (i >> 8), 0, 0};
            rig.write(1 + 2_000L * i, rig.bulk.address() + 4L * i, data);
        }
        rig.sim.run(100_000_000);
        for (int i = 0; i < packets; i++) {
            assertThat(rig.host.memory().getInt(rig.bulk.address() + 4L * i)).isEqualTo(i & 0xffff);
        }
        assertThat(device(rig).count(LinkError.REPLAY_TIMER)).isZero();
    }

    @Test
    void damagedCreditUpdatesAreRepairedByTheNextOrAfterThirtyMicroseconds() {
        PcieLinkSpec link = link(DataLinkSpec.of(0).damage(Damage.dllp(DOWN, 1), Damage.dllp(DOWN, 2)))
                .withCredits(new FlowCredits(1, 16, 1, 2, 0, 0), FlowCredits.ADAPTER);
        Rig rig = new Rig(SimSpec.of(1), link);
        rig.write(1, rig.bulk.address(), filled(1)); // its credit update and its acknowledgement are lost
        rig.write(1, rig.bulk.address() + 256, filled(2));
        rig.sim.run(29_000_000);
        assertThat(rig.host.memory().getInt(rig.bulk.address() + 256)).isZero();
        rig.sim.run(32_000_000);
        assertThat(rig.host.memory().getInt(rig.bulk.address() + 256)).isEqualTo(0x02020202);
    }

    @Test
    void aSmallRetryBufferHoldsTheRateDown() { // packets in the buffer / (packet + both ways + acknowledge limit)
        DataLinkSpec small = DataLinkSpec.of(0).withRetryBytes(4 * 280);
        PcieLinkSpec link = link(small).withCredits(FlowCredits.INFINITE, FlowCredits.ADAPTER);
        Rig rig = new Rig(SimSpec.of(1), link, HostSpec.server(), CpuSpec.free(), PayloadMode.SIZES);
        for (int i = 0; i < 400; i++) {
            rig.write(1, rig.bulk.address(), filled(1));
        }
        rig.sim.run(20_000_000);
        // the limit runs from the first packet of four; its acknowledgement takes all that have come by then
        double round = wire(link, 280) + link.upPs() + LIMIT + wire(link, 8) + link.downPs();
        double expected = 4 * 20_000_000 / round;
        assertThat((double) rig.endpoint.transmitter().packets()).isCloseTo(expected, Percentage.withPercentage(2));
    }

    @Test
    void damagesFollowTheRateAndCostWhatGoBackNCosts() {
        double rate = 1e-5;
        PcieLinkSpec link = link(DataLinkSpec.of(rate)).withCredits(FlowCredits.INFINITE, FlowCredits.ADAPTER);
        Rig rig = new Rig(SimSpec.of(3), link, HostSpec.server(), CpuSpec.free(), PayloadMode.SIZES);
        rig.device.reaction = t -> rig.endpoint.writePort().send(rig.sim.now() + 1, 0, 0, 0, t);
        for (int i = 0; i < 16; i++) {
            rig.write(1, rig.bulk.address(), filled(1));
        }
        long span = 2_000_000_000L;
        rig.sim.run(span);
        double p = 1 - Math.pow(1 - rate, 8 * 280);
        double packet = 280.0 * LinkRate.of(link).num() / LinkRate.of(link).den();
        // each damage costs the packets between it and the NAK: both ways, the NAK, on average half a packet until one
        // ends
        double lost = (link.upPs() + link.downPs() + wire(link, 8)) / packet + 0.5;
        double expected = span / packet * (1 - p) / (1 - p + p * (1 + lost));
        assertThat((double) rig.endpoint.transmitter().packets()).isCloseTo(expected, Percentage.withPercentage(1.5));
        double hits = expected * p / (1 - p);
        assertThat((double) root(rig).count(LinkError.BAD_TLP)).isCloseTo(hits, Percentage.withPercentage(15));
    }

    private static int corrected(Rig rig, ConfigSpace space) {
        rig.sim.run(20_000_000);
        return space.read(ConfigSpace.AER + 0x10);
    }

    @Test
    void advancedErrorReportingSeesEachKind() {
        assertThat(status(Damage.tlp(DOWN, 1))).isEqualTo(1 << 6);
        assertThat(status(Damage.dllp(DOWN, 2))).isEqualTo(1 << 7 | 1 << 12);
        assertThat(status(Damage.tlp(UP, 1), Damage.tlp(UP, 2), Damage.tlp(UP, 3), Damage.tlp(UP, 4)))
                .isEqualTo(1 << 8 | 1 << 12); // one NAK only: after it the timer repeats
        assertThat(status()).isZero();
    }

    private static int status(Damage... damages) {
        Rig rig = rig(DataLinkSpec.of(0).damage(damages));
        ConfigSpace space = rig.endpoint.configure(new ConfigSpec(
                0x15b3, 0x1021, 1, 0x020000, 0, rig.endpoint.barSpecs(), 64, 0, 0, 0x8000, 512, rig.endpoint.link()));
        space.enumerated();
        rig.write(1, rig.bulk.address(), filled(1));
        rig.core.run(core -> core.mmioWrite(rig.endpoint.barAddress(0), 1, 4));
        int bits = corrected(rig, space);
        assertThat(space.read(ConfigSpace.EXPRESS + 8) >>> 16 & 1).isEqualTo(bits == 0 ? 0 : 1);
        return bits;
    }

    @Test
    void wrongValuesAreRefused() {
        assertThatThrownBy(() -> DataLinkSpec.of(1e-3)).hasMessageContaining("0.001 is not in 0..0.0001");
        assertThatThrownBy(() -> DataLinkSpec.of(0).withRetryBytes(-1)).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> Damage.tlp(UP, 0)).hasMessageContaining("count from 1");
        assertThatThrownBy(() -> new Rig(SimSpec.of(1), link(DataLinkSpec.of(0)).withDelays(1, 5)))
                .hasMessageContaining("at least 2 ps");
    }
}
