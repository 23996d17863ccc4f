package dev.clockwire.bench.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The verdicts and the numbers of an audit that was made by hand, and input that is none. */
class AuditTest {
    private static final Path ARTICLES = Path.of("..", "docs", "audit", "articles.csv");

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Article 1, 3.4: WQE fetch 64 B in 200 ns|needs|197.8 ns",
                "Article 1, 3.4: context lookup 40 ns, 10 cycles|needs|",
                "Article 1, 3.4: payload DMA 64 KB in 12,000 ns, limited by PCIe bandwidth|impossible|43.69 Gb/s = 19"
                        + " %",
                "Article 1, 3.4: payload DMA 64 KB in 12,000 ns|needs|",
                "Article 1, 3.4: TX MAC 64 KB in 200 ns at line rate|needs|81.92 ns",
                "Article 1, 3.4: total 12,670 ns|consistent|12670",
                "Article 1, 6.2: 64 B, 1 QP, 0.04 Gb/s, 1.25 us|needs|0.09766; needs open loop, one message each 12.80"
                        + " us",
                "Article 1, 6.2: 64 B, 8 QPs, 0.32 Gb/s, 1.35 us|needs|one message each 12.80 us",
                "Article 1, 6.2: P999 2.10 us at 1 QP, 3.50 us at 8: WQE fetches queue|needs|",
                "Article 1, 6.2: 4096 B, 4 QPs, 25.6 Gb/s, 1.50 us|needs|1.172; needs open loop, one message each"
                        + " 5.120 us",
                "Article 1, 6.2: 65536 B, 4 QPs, 195.4 Gb/s, 2.60 us|impossible|2.295 us",
                "Article 1, 6.2: 65536 B, 4 QPs, 195.4 Gb/s, the bandwidth alone|consistent|",
                "Article 1: PCIe Gen4 x16 carries 250 Gb/s|impossible|252.06 Gb/s is the raw rate",
                "Article 1: 195.4 Gb/s on a datapath of 512 bit at 250 MHz|impossible|195.4 Gb/s = 1.53",
                "Article 2, 3.3: payload 4 KB in 450 ns|consistent|141.4 ns of data, leaves a round trip of 308.6 ns",
                "Article 2, 3.3: total 1.3 us|consistent|1300",
                "Article 2, 6.2: 512 B, 4.15 M IOPS, 2.8 us, depth 128|impossible|11.62; at depth 128 the latency is"
                        + " 30.84 us",
                "Article 2, 6.2: 4 KB, 3.80 M IOPS, 32.5 us, depth 128|impossible|124.5 Gb/s",
                "Article 2, 6.2: 64 KB, 46.5 GB/s, 135 us, depth 128|impossible|372.0 Gb/s = 3.79",
                "Article 2, 6.2: 70/30 mix, 2.10 M IOPS, 58.2 us, depth 128|needs|needs 2 of them",
                "Article 2, 6.2: PCIe Gen4 x16 85 % busy at 3.80 M x 4 KB|impossible|54 %",
                "Article 2: P999 4.8 us against 200 us of kernel TCP: 50 times lower|impossible|41.6667",
            })
    void theArticlesOwnClaims(String claim, String verdict, String number) throws IOException {
        var row = Audit.of(ARTICLES).rows().stream()
                .filter(r -> r.claim().equals(claim))
                .findFirst()
                .orElseThrow();
        assertThat(row.verdict()).isEqualTo(verdict);
        assertThat(row.arithmetic()).contains(number == null ? "" : number);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200,4096,,,64|consistent",
                "400,4096,,,391|consistent",
                "400,1024,,,391|impossible",
                "400,4096,Gen4 x16,,391|impossible",
                "400,4096,Gen5 x16,512,391|consistent",
            })
    void theSameRateOnOtherHardware(String fields, String verdict) throws IOException {
        assertThat(audit("link_gbps,mtu,pcie,mps,bandwidth_gbps", fields).verdict())
                .isEqualTo(verdict);
    }

    /** What is published, and simulated, is possible: 37 M/s of 24 SSDs by 4 KiB, 80 M/s of 16 by 512 B. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "p5800x,1,4096,1541000|consistent",
                "p5800x,24,4096,37000000|consistent",
                "p5800x,16,512,80000000|consistent",
                "p5800x,1,4096,1600000|needs",
                "p5800x,1,512,5200000|needs",
                "p5800x,1,65536,120000|needs",
            })
    void publishedRatesArePossible(String fields, String verdict) throws IOException {
        assertThat(audit("media,devices,size_bytes,rate_per_s", fields).verdict())
                .isEqualTo(verdict);
    }

    @Test
    void aClosedLoopKeepsItsDepth() throws IOException {
        // spdk#1596: 87,400/s x 456 us = 39.9 of 5 x 8
        assertThat(audit("depth,rate_per_s,latency_us", "40,87400,456").verdict())
                .isEqualTo("consistent");
        assertThat(audit("depth,rate_per_s,latency_us", "80,87400,456").verdict())
                .isEqualTo("impossible");
        assertThat(audit("depth,rate_per_s,latency_us", "20,87400,456").verdict())
                .isEqualTo("impossible");
    }

    @Test
    void latencyToolsTakeOneQueuePair() throws IOException {
        assertThat(audit("tool,qps,latency_us", "ib_write_lat,8,2").verdict()).isEqualTo("impossible");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "claim,rate|x,1|claims.csv:1: unknown column 'rate'",
                "link_gbps|400|claims.csv:1: there is no column 'claim'",
                "claim,mtu,mtu|x,1,1|claims.csv:1: column 'mtu' stands there twice",
                "claim,link_gbps|x|claims.csv:2: 1 fields, but the heading names 2 columns",
                "claim,link_gbps|x,fast|claims.csv:2: link_gbps 'fast': a positive number",
                "claim,link_gbps|x,-4|claims.csv:2: link_gbps '-4': a positive number",
                "claim,link_gbps|x,NaN|claims.csv:2: link_gbps 'NaN': a positive number",
                "claim,pcie|x,Gen9 x16|claims.csv:2: pcie 'Gen9 x16': expected a slot",
                "claim,media|x,p5800|claims.csv:2: media 'p5800': unknown",
                "claim,stated,formula|x,3,1+|claims.csv:2: formula '1+': expected numbers",
                "claim,stated,formula|x,3,1/(2-2)|claims.csv:2: formula '1/(2-2)': expected numbers",
                "claim,stated,formula|x,3,|claims.csv:2: formula '': 'stated' and 'formula' belong together",
                "claim,stage|x,usb|claims.csv:2: stage 'usb': allowed is link, pcie",
                "claim,link_gbps|x,400|claims.csv:2: claim 'x': states too little",
                "claim,link_gbps|\"x,400|claims.csv:2: a quote is never closed",
            })
    void badInputIsNamedWithItsLine(String heading, String line, String words) throws IOException {
        Path file = folder.resolve("claims.csv");
        Files.writeString(file, heading + "\n" + line + "\n");
        assertThatThrownBy(() -> Audit.of(file))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(words);
    }

    private AuditReport.Row audit(String columns, String fields) throws IOException {
        Path file = folder.resolve("claims.csv");
        Files.writeString(file, "claim," + columns + "\r\n\"a \"\"claim\"\", quoted\"," + fields + "\r\n");
        AuditReport.Row row = Audit.of(file).rows().get(0);
        assertThat(row.claim()).isEqualTo("a \"claim\", quoted");
        return row;
    }
}
