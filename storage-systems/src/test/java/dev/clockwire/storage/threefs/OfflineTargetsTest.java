package dev.clockwire.storage.threefs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.ClusterSpec;
import dev.clockwire.storage.cluster.Disk;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.FaultSchedule;
import dev.clockwire.storage.cluster.FaultStrike;
import dev.clockwire.storage.cluster.FaultStrike.What;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.cluster.NodeSpec;
import dev.clockwire.storage.cluster.WorkerSpec;
import dev.clockwire.storage.load.FaultTrial;
import dev.clockwire.storage.load.Load;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.LoadSpec;
import dev.clockwire.storage.threefs.mgmtd.Chain;
import dev.clockwire.storage.threefs.mgmtd.Target;
import dev.clockwire.storage.threefs.mgmtd.TargetState;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.server.ProtocolTap;
import dev.clockwire.storage.threefs.server.ReadRule;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Targets that nodes take offline while they go on: their chains go on without them. */
class OfflineTargetsTest {
    private static final int EACH = Boolean.getBoolean("clockwire.full") ? 1 : 4;

    private static Trial mix(DataPath path) {
        return Trial.of(path, ReadRule.REJECT);
    }

    private static List<TargetState> states(FaultTrial.Result<ThreeFsSystem> r) {
        List<TargetState> all = new ArrayList<>();
        for (Chain c : r.system().fs().manager().routing().chains()) {
            c.targets().forEach(t -> all.add(t.state()));
        }
        return all;
    }

    /** Head, middle and tail, at each step of writes, reads and commits: two of three serve on, nothing acknowledged is lost, the process lives. */
    @ParameterizedTest
    @EnumSource(DataPath.class)
    void aDiskThatFailsForGoodCostsItsTargetAndNothingElse(DataPath path) {
        Trial quiet = mix(path);
        List<String> wrong = new ArrayList<>();
        int lost = 0;
        List<FaultStrike> all = quiet.strikes().stream()
                .filter(s -> s.what() == What.DISK_ERROR && s.nth() == 2)
                .toList();
        for (int i = 0; i < all.size(); i += EACH) {
            FaultStrike at = all.get(i);
            Trial t = quiet.with(FaultSchedule.of(FaultStrike.of(at.node(), at.event(), 2, What.DISK_ERROR, 0)));
            var r = t.run();
            r.wrong().forEach(w -> wrong.add(t.line() + ": " + w));
            assertThat(states(r).subList(0, 2)).as(t.line()).containsOnly(TargetState.SERVING);
            lost += states(r).get(2) == TargetState.OFFLINE ? 1 : 0;
        }
        assertThat(wrong).isEmpty();
        assertThat(lost).as("chains of two").isGreaterThan(all.size() / EACH / 2);
    }

    /** Errors that pass: the target is brought up to date and serves again, in the same process. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "node0:data#2 disk-error for=5ms",
                "node1:committing#2 disk-error for=5ms",
                "node2:read#1 disk-error for=5ms",
                "node0:data#2 disk-error for=5ms; node0:data#2 disk-error for=9ms on=node1;"
                        + " node0:data#2 disk-error for=16ms on=node2"
            })
    void aDiskThatWorksAgainServesAgain(String schedule) {
        var r = mix(DataPath.PULL).with(schedule).run();
        assertThat(r.wrong()).isEmpty();
        assertThat(r.counts().keySet()).anyMatch(s -> s.endsWith(":offline")).anyMatch(s -> s.endsWith(":online"));
        assertThat(states(r)).containsOnly(TargetState.SERVING);
    }

    /** Of two disks of a node one fails: its chain goes on with two targets, the other chain with all three. */
    @Test
    void onlyTargetsOfTheDiskGoOffline() {
        NodeSpec software = NodeSpec.of(WorkerSpec.sleeping());
        ClusterSpec spec = ClusterSpec.of(
                        Profiles.named("cx7-400g"), LabSpec.of(5).withSoft(SoftSpec.usual()), 3, 2)
                .withManagers(1)
                .withSoftware(software, software)
                .withDisks(2);
        Cluster cluster = new Cluster(spec.withDisk(spec.ssd(), DiskKind.MEDIA));
        ThreeFs fs = new ThreeFs(cluster, mix(DataPath.PULL).service(), 2, 3, ProtocolTap.NONE);
        ThreeFsSystem system = new ThreeFsSystem("3fs", fs);
        system.start();
        Node broken = cluster.nodes().get(1);
        broken.disks().get(0).fail(Disk.NEVER);
        LoadResult r = new Load(system, new LoadSpec(LoadSpec.Op.WRITE, Trial.SIZE, 16, 4, 1, 0)).run();
        assertThat(r.differences()).isEmpty();
        assertThat(r.verdict().isLinearizable()).isTrue();
        List<Chain> chains = fs.manager().routing().chains();
        assertThat(chains.get(0).of(broken.number())).extracting(Target::state).isEqualTo(TargetState.OFFLINE);
        assertThat(chains.get(0).written()).hasSize(2);
        assertThat(chains.get(1).written()).hasSize(3);
        assertThat(broken.incarnation()).as("its process has not ended").isEqualTo(1);
    }
}
