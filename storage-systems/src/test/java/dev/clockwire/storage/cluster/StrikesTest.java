package dev.clockwire.storage.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a strike does to a machine is felt, also when no plan of faults says anything of its cable. */
class StrikesTest {
    private static final long US = 1_000_000L;

    private @Nullable Echo client;

    private Echo client() {
        return Objects.requireNonNull(client);
    }

    /** Asks once; returns how long that took, in microseconds. */
    private long ask(Cluster cluster) {
        Node node = cluster.clients().get(0);
        int before = client().answers;
        long at = cluster.sim().now();
        node.worker(0).post((a, b) -> client().ask(), 0, 0);
        cluster.await(() -> client().answers > before, "an answer");
        return (cluster.sim().now() - at) / US;
    }

    @ParameterizedTest
    @CsvSource({
        "client0:go#1 link for=3ms, true",
        "client0:go#1 link for=3ms on=node0, true",
        "client0:go#1 link for=3ms on=node0, false",
        "client0:go#1 pause for=3ms on=node0, true",
        "client0:go#1 disk-slow for=3ms on=node0, true"
    })
    void anAnswerComesWhenTheStrikeIsOver(String line, boolean soft) {
        LabSpec lab = LabSpec.of(1);
        ClusterSpec spec = ClusterSpec.of(Profiles.named("cx7-400g"), soft ? lab.withSoft(SoftSpec.usual()) : lab, 1, 1)
                .withSchedule(FaultSchedule.parse(line));
        Cluster cluster = new Cluster(spec.withDisk(spec.ssd(), DiskKind.MEDIA));
        cluster.nodes().get(0).run(n -> new Echo(n, true).start(n));
        cluster.clients().get(0).run(n -> {
            Echo e = new Echo(n, false);
            client = e;
            e.start(cluster.nodes().get(0));
        });
        cluster.boot();
        cluster.await(() -> client != null && client().connected, "a connection");
        assertThat(ask(cluster)).isLessThan(100);
        cluster.step(cluster.clients().get(0).number(), "go", cluster.sim().now());
        cluster.sim().run(cluster.sim().now() + US);
        assertThat(ask(cluster)).isBetween(2_990L, 3_000_000L);
    }
}
