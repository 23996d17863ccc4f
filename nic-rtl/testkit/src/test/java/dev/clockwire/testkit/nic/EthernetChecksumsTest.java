package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.driver.EthernetSpec;
import dev.clockwire.nic.driver.NicEthernet;
import dev.clockwire.nic.ether.EthFrame;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checksums that the device makes and checks for its driver, against the definition: all words of what is covered sum to 0 modulo 65535. */
class EthernetChecksumsTest {
    private final List<byte[]> found = new ArrayList<>();
    private final List<int[]> checks = new ArrayList<>();
    private final Random random = new Random(7);
    private Lab lab = lab(true, KernelMode.ACTIVITY);
    private NicEthernet a = open(lab.a());
    private NicEthernet b = open(lab.b());

    private static Lab lab(boolean checksums, KernelMode mode) {
        return Lab.twoHosts(
                Profiles.named("cx7-400g")
                        .with("nic.eth.queues", "1")
                        .with("nic.eth.checksums", Boolean.toString(checksums)),
                LabSpec.of(1).withMode(mode).withFullHash(true));
    }

    private NicEthernet open(LabHost host) {
        return lab.await(host.openEthernet(new EthernetSpec(1, 5, 5, 1500), q -> {}));
    }

    private void send(byte[] frame) {
        long at = lab.a()
                .host()
                .memory()
                .allocate("frame", 2048, Allocation.Kind.REAL, 64)
                .address();
        lab.a().host().memory().putBytes(at, frame, 0, frame.length);
        assertThat(a.send(0, at, frame.length)).isTrue();
        a.ring(0);
        lab.sim().run(lab.sim().now() + 20_000_000);
        b.poll(0, 8, new NicEthernet.Sink() {
            @Override
            public void received(int queue, long address, int bytes, int hash) {
                throw new AssertionError("the other is called");
            }

            @Override
            public void received(int queue, long address, int bytes, int hash, int right, int sum) {
                byte[] copy = new byte[bytes];
                lab.b().host().memory().getBytes(address, copy, 0, bytes);
                found.add(copy);
                checks.add(new int[] {right, sum});
            }

            @Override
            public void sent(int queue) {}
        });
    }

    /** A frame to b without checksums; the IP length says how much of it counts. */
    private byte[] frame(boolean vlan, int version, int protocol, int data) {
        int ip = vlan ? 18 : 14;
        int header = version == 4 ? 24 : 40; // one word of options
        int transport = protocol == 6 ? 20 : 8;
        byte[] f = new byte[ip + header + transport + data];
        random.nextBytes(f);
        long mac = lab.b().nic().parts().port().mac();
        for (int i = 0; i < 6; i++) {
            f[i] = (byte) (mac >>> (40 - 8 * i));
        }
        if (vlan) {
            put(f, 12, 0x8100);
        }
        put(f, ip - 2, version == 4 ? 0x0800 : 0x86DD);
        if (version == 4) {
            f[ip] = 0x46;
            put(f, ip + 2, header + transport + data);
            put(f, ip + 6, 0x4000);
            f[ip + 9] = (byte) protocol;
        } else {
            f[ip] = 0x60;
            put(f, ip + 4, transport + data);
            f[ip + 6] = (byte) protocol;
        }
        if (protocol == 17) {
            put(f, ip + header + 4, transport + data);
        }
        put(f, ip + header + 2, 80); // no RoCE
        return f;
    }

    private static void put(byte[] f, int at, int value) {
        f[at] = (byte) (value >>> 8);
        f[at + 1] = (byte) value;
    }

