package dev.clockwire.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.bench.perftest.AtomicKind;
import dev.clockwire.bench.perftest.PerftestSpec;
import dev.clockwire.bench.perftest.Tool;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.mem.PayloadMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The defaults are those that perftest 24 prints in its help and header. */
class PerftestResolverTest {
    private static PerftestSpec resolve(Tool tool, String... args) {
        PerftestOptions options = CommandLine.populateCommand(new PerftestOptions(), args);
        return new PerftestResolver(tool, options).resolve(CommandLine.populateCommand(new RunOptions()), null);
    }

    @ParameterizedTest
    @CsvSource({
        // tool, size, iterations, depth, moderation, inline
        "WRITE_LAT, 2, 1000, 1, 1, 220",
        "SEND_LAT, 2, 1000, 1, 1, 236",
        "READ_LAT, 2, 1000, 1, 1, 0",
        "ATOMIC_LAT, 8, 1000, 1, 1, 0",
        "WRITE_BW, 65536, 5000, 128, 1, 0",
        "SEND_BW, 65536, 1000, 128, 1, 0",
        "READ_BW, 65536, 1000, 128, 1, 0",
        "ATOMIC_BW, 8, 1000, 128, 100, 0"
    })
    void toolsHaveTheDefaultsOfPerftest(Tool tool, long size, long iterations, int depth, int moderation, int inline) {
        PerftestSpec spec = resolve(tool);
        assertThat(spec.size()).isEqualTo(size);
        assertThat(spec.iterations()).isEqualTo(iterations);
        assertThat(spec.txDepth()).isEqualTo(depth);
        assertThat(spec.cqMod()).isEqualTo(moderation);
        assertThat(spec.inline()).isEqualTo(inline);
        assertThat(spec.rxDepth()).isEqualTo(512);
        assertThat(spec.qps()).isEqualTo(1);
        assertThat(spec.mtu()).isEqualTo(4096);
        assertThat(spec.outstandingReads()).isEqualTo(16);
        assertThat(spec.connection()).isEqualTo(QpType.RC);
        assertThat(spec.durationPs()).isZero();
    }

    @Test
    void moderationStopsAtLargeMessagesAndAtTheWindow() {
        assertThat(resolve(Tool.WRITE_BW, "-s", "8192").cqMod()).isEqualTo(100);
        assertThat(resolve(Tool.WRITE_BW, "-s", "8193").cqMod()).isEqualTo(1);
        assertThat(resolve(Tool.WRITE_BW, "-s", "64", "-t", "2").cqMod()).isEqualTo(2);
        assertThat(resolve(Tool.WRITE_BW, "-s", "64", "-n", "5").txDepth()).isEqualTo(5);
        assertThat(resolve(Tool.WRITE_BW, "--cq-mod", "7").cqMod()).isEqualTo(7);
    }

    /** As the real tool's {@code -s}, whose K and M are powers of 1024. */
    @Test
    void sizesMayHaveUnits() {
        assertThat(resolve(Tool.WRITE_BW, "-s", "64K").size()).isEqualTo(65_536);
        assertThat(resolve(Tool.WRITE_BW, "--size=1M").size()).isEqualTo(1 << 20);
    }

    @Test
    void moreQueuePairsThanTheWindowHasPagesAreRefused() {
        assertThat(resolve(Tool.WRITE_BW, "-q", "16367").qps()).isEqualTo(16_367);
        assertThatThrownBy(() -> resolve(Tool.WRITE_BW, "-q", "16368"))
                .hasMessage("-q 16368 is outside its range 1 to 16367 queue pairs: each has a UAR page of 4096 bytes in"
                        + " BAR2");
    }

    @Test
    void everyOptionArrives() {
        PerftestSpec spec = resolve(
                Tool.READ_BW,
                "-s",
                "100",
                "-q",
                "3",
                "-t",
                "9",
                "-l",
                "2",
                "-Q",
                "4",
                "-m",
                "1024",
                "-o",
                "5",
                "-r",
                "11",
                "-D",
                "0.5",
                "--exact",
                "--rate",
                "2500",
                "--ipv6",
                "--payload",
                "sizes",
                "--kernel",
                "exhaustive",
                "--hash",
                "full");
        assertThat(spec.size()).isEqualTo(100);
        assertThat(spec.qps()).isEqualTo(3);
        assertThat(spec.txDepth()).isEqualTo(9);
        assertThat(spec.postList()).isEqualTo(2);
        assertThat(spec.cqMod()).isEqualTo(4);
        assertThat(spec.mtu()).isEqualTo(1024);
        assertThat(spec.profile().integer("link.mtu")).isEqualTo(1024);
        assertThat(spec.outstandingReads()).isEqualTo(5);
        assertThat(spec.rxDepth()).isEqualTo(11);
        assertThat(spec.iterations()).isZero();
        assertThat(spec.durationPs()).isEqualTo(500_000_000_000L);
        assertThat(spec.exact()).isTrue();
        assertThat(spec.rate()).isEqualTo(2500);
        assertThat(spec.ipv6()).isTrue();
        assertThat(spec.payload()).isEqualTo(PayloadMode.SIZES);
        assertThat(spec.kernel()).isEqualTo(KernelMode.EXHAUSTIVE);
        assertThat(spec.fullHash()).isTrue();
    }

    @Test
    void datagramsAndAtomicsHaveTheirOwnDefaults() {
        PerftestSpec datagram = resolve(Tool.SEND_LAT, "-c", "UD");
        assertThat(datagram.inline()).isEqualTo(188);
        assertThat(resolve(Tool.SEND_BW, "-c", "UD", "-m", "1024").size()).isEqualTo(1024);
        assertThat(resolve(Tool.ATOMIC_LAT, "-A", "CMP_AND_SWAP").atomic()).isEqualTo(AtomicKind.CMP_AND_SWAP);
        assertThat(resolve(Tool.WRITE_LAT, "-I", "0").isInlined()).isFalse();
        assertThat(resolve(Tool.WRITE_LAT, "-s", "220").isInlined()).isTrue();
        assertThat(resolve(Tool.WRITE_LAT, "-s", "221").isInlined()).isFalse();
    }
}
