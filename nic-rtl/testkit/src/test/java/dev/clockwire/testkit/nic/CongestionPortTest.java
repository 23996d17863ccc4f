package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.fabric.net.Headroom;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.wire.FrameEncoder;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a NIC's port does about congestion: pauses that it obeys and sends, marks that it answers. */
class CongestionPortTest {
    private static final int DATA = 24;
    private static final int OTHER = 0;
    private static final long US = 1_000_000;
    /** 1,000 quanta of 512 bits at 400 Gb/s. */
    private static final long KILOQUANTUM_PS = 1_280_000;

    private static Profile base() {
        return Profiles.named("cx7-400g");
    }

    private static Profile lossless() {
        return base().with("nic.pfc.classes", "8");
    }

    private static int between(List<PortPeer.Seen> frames, long from, long to) {
        return (int) frames.stream().filter(s -> s.ps() > from && s.ps() < to).count();
    }

    private static void inOrder(List<PortPeer.Seen> frames, int count) {
        assertThat(frames).hasSize(count);
        for (int i = 0; i < count; i++) {
            assertThat(Objects.requireNonNull(frames.get(i).packet()).psn).isEqualTo(i);
        }
    }

    /** Two queue pairs in two classes send 1 MiB each; the classes of a mask are paused at 10 us. Returns when the pause is over. */
    private static long halfway(PortPeer peer, PauseFrame pause, int quanta) {
        QueuePair data = peer.connect(DATA);
        QueuePair other = peer.connect(OTHER);
        peer.post(data, 16);
        peer.post(other, 16);
        long at = peer.now() + 10 * US;
        peer.pauseAt(at, pause);
        return at + KILOQUANTUM_PS * quanta / 1000;
    }

    @ParameterizedTest
    @ValueSource(ints = {3000, 20_000, 65_535})
    void aPausedClassStopsUntilTheTimeIsOverAndNoOther(int quanta) {
        PortPeer peer = new PortPeer(lossless(), LabSpec.of(1));
        long over = halfway(peer, PortPeer.pause(3, quanta), quanta);
        long begun = peer.now() + 10 * US;
        peer.run(400 * US);
        // the standard lets a port finish what it has begun: 905 quanta at 400 Gb/s
        long obeyed = begun + Headroom.reactionPs(400_000_000);
        assertThat(between(peer.packets(DATA), begun, over)).isLessThan(20);
        assertThat(between(peer.packets(DATA), obeyed, over)).isZero();
        assertThat(between(peer.packets(DATA), over, over + 2 * US)).isGreaterThan(20);
        assertThat(between(peer.packets(OTHER), obeyed, Math.min(over, obeyed + 2 * US)))
                .isGreaterThan(50);
        inOrder(peer.packets(DATA), 1024);
        inOrder(peer.packets(OTHER), 1024);
    }

    @Test
    void timeZeroEndsAPauseAndANewOneMakesItLonger() {
        PortPeer peer = new PortPeer(lossless(), LabSpec.of(1));
        long first = halfway(peer, PortPeer.pause(3, 10_000), 10_000);
        long second = first - 2 * US;
        peer.pauseAt(second, PortPeer.pause(3, 10_000));
        long end = second + 5 * US;
        peer.pauseAt(end, PortPeer.pause(3, 0));
        peer.run(400 * US);
        assertThat(between(peer.packets(DATA), first, end)).isZero();
        assertThat(between(peer.packets(DATA), end, end + 2 * US)).isGreaterThan(20);
        inOrder(peer.packets(DATA), 1024);
    }

    @Test
    void aPortWithoutFlowControlObeysNothing() {
        PortPeer peer = new PortPeer(base(), LabSpec.of(1));
        long over = halfway(peer, PortPeer.pause(3, 20_000), 20_000);
        peer.run(400 * US);
        assertThat(between(peer.packets(DATA), over - 10 * US, over)).isGreaterThan(100);
    }

    /** A class that is not enabled, and the pause of the whole link, mean nothing to a port that pauses classes. */
    @Test
    void onlyTheClassesThatAreEnabledStop() {
        PortPeer peer = new PortPeer(lossless(), LabSpec.of(1));
        PauseFrame whole = new PauseFrame();
        whole.wholeLink = true;
        whole.quanta[0] = 20_000;
        halfway(peer, whole, 20_000);
        peer.pauseAt(peer.now() + 11 * US, PortPeer.pause(0, 20_000));
        long from = peer.now() + 13 * US;
        peer.run(400 * US);
        assertThat(between(peer.packets(DATA), from, from + 2 * US)).isGreaterThan(30);
        assertThat(between(peer.packets(OTHER), from, from + 2 * US)).isGreaterThan(30);
    }

    @Test
    void thePauseOfTheWholeLinkStopsEverything() {
        PortPeer peer = new PortPeer(base().with("nic.pause.global", "true"), LabSpec.of(1));
        PauseFrame whole = new PauseFrame();
        whole.wholeLink = true;
        whole.quanta[0] = 10_000;
        long over = halfway(peer, whole, 10_000);
        peer.run(400 * US);
        assertThat(between(peer.seen, over - 10 * US, over)).isZero();
        inOrder(peer.packets(DATA), 1024);
        inOrder(peer.packets(OTHER), 1024);
    }

