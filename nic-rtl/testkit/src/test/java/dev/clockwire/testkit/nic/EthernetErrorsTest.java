package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.driver.EthernetSpec;
import dev.clockwire.nic.driver.NicEthernet;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.lab.PcieFaults;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.pcie.link.TlpFault;
import dev.clockwire.pcie.link.TlpFault.What;
import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each read that a device does of its Ethernet rings and frames in turn fails. Whichever it is: every frame handed over comes back, what was
 * received is what was sent, in order, what was not is counted, and the queues go on.
 */
@SuppressWarnings("NullAway.Init") // by exchange
class EthernetErrorsTest {
    private static final long US = 1_000_000;
    private static final int FRAMES = 40;
    /** Rings so long that the completion queue needs no look at how far its reader has come. */
    private static final int LOG = 7;

    private static final int BYTES = 300;
    private static final int MOST_READS = 70;

    private final List<Integer> found = new ArrayList<>();
    private int freed;
    private NicEthernet a;
    private NicEthernet b;

    private static Lab lab(PcieFaults faults) {
        return Lab.twoHosts(
                Profiles.named("cx7-400g").with("nic.eth.queues", "1").with("pcie.completion_timeout_us", "100"),
                LabSpec.of(1).withPcieFaults(faults));
    }

    private static NicEthernet open(Lab lab, LabHost host) {
        return lab.await(host.openEthernet(new EthernetSpec(1, LOG, LOG, 1500), q -> {}));
    }

    private void poll(NicEthernet nic, LabHost host) {
        nic.poll(0, 64, new NicEthernet.Sink() {
            @Override
            public void received(int q, long address, int bytes, int hash) {
                byte[] frame = new byte[bytes];
                host.host().memory().getBytes(address, frame, 0, bytes);
                byte[] wanted = frame(frame[20]);
                assertThat(frame).isEqualTo(wanted);
                found.add((int) frame[20]);
            }

            @Override
            public void sent(int q) {
                freed++;
            }
        });
    }

    private static byte[] frame(int i) {
        byte[] f = new byte[BYTES];
        Arrays.fill(f, (byte) i);
        Arrays.fill(f, 0, 6, (byte) 0xFF); // for everybody
        f[12] = (byte) 0x88;
        f[13] = (byte) 0xB5;
        return f;
    }

    private void exchange(Lab lab) {
        a = open(lab, lab.a());
        b = open(lab, lab.b());
        found.clear();
        freed = 0;
        for (int i = 0; i < FRAMES; i++) {
            long at = lab.a()
                    .host()
                    .memory()
                    .allocate("frame", BYTES, Allocation.Kind.REAL, 64)
                    .address();
            lab.a().host().memory().putBytes(at, frame(i), 0, BYTES);
            assertThat(a.send(0, at, BYTES)).isTrue();
            if (i % 3 == 2) {
                a.ring(0);
                settle(lab, 5 * US);
            }
        }
        a.ring(0);
        settle(lab, 400 * US);
    }

    private void settle(Lab lab, long ps) {
        for (int i = 0; i < 4; i++) {
            lab.sim().run(lab.sim().now() + ps / 4);
            poll(a, lab.a());
            poll(b, lab.b());
        }
    }

    private static List<TlpFault> inARow(int first, int count, What what) {
        List<TlpFault> faults = new ArrayList<>();
        for (int k = 0; k < count; k++) {
            faults.add(TlpFault.of(true, TlpType.MRD, first + k, what));
        }
        return faults;
    }

    @ParameterizedTest
    @EnumSource(
            value = What.class,
            names = {"REFUSE", "ABORT", "LOSE"})
    void whicheverReadOfTheSenderFails(What what) {
        int struck = 0;
        for (int n = 1; n < MOST_READS; n += what == What.REFUSE ? 1 : 5) {
            Lab lab = lab(new PcieFaults(inARow(n, 1 + n % 3, what), List.of()));
            exchange(lab);
            String as = what + " from read " + n + " on";
            long lost = a.counters().getOrDefault("tx_cqe_err", -1L);
            assertThat(freed).as(as).isEqualTo(FRAMES);
            assertThat(found).as(as).hasSize((int) (FRAMES - lost)).isSorted().doesNotHaveDuplicates();
            assertThat(a.counters()).as(as).containsEntry("tx_packets", FRAMES - lost);
            struck += lost > 0 ? 1 : 0;
        }
        assertThat(struck).as("runs in which a frame was lost").isGreaterThan(8);
    }

    @ParameterizedTest
    @EnumSource(
            value = What.class,
            names = {"REFUSE", "ABORT", "LOSE"})
    void whicheverReadOfTheReceiverFails(What what) {
        int struck = 0;
        for (int n = 1; n < 12; n++) {
            Lab lab = lab(new PcieFaults(List.of(), inARow(n, 1 + n % 2, what)));
            exchange(lab);
            String as = what + " from read " + n + " on";
            long lost =
                    b.counters().getOrDefault("rx_wqe_err", -1L) + b.counters().getOrDefault("rx_out_of_buffer", -1L);
            assertThat(freed).as(as).isEqualTo(FRAMES);
            assertThat(found).as(as).hasSize((int) (FRAMES - lost)).isSorted().doesNotHaveDuplicates();
            assertThat(b.counters()).as(as).containsEntry("rx_packets", FRAMES - lost);
            struck += b.counters().getOrDefault("rx_wqe_err", -1L) > 0 ? 1 : 0;
        }
        assertThat(struck).as("runs in which a receive was lost").isGreaterThan(2);
    }

    /** A WQE that makes no sense comes back too, else its place in the ring is lost for ever. */
    @Test
    void aWqeThatMakesNoSenseEndsWithAnError() {
        Lab lab = lab(PcieFaults.NONE);
        exchange(lab);
        int room = a.sendSpace(0);
        byte[] frame = frame(7);
        long at = lab.a()
                .host()
                .memory()
                .allocate("frame", BYTES, Allocation.Kind.REAL, 64)
                .address();
        lab.a().host().memory().putBytes(at, frame, 0, BYTES);
        a.send(0, at, BYTES);
        lab.a().host().memory().putBytes(sendRing(lab) + FRAMES * 64L, new byte[64], 0, 64);
        a.ring(0);
        a.send(0, at, BYTES);
        a.ring(0);
        settle(lab, 50 * US);
        assertThat(a.sendSpace(0)).isEqualTo(room);
        assertThat(a.counters()).containsEntry("tx_cqe_err", 1L).containsEntry("tx_packets", FRAMES + 1L);
        assertThat(found).hasSize(FRAMES + 1);
    }

    private static long sendRing(Lab lab) {
        return Objects.requireNonNull(lab.a().nic().ethernetPort())
                .table()
                .send(0)
                .base();
    }
}
