package dev.clockwire.bench.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.bench.storage.TrafficModel.Bytes;
import dev.clockwire.storage.load.LoadSpec;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What runs carry is what a table computed elsewhere says, byte for byte; {@link TrafficModel} says the same of any size. */
class TrafficTest {
    private static final List<String> SYSTEMS = List.of("3fs", "3fs-push", "3fs-inline", "daos", "ceph");

    /** Rows of a table that was computed by another program from the sources of the systems: SENDs, one-sided operations, trips, bytes out/in of client and three servers. */
    @ParameterizedTest
    @CsvSource({
        "3fs,write,4096,6,3,12,4610/334 4944/4944 4944/4944 334/4610",
        "3fs-inline,write,4096,6,0,6,4606/256 4862/4862 4862/4862 256/4606",
        "3fs-push,write,4096,6,3,6,4622/322 4944/4944 4944/4944 322/4622",
        "daos,write,4096,6,0,4,4926/384 10236/5694 384/4926 384/4926",
        "ceph,write,4096,6,0,4,4824/368 10896/5440 308/5264 308/5264",
        "3fs,read,4096,2,1,4,514/4430 4430/514 0/0 0/0",
        "daos,read,4096,2,0,2,768/4542 4542/768 0/0 0/0",
        "ceph,read,4096,2,0,2,480/4712 4712/480 0/0 0/0",
        "3fs,write,65536,6,3,12,66984/334 67318/67318 67318/67318 334/66984",
        "3fs-push,write,65536,6,3,6,66992/322 67314/67314 67314/67314 322/66992",
        "daos,write,65536,6,3,6,200376/618 1998/68072 462/67304 462/67304",
        "ceph,write,65536,6,0,4,69984/368 141216/70600 308/70424 308/70424",
        "3fs,read,65536,2,1,4,514/66800 66800/514 0/0 0/0",
        "daos,read,65536,2,1,4,834/66928 66928/834 0/0 0/0",
        "ceph,read,65536,2,0,2,480/69872 69872/480 0/0 0/0",
        "3fs,write,4194304,6,3,12,4258248/334 4258582/4258582 4258582/4258582 334/4258248",
        "3fs-push,write,4194304,6,3,6,4258256/322 4258578/4258578 4258578/4258578 322/4258256",
        "daos,write,4194304,6,3,6,12774168/618 1998/4259336 462/4258568 462/4258568",
        "ceph,write,4194304,102,0,4,4448736/2480 8900832/4453576 2420/4449176 2420/4449176",
        "3fs,read,4194304,2,1,4,514/4258064 4258064/514 0/0 0/0",
        "daos,read,4194304,2,1,4,834/4258192 4258192/834 0/0 0/0",
        "ceph,read,4194304,34,0,2,2592/4448624 4448624/2592 0/0 0/0"
    })
    void theModelIsTheTable(String system, String op, int size, int sends, int oneSided, int trips, String bytes) {
        TrafficModel.Cost cost = TrafficModel.of(system, op.equals("write"), size);
        String[] nics = bytes.split(" ", -1);
        assertThat(cost)
                .isEqualTo(new TrafficModel.Cost(
                        sends, oneSided, trips, nic(nics[0]), List.of(nic(nics[1]), nic(nics[2]), nic(nics[3]))));
    }

    private static Bytes nic(String text) {
        int slash = text.indexOf('/');
        return new Bytes(Long.parseLong(text.substring(0, slash)), Long.parseLong(text.substring(slash + 1)));
    }

    @ParameterizedTest
    @ValueSource(ints = {4096, 65_536, 4_194_304})
    void runsCarryWhatIsComputed(int size) {
        for (String system : SYSTEMS) {
            if (!system.equals("3fs-inline") || size <= 15 * Runs.KIB) {
                check(system, size);
            }
        }
    }

    /** Between bounce buffer and bulk: a message in two segments. */
    @Test
    void valuesOfDaosInTwoSegmentsAreComputedToo() {
        check("daos", 16_384);
    }

    @Test
    @EnabledIfSystemProperty(named = "clockwire.full", matches = "true")
    void runsCarryWhatIsComputedAtSizesBetween() {
        for (int size : List.of(512, 8192, 15_360, 19_456, 19_968, 131_072, 1_048_576)) {
            for (String system : List.of("3fs", "3fs-push", "daos", "ceph", "ceph-crimson-rdma")) {
                check(system, size);
            }
        }
    }

    private static void check(String system, int size) {
        for (LoadSpec.Op op : List.of(LoadSpec.Op.WRITE, LoadSpec.Op.READ)) {
            Wire wire = Wire.of(
                    system,
                    op == LoadSpec.Op.WRITE,
                    size,
                    Runs.run(system, op, size, 1).traffic());
            assertThat(wire.differences()).as(system + " " + op + " " + size).isEmpty();
            long all = wire.nics().stream().mapToLong(n -> n.operationTx()).sum();
            assertThat(wire.payload() + wire.headers() + wire.acks()).isEqualTo(all);
            long beside = wire.nics().stream()
                    .mapToLong(n -> n.tx() - n.operationTx())
                    .sum();
            assertThat(wire.overheads().values().stream()
                            .mapToLong(Wire.Overhead::bytes)
                            .sum())
                    .as("what is beside has names, managers' frames in it")
                    .isGreaterThanOrEqualTo(beside);
        }
    }

    /** Credits, heartbeats and the like of a longer run are beside the operations, which carry as much as so many lone ones. */
    @Test
    void overheadsOfALongRunHaveNames() {
        int ops = 60;
        Wire one = Wire.of(
                "3fs", true, 4096, Runs.run("3fs", LoadSpec.Op.WRITE, 4096, 1).traffic());
        Wire many = Wire.of(
                "3fs", true, 4096, Runs.run("3fs", LoadSpec.Op.WRITE, 4096, ops).traffic());
        assertThat(many.overheads()).containsKey("credit");
        Wire.Overhead credit = Objects.requireNonNull(many.overheads().get("credit"));
        long credits = credit.messages();
        assertThat(credits)
                .as("one for eight messages, and each of three connections carries 60 a way")
                .isBetween(6L * (ops / 8 - 1), 6L * (ops / 8 + 1));
        assertThat(credit.bytes()).isEqualTo(credits * (62 + 4 + 62 + 4));
        assertThat(many.send()).isEqualTo(ops * one.send());
        assertThat(many.oneSided()).isEqualTo(ops * one.oneSided());
        assertThat(many.nics().stream().mapToLong(n -> n.operationTx()).sum())
                .isEqualTo(ops
                        * one.nics().stream().mapToLong(n -> n.operationTx()).sum());
    }
}
