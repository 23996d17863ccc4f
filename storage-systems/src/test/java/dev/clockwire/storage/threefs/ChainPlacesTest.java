package dev.clockwire.storage.threefs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.ClusterSpec;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.threefs.mgmtd.Target;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.server.ProtocolTap;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where chains may stand. */
class ChainPlacesTest {
    private final Cluster cluster = cluster();

    private static Cluster cluster() {
        ClusterSpec spec = ClusterSpec.of(
                        Profiles.named("cx7-400g"), LabSpec.of(5).withSoft(SoftSpec.usual()), 3, 1)
                .withManagers(1);
        return new Cluster(spec.withDisk(spec.ssd(), DiskKind.MEDIA));
    }

    private ThreeFs place(int replicas, List<List<Integer>> places) {
        return new ThreeFs(cluster, Rig.service(DataPath.PULL), places, replicas, ProtocolTap.NONE);
    }

    @Test
    void chainsStandWhereTheyAreTo() {
        ThreeFs fs = place(2, List.of(List.of(2, 0), List.of(1, 2)));
        int first = cluster.nodes().get(0).number();
        assertThat(fs.chains().get(0).targets().stream().map(Target::node)).containsExactly(first + 2, first);
        assertThat(fs.chains().get(1).targets().stream().map(Target::node)).containsExactly(first + 1, first + 2);
    }

    private void refused(String why, int replicas, List<Integer> second) {
        List<Integer> good = List.of(0, 1, 2).subList(0, replicas);
        assertThatThrownBy(() -> place(replicas, List.of(good, second)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(why);
    }

    @Test
    void whatCannotBeIsRefused() {
        refused("chain 2 has 2 targets: must be 3, one a replica", 3, List.of(0, 1));
        refused("chain 2 has 3 targets: must be 2, one a replica", 2, List.of(0, 1, 2));
        refused("chain 2 names storage node 1 twice: one target a node", 3, List.of(0, 1, 1));
        refused("chain 2 names storage node 3: must be 0 to 2", 3, List.of(0, 1, 3));
    }
}