    private static long words(byte[] f, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += (long) (f[i] & 0xFF) << ((i - from) % 2 == 0 ? 8 : 0);
        }
        return sum;
    }

    @ParameterizedTest
    @CsvSource({
        "false, 4, 17, 100",
        "false, 4, 17, 101",
        "true, 4, 6, 1000",
        "false, 6, 17, 33",
        "true, 6, 6, 64",
        "false, 4, 6, 0",
        "false, 4, 17, 1"
    })
    void whatTheDeviceMakesIsRight(boolean vlan, int version, int protocol, int data) {
        a.checksums(true, false);
        b.checksums(false, true);
        int ip = vlan ? 18 : 14;
        int behind = ip + (version == 4 ? 24 : 40);
        for (int i = 0; i < 20; i++) {
            byte[] f = frame(vlan, version, protocol, data);
            send(f);
            byte[] got = Arrays.copyOf(found.get(i), f.length);
            if (version == 4) {
                assertThat(words(got, ip, behind) % 0xFFFF).isZero();
            }
            int from = version == 4 ? ip + 12 : ip + 8;
            int length = f.length - behind;
            assertThat((words(got, from, behind - (version == 4 ? 4 : 0))
                                    + protocol
                                    + length
                                    + words(got, behind, f.length))
                            % 0xFFFF)
                    .isZero();
            assertThat(checks.get(i)[0]).isEqualTo(0b110);
            assertThat(checks.get(i)[1] % 0xFFFF)
                    .isEqualTo((int) (words(found.get(i), ip, found.get(i).length) % 0xFFFF));
        }
        assertThat(a.counters()).containsEntry("tx_csum_partial", 20L).containsEntry("tx_csum_none", 0L);
        assertThat(b.counters()).containsEntry("rx_csum_complete", 20L).containsEntry("rx_csum_err", 0L);
    }

    /** The header of a published example, whose checksum is 0xB861. */
    @Test
    void aKnownHeader() {
        byte[] f = new byte[14 + 0x73];
        byte[] ip = HexFormat.of().parseHex("450000730000400040110000c0a80001c0a800c7");
        System.arraycopy(ip, 0, f, 14, 20);
        System.arraycopy(frame(false, 4, 17, 0), 0, f, 0, 14);
        put(f, 38, 95);
        a.checksums(true, true);
        send(f);
        assertThat(found.get(0)[24] & 0xFF).isEqualTo(0xB8);
        assertThat(found.get(0)[25] & 0xFF).isEqualTo(0x61);
    }

    @Test
    void wrongOnesAreCountedAndSaid() {
        b.checksums(false, true);
        byte[] f = frame(false, 4, 17, 64);
        send(f); // as random as it came
        assertThat(checks.get(0)[0]).isZero();
        a.checksums(true, false);
        lab.tapFrames((ps, end, frame) -> {
            if (frame instanceof EthFrame e && e.length > 100) {
                e.bytes[60] ^= 1;
                e.fcs = e.check();
            }
        });
        send(frame(false, 4, 17, 64));
        assertThat(checks.get(1)[0]).as("the header is right").isEqualTo(0b010);
        assertThat(b.counters()).containsEntry("rx_csum_err", 2L).containsEntry("rx_csum_complete", 0L);
        byte[] arp = frame(false, 4, 17, 20);
        put(arp, 12, 0x0806);
        send(arp);
        assertThat(checks.get(2)).containsExactly(0, 0);
        assertThat(b.counters()).containsEntry("rx_csum_none", 1L);
        assertThat(a.counters()).containsEntry("tx_csum_none", 2L);
    }

    @Test
    void aDeviceWithoutThemSaysSo() {
        lab = lab(false, KernelMode.ACTIVITY);
        a = open(lab.a());
        assertThatThrownBy(() -> a.checksums(true, false)).hasMessageContaining("nic.eth.checksums");
        assertThat(a.counters()).doesNotContainKey("rx_csum_complete");
    }

    @Test
    void howItIsSimulatedIsInvisible() {
        long[] hashes = new long[2];
        for (int i = 0; i < 2; i++) {
            lab = lab(true, i == 0 ? KernelMode.ACTIVITY : KernelMode.EXHAUSTIVE);
            a = open(lab.a());
            b = open(lab.b());
            a.checksums(true, false);
            random.setSeed(3);
            for (int k = 0; k < 5; k++) {
                send(frame(k % 2 == 0, 4, k % 3 == 0 ? 6 : 17, 10 * k));
            }
            hashes[i] = lab.sim().traceHash();
        }
        assertThat(hashes[0]).isEqualTo(hashes[1]);
    }
}
