package dev.clockwire.bench.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.bench.validate.ValidationReport.Row;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a row's words lead to, and what they cannot lead to. */
class ValidationTest {
    private static final String HEADING =
            "source,nic,link_gbps,pcie,tool,size_bytes,qps_depth,metric,value,unit,confidence,note\n";

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "Virtex-7 DMA,,Gen3 x8,DMA,,,round trip,1000,ns|not-a-nic",
                "any,,,pass rule bw,,,min fraction,0.9,1|vendor-rule",
                "ConnectX-7 NDR,400,,vendor expectation,,,bandwidth,46,GB/s|vendor-rule",
                "ConnectX-5 RoCE,100,,ib_write_lat,2,q1 d1,p99 (half RTT),1.6,us|tail",
                "mlx5,400,,RO off,,,bandwidth,16,GB/s|host-unknown",
                "mlx5 RoCE,100,,ib_read_lat,2,q1 d1,t_typical,4.8,us|host-unknown",
                "mlx5 RoCE,100,,ib_read_bw,,q8,bandwidth,97,Gb/s|host-unknown",
                "AWS EFA SRD,50,,ib_send_lat SRD,64,q1 d1,t_typical,16,us|transport-other",
                "ConnectX-5 IB,100,,eRPC throughput,32,,RPC rate,2.6,Mrps|transport-other",
                "mlx5 + A30,200,,ib_write_bw GPU mem,65536,q1,bandwidth,11000,MiB/s|gpu",
                "mlx5 (unnamed),,,ib_read_lat,2,q1 d1,t_typical,1.9,us|no-profile",
            })
    void whatCannotBeAnsweredSaysWhy(String fields, String reason) throws IOException {
        Row row = row(fields, "");
        assertThat(row.unsupported()).isEqualTo(reason);
        assertThat(row.simulated()).isNull();
        assertThat(row.errorPct()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ConnectX-3 IB,40,,ib_write_lat,64,q1 d1,t_typical,1,us|MTU 1024 (port MTU 4096)|cx3-40g -P link.mtu=1024",
                "ConnectX-3 40GbE RoCE,40,,ib_write_lat,64,q1,t_avg,1,us|ceiling 37 (MTU 1024)|cx3-40g -P link.framing=ethernet -P link.gbps=40",
                "ConnectX-5 RoCE,100,Gen4 x8,ib_write_lat,64,q1,t_typical,1,us|MPS 512, MRRS 1024|cx5-100g -P pcie.generation=4 -P pcie.lanes=8 -P pcie.mps=512 -P pcie.mrrs=1024",
                "ConnectX-6 Dx RoCE,100,,ib_send_lat,64,q1 mtu1024,t_typical,1,us||cx6-200g -P link.framing=ethernet -P link.gbps=100 -P link.mtu=1024",
                "ConnectX-7 NDR,400,,ib_read_lat,64,q1,t_typical,1,us||cx7-400g -P link.framing=infiniband",
            })
    void whatARowStatesReplacesTheProfile(String fields, String note, String profile) throws IOException {
        Row row = row(fields, note == null ? "" : note);
        String[] expected = profile.split(" -P ");
        assertThat(Objects.requireNonNull(row.profile()).split(" -P ")).containsExactlyInAnyOrder(expected);
        assertThat(Objects.requireNonNull(row.simulated())).isPositive();
    }

    @Test
    void thePublishedValueIsOnlyComparedWith() throws IOException {
        Row one = row("ConnectX-5 RoCE,100,,ib_write_lat,64,q1 d1,t_typical,1.6,us", "");
        Row other = row("ConnectX-5 RoCE,100,,ib_write_lat,64,q1 d1,t_typical,~3.2,us", "");
        assertThat(other.simulated()).isEqualTo(one.simulated());
        assertThat(one.errorPct()).isCloseTo(2 * Objects.requireNonNull(other.errorPct()) + 100, within(0.01));
    }

    @Test
    void inlineShowsInTheRowsTool() throws IOException {
        Row in = row("ConnectX-5 RoCE,100,,ib_write_lat inline,64,q1 d1,t_typical,1,us", "");
        Row out = row("ConnectX-5 RoCE,100,,ib_write_lat no inline,64,q1 d1,t_typical,1,us", "");
        Row limit = row("ConnectX-5 RoCE,100,,ib_write_lat,64,q1 d1,t_typical,1,us", "inline 32");
        assertThat(out.simulated()).isGreaterThan(Objects.requireNonNull(in.simulated()) + 0.2);
        assertThat(limit.simulated()).isEqualTo(out.simulated());
    }

    @Test
    void unitsOfBandwidthAgree() throws IOException {
        String fields = "ConnectX-5 RoCE,100,,ib_write_bw,4096,q1 d128,bandwidth,1,";
        double gigabits = Objects.requireNonNull(row(fields + "Gb/s", "").simulated());
        assertThat(row(fields + "GB/s", "").simulated()).isCloseTo(gigabits / 8, within(1e-3));
        assertThat(row(fields + "MiB/s", "").simulated()).isCloseTo(gigabits * 1e9 / 8 / 1048576, within(0.1));
        assertThatThrownBy(() -> row(fields + "us", ""))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("row 1: unit 'us'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cx4-100g", "cx7-spark"})
    void theFitGivesTheValuesThatAreBuiltIn(String profile) throws IOException {
        for (Fit.Value v : Fit.of(Validation.builtIn(), profile, line -> {})) {
            assertThat(v.fitted()).isEqualTo(v.built());
            assertThat(v.errorPct()).isLessThan(1);
            assertThat(Profiles.named(profile).text(v.parameter())).isEqualTo(v.built());
        }
        assertThatThrownBy(() -> Fit.of(Validation.builtIn(), "article-1", line -> {}))
                .hasMessageContaining("nothing of profile article-1 is fitted");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ConnectX-5,fast,,ib_write_bw,64,q1,bandwidth,1,Gb/s|published.csv:2: link_gbps 'fast'",
                "ConnectX-5,100,,ib_write_bw,6.4,q1,bandwidth,1,Gb/s|published.csv:2: size_bytes '6.4'",
                "ConnectX-5,100,,ib_write_bw,99999999999,q1,bandwidth,1,Gb/s|published.csv:2: size_bytes '99999999999'",
                "ConnectX-5,99999,,ib_write_bw,64,q1,bandwidth,1,Gb/s|row 1: link.gbps=99999",
                "ConnectX-5,100,,ib_write_bw,64,q1,bandwidth,many,Gb/s|published.csv:2: value 'many'",
                "ConnectX-5,100,,ib_write_bw,64,q1,bandwidth,1|published.csv:2: 11 fields",
            })
    void badInputIsNamedWithItsLine(String fields, String words) {
        assertThatThrownBy(() -> row(fields, ""))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(words);
    }

    private Row row(String fields, String note) throws IOException {
        Path file = folder.resolve("published.csv");
        Files.writeString(file, HEADING + "a log," + fields + ",A,\"" + note + "\"\n");
        return Validation.of(file).run(line -> {}, () -> false).rows().get(0);
    }
}
