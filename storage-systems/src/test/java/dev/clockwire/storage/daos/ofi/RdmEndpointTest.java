package dev.clockwire.storage.daos.ofi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.lab.MessageName;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.ClusterSpec;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.cluster.NodeSpec;
import dev.clockwire.storage.cluster.WorkerSpec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Endpoints without what is above them. */
class RdmEndpointTest {
    private static final int MESSAGES = 40;
    private static final MessageName MESSAGE = new MessageName("test", "");

    private final List<RdmEndpoint> ends = new ArrayList<>();
    private final int[] came = new int[2];
    private int open;

    private Cluster cluster(OfiSpec spec) {
        NodeSpec software = NodeSpec.of(WorkerSpec.polling());
        ClusterSpec machines = ClusterSpec.of(
                        Profiles.named("cx7-400g"), LabSpec.of(3).withSoft(SoftSpec.usual()), 2, 1)
                .withSoftware(software, software);
        Cluster cluster = new Cluster(machines.withDisk(machines.ssd(), DiskKind.MEDIA));
        for (int i = 0; i < 2; i++) {
            int me = i;
            cluster.nodes().get(i).run(n -> {
                RdmEndpoint end = new RdmEndpoint(n, 0, cluster.wire(), spec, user(me));
                ends.add(end);
                end.open(() -> open++);
            });
        }
        cluster.boot();
        cluster.await(() -> open == 2, "endpoints");
        return cluster;
    }

    private OfiUser user(int me) {
        return new OfiUser() {
            @Override
            public void unexpected(Conn from, byte[] bytes, int length) {
                came[me]++;
            }

            @Override
            public void expected(long tag, byte[] bytes, int length) {}

            @Override
            public void lost(Conn conn) {}
        };
    }

    private void send(Cluster cluster, int from, int bytes) {
        Node me = cluster.nodes().get(from);
        Node other = cluster.nodes().get(1 - from);
        RdmEndpoint end = ends.get(from);
        me.worker(0)
                .post(
                        (a, b) -> {
                            for (int i = 0; i < MESSAGES; i++) {
                                end.send(end.to(other, other.number()), new byte[bytes], bytes, i, false, MESSAGE);
                            }
                        },
                        0,
                        0);
    }

    /** Both sides have more to send than either can take (libfabric 10945): whoever moves only its own sends waits for ever. */
    @ParameterizedTest
    @ValueSource(ints = {0, 4})
    void bothSidesSendAtOnceThroughFewBuffers(int own) {
        Cluster cluster = cluster(OfiSpec.rxm().withBuffers(4, 2).withReceivesEach(own));
        send(cluster, 0, 100_000);
        send(cluster, 1, 100_000);
        cluster.await(() -> came[0] == MESSAGES && came[1] == MESSAGES, "all messages");
    }

    @Test
    void thereIsNoRendezvous() {
        Cluster cluster = cluster(OfiSpec.rxm());
        Node other = cluster.nodes().get(1);
        assertThatThrownBy(() -> ends.get(0)
                        .send(ends.get(0).to(other, other.number()), new byte[140_000], 140_000, 1, false, MESSAGE))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("at most 131072 go without rendezvous");
        assertThat(came).containsExactly(0, 0);
    }
}
