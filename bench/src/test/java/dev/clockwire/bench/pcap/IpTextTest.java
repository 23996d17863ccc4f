package dev.clockwire.bench.pcap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.wire.Encapsulation;
import java.net.InetAddress;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IpTextTest {
    /** Examples of RFC 5952 and of the addresses in captures. */
    @ParameterizedTest
    @CsvSource({
        "20010db800000000,0000000000000001,2001:db8::1",
        "20010db800000001,0001000100010001,2001:db8:0:1:1:1:1:1",
        "20010db800000000,0001000000000001,2001:db8::1:0:0:1",
        "2001000000000001,0000000000000001,2001:0:0:1::1",
        "0000000000000000,0000000000000000,::",
        "0000000000000000,0000000000000001,::1",
        "fe80000000000000,0000000000000000,fe80::",
        "0000000000000000,0000ffff0a000001,::ffff:10.0.0.1",
        "0000000000000001,0000ffff0a000001,::1:0:ffff:a00:1",
    })
    void ipv6(String hi, String lo, String text) {
        assertThat(IpText.of(Encapsulation.IPV6, Long.parseUnsignedLong(hi, 16), Long.parseUnsignedLong(lo, 16)))
                .isEqualTo(text);
    }

    @Test
    void ipv4() {
        assertThat(IpText.of(Encapsulation.IPV4, 0, 0xFFFF_FF00_0A09L)).isEqualTo("255.0.10.9");
    }

    @Test
    void theJdkReadsWhatWeWrite() throws Exception {
        Random random = new Random(6);
        for (int i = 0; i < 200; i++) {
            long hi = sparse(random);
            long lo = sparse(random);
            byte[] bytes = InetAddress.getByName(IpText.of(Encapsulation.GRH, hi | 1, lo))
                    .getAddress();
            assertThat(bytes)
                    .isEqualTo(java.nio.ByteBuffer.allocate(16)
                            .putLong(hi | 1)
                            .putLong(lo)
                            .array());
        }
    }

    /** Sixteen-bit groups of which most are zero. */
    private static long sparse(Random random) {
        long value = 0;
        for (int i = 0; i < 4; i++) {
            value = (value << 16) | (random.nextInt(3) == 0 ? random.nextInt(1 << 16) : 0);
        }
        return value;
    }
}
