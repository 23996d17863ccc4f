package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Loads of {@code nvmf perf} that a job file of fio describes. */
class NvmfJobFileTest {
    @TempDir
    Path folder = Path.of("");

    private static CommandRunner perf(String line) {
        return clockwire(("nvmf perf --local " + line).split(" "));
    }

    /** The method of the article, with its plugin's way to name a controller; what is typed besides counts. */
    @Test
    void aJobFileOfFioIsALoad() throws IOException {
        Path file = folder.resolve("article.fio");
        Files.writeString(file, """
            ; 4 KB, 70/30
            [global]
            ioengine=spdk
            thread=1
            direct=1
            group_reporting=1
            time_based=1
            ramp_time=100us
            runtime=1ms
            iodepth=32

            [mixed]
            rw=randrw
            rwmixread=70
            bs=4k
            numjobs=4
            filename=trtype=PCIe traddr=0000.01.00.0 ns=1
            """.replace("0000.01.00.0", "0000\\:01\\:00.0"));
        JsonNode d =
                clockwire("nvmf", "perf", "--fio", file.toString(), "--json").document();
        assertThat(d.get("stack").asText()).isEqualTo("local");
        assertThat(d.get("workload").asText()).isEqualTo("randrw");
        assertThat(d.get("queue_depth").asInt()).isEqualTo(32);
        assertThat(d.get("cores")).hasSize(4);
        assertThat(d.get("io_size").asInt()).isEqualTo(4096);
        assertThat(d.get("iops").asDouble()).isCloseTo(1.54e6, within(0.05e6));
        Files.writeString(folder.resolve("zero.fio"), "[a]\nrw=randread\nruntime=200us\nramp_time=60\nnumber_ios=20\n");
        String zero = "--fio " + folder.resolve("zero.fio");
        perf(zero).failsWith(3, "line 5: number_ios 20", "line 4: ramp_time 60");
        assertThat(perf(zero + " -a 0 --json").document().get("ios").asInt())
                .as("what is typed counts, zero too")
                .isEqualTo(20);
        assertThat(perf(zero + " -a 0 -d 0 --json").document().get("ios").asInt())
                .isGreaterThan(20);
        JsonNode typed = clockwire("nvmf", "perf", "--fio", file.toString(), "-q", "8", "-c", "0x3", "--json")
                .document();
        assertThat(typed.get("queue_depth").asInt()).isEqualTo(8);
        assertThat(typed.get("cores")).hasSize(2);
    }

    /** The same words name a namespace behind a fabric; of several only it is loaded. */
    @Test
    void aJobFileNamesANamespaceOfAFabric() throws IOException {
        Path file = folder.resolve("fabric.fio");
        String job = "[a]\nioengine=spdk\nrw=randread\nruntime=300us\nfilename=trtype=RDMA adrfam=IPv4 traddr=10.0.0.2"
                + " trsvcid=4420 ns=%d\n";
        Files.writeString(file, String.format(job, 1));
        String[] run = {"nvmf", "perf", "--fio", file.toString(), "--namespaces", "3"};
        assertThat(clockwire(run).notes()).doesNotContain("no effect");
        Files.writeString(file, String.format(job, 3));
        assertThat(clockwire(Stream.concat(Stream.of(run), Stream.of("--json")).toArray(String[]::new))
                        .document()
                        .get("devices"))
                .hasSize(1)
                .allSatisfy(d -> assertThat(d.get("name").asText()).endsWith("NSID 3"));
        Files.writeString(file, String.format(job, 4));
        clockwire(run).failsWith(3, file + " line 5: filename: ns:4: must be 1 to 3");
    }

    /** What a file says and the simulation has not is told with its line; what nobody typed is never named. */
    @Test
    void keysWithoutEffectAreTold() throws IOException {
        Path file = folder.resolve("idle.fio");
        Files.writeString(
                file, "[a]\nbs=4k\nruntime=200us\nfilename=/dev/nvme0n1\nioengine=libaio\nrandseed=3\nrwmixread=70\n");
        assertThat(perf("--fio " + file).notes())
                .contains(
                        "line 4: filename=/dev/nvme0n1 has no effect",
                        "line 5: ioengine=libaio has no effect",
                        "line 6: randseed=3 has no effect",
                        "line 7: rwmixread=70 has no effect")
                .doesNotContain("-M", "-r");
        Files.writeString(file, "[a]\nbs=4k\nruntime=2ms\n");
        assertThat(perf("--fio " + file).notes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[a]~bs=4x|line 2: bs 4x: expected a whole number such as 4096 or 4k",
                "[a]~bs=700|line 2: bs 700 is no multiple of 512",
                "[a]~rw=rndread|line 2: rw=rndread: unknown workload 'rndread'; did you mean randread?",
                "[a]~numjobs=200|line 2: numjobs [0-199]: 200 cores",
                "[a]~iodepth=9~number_ios=4|line 3: number_ios 4 is less than the queue depth",
                "[a]~filename=trtype=PCI|line 2: filename: trtype 'PCI' is not simulated",
                "[a]~filename=trtype=RDMA|line 2: filename: trtype:RDMA is not on the way to local SSDs",
                "[a]~filename=trtype=PCIe traddr=0000\\:09\\:00.0|line 2: filename: unknown PCIe address",
                "[a]~filename=trtype=PCIe ns=7|line 2: filename ns: 7 is outside its range 1 to 1",
                "[a]~random_distribution=zipf:1|line 2: random_distribution 1: must be 0 to 10",
                "[a]~iodept=3|line 2: 'iodept' is not simulated; did you mean iodepth?",
                "[a]~runtime=1x|line 2: runtime=1x: expected a time",
                "[a]~rw=read~[b]|line 3: a second job, [b]; the first is in line 1",
                "rw=read|line 1: 'rw=read' stands in front of all sections",
                "[global]~rw=read|has no job",
                "[a]~iodepth=0|line 2: iodepth=0: must be 1 to 65536",
                "[a]~ioengine=sync|line 2: ioengine 'sync' is not simulated",
                "[a]~bs=|line 2: bs has no value",
                "[a]~random_distribution=pareto:1|line 2: random_distribution=pareto:1",
                "[a|line 1: '[a' is no section"
            })
    void jobFilesThatAreWrongAreRefused(String text, String why) throws IOException {
        Path file = folder.resolve("wrong.fio");
        Files.writeString(file, text.replace('~', '\n'));
        perf("-t 0.001 --fio " + file).failsWith(3, why);
    }
}