    @Test
    void onePortCannotPauseClassesAndTheWholeLink() {
        Profile both = lossless().with("nic.pause.global", "true");
        assertThatThrownBy(() -> new PortPeer(both, LabSpec.of(1)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("a port pauses classes or the whole link, not both");
        Profile wrong = lossless().with("nic.pause.xon_bytes", "600000");
        assertThatThrownBy(() -> new PortPeer(wrong, LabSpec.of(1)))
                .hasMessageContaining("nic.pause.xon_bytes=600000: must not be more than nic.pause.xoff_bytes=524288");
    }

    /** A receiver that stands still pauses its sender, says so again before the pause is over, and ends it when there is room. */
    @Test
    void aFullReceiveBufferPausesItsClass() {
        Profile small = lossless().with("nic.pause.xoff_bytes", "16384").with("nic.pause.xon_bytes", "4096");
        PortPeer peer = new PortPeer(small, LabSpec.of(1));
        QueuePair qp = peer.connect(DATA);
        long from = peer.now() + US;
        peer.lab.host().nic().receiver().stall().send(from, 0, 100 * US, 0);
        for (int i = 0; i < 20; i++) {
            peer.writeAt(from + (i + 1) * 25_000L, qp, i, DATA, 0, 1024);
        }
        peer.run(150 * US);
        List<PortPeer.Seen> pauses = peer.pauses();
        List<Integer> quanta = pauses.stream()
                .map(s -> Objects.requireNonNull(s.pause()).of(3))
                .toList();
        assertThat(quanta).containsExactly(65_535, 65_535, 65_535, 0);
        assertThat(Objects.requireNonNull(pauses.get(0).pause()).of(0)).isEqualTo(-1);
        long again = 65_535L * 512 * 1000 / 400 / 2; // half of the pause
        assertThat(pauses.get(1).ps() - pauses.get(0).ps()).isBetween(again - 20_000, again + 20_000);
        assertThat(pauses.get(3).ps()).isBetween(from + 100 * US, from + 102 * US);
        assertThat(peer.lab.host().nic().receiver().overruns()).isZero();
        assertThat(peer.lab.host().nic().mac().pausesSent(3)).isEqualTo(4);
    }

    /** 1,000 marked packets in 100 us and an interval of 50 us: at 0, 50 and 100 us, for each queue pair or for the port. */
    @ParameterizedTest
    @CsvSource({"qp, 1, 3", "qp, 2, 6", "port, 1, 3", "port, 2, 3"})
    void marksAreAnsweredOnceAnInterval(String whose, int pairs, int notifications) {
        Profile profile = base().with("nic.ecn.notify", whose).with("nic.ecn.cnp_interval_us", "50");
        PortPeer peer = new PortPeer(profile, LabSpec.of(1));
        List<QueuePair> qps = List.of(peer.connect(DATA), peer.connect(OTHER));
        long from = peer.now() + US;
        for (int i = 0; i < 1000; i++) {
            for (int q = 0; q < pairs; q++) {
                peer.writeAt(from + i * 100_000L + q * 40_000L, qps.get(q), i, DATA, 3, 64);
            }
        }
        peer.run(300 * US);
        List<PortPeer.Seen> cnps = peer.packets(48);
        assertThat(cnps).hasSize(notifications);
        for (PortPeer.Seen s : cnps) {
            RocePacket p = Objects.requireNonNull(s.packet());
            assertThat(p.opcode).isEqualTo(Opcode.CNP.code());
            assertThat(p.destQp).isIn(PortPeer.PEER_QPN + DATA, PortPeer.PEER_QPN + OTHER);
            assertThat(p.flow.ecn).isZero();
        }
        assertThat((cnps.get(cnps.size() - 1).ps() - cnps.get(0).ps()) / US).isEqualTo(100);
        assertThat(Objects.requireNonNull(peer.lab.host().nic().notifications()).marked())
                .isEqualTo(1000L * pairs);
    }

    /** BTH and the sixteen zeros behind it are as in NVIDIA's example; nothing is answered where nothing is marked. */
    @Test
    void aNotificationHasTheBytesOfTheAnnex() {
        PortPeer peer = new PortPeer(base().with("nic.ecn.notify", "qp"), LabSpec.of(1));
        QueuePair qp = peer.connect(DATA);
        peer.writeAt(peer.now() + US, qp, 0, DATA, 2, 64);
        peer.run(20 * US);
        assertThat(peer.packets(48)).isEmpty();
        peer.writeAt(peer.now() + US, qp, 1, DATA, 3, 64);
        peer.run(20 * US);
        RocePacket cnp = Objects.requireNonNull(peer.packets(48).get(0).packet());
        byte[] bytes = new byte[cnp.wireBytes()];
        new FrameEncoder().encode(cnp, bytes, 0);
        assertThat(bytes).hasSize(14 + 20 + 8 + 12 + 16 + 4);
        assertThat(HexFormat.of().formatHex(bytes, 42, 70))
                .isEqualTo("8100ffff40004729" + "00000000" + "00".repeat(16));
    }

    @Test
    void packetsSayThatMarksAreUnderstood() {
        for (boolean capable : List.of(false, true)) {
            PortPeer peer = new PortPeer(base().with("nic.ecn.capable", String.valueOf(capable)), LabSpec.of(1));
            peer.post(peer.connect(DATA), 1);
            peer.run(100 * US);
            assertThat(peer.packets(DATA))
                    .hasSize(64)
                    .allMatch(s -> Objects.requireNonNull(s.packet()).flow.ecn == (capable ? 2 : 0));
        }
    }
}
