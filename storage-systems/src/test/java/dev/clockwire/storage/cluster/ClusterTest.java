package dev.clockwire.storage.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes with programs, disks and connections; crashes and what comes back. */
class ClusterTest {
    private static final long MS = 1_000_000_000L;

    private static LabSpec lab(boolean soft) {
        LabSpec spec = LabSpec.of(7);
        return soft ? spec.withSoft(SoftSpec.usual()) : spec;
    }

    private static ClusterSpec spec(LabSpec lab, DiskKind disk, boolean polls) {
        ClusterSpec spec = ClusterSpec.of(Profiles.named("cx7-400g"), lab, 1, 1);
        NodeSpec software = NodeSpec.of(polls ? WorkerSpec.polling() : WorkerSpec.sleeping());
        return spec.withDisk(spec.ssd(), disk).withSoftware(software, software);
    }

    /** A cluster in which a client asks a node. */
    private static final class Pair {
        final Cluster cluster;
        final List<Echo> servers = new ArrayList<>();
        final List<Echo> clients = new ArrayList<>();

        Pair(ClusterSpec spec) {
            this(spec, 0);
        }

        Pair(ClusterSpec spec, int wanted) {
            cluster = new Cluster(spec);
            Node node = cluster.nodes().get(0);
            node.run(n -> {
                Echo e = new Echo(n, true);
                servers.add(e);
                e.start(n);
            });
            cluster.clients().get(0).run(n -> {
                Echo e = new Echo(n, false);
                e.wanted = wanted;
                clients.add(e);
                e.start(node);
            });
            cluster.boot();
            cluster.await(() -> !clients.isEmpty() && clients.get(0).connected, "be connected");
        }

        void ask() {
            Echo client = clients.get(clients.size() - 1);
            int before = client.answers;
            Worker w = client.node.worker(0);
            w.post((a, b) -> client.ask(), 0, 0);
            cluster.await(() -> client.answers > before, "an answer");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "false,FULL,true",
        "false,FULL,false",
        "false,MEDIA,true",
        "true,MEDIA,true",
        "true,MEDIA,false",
        "true,FULL,false"
    })
    void anOperationIsCountedFromTheWire(boolean soft, DiskKind disk, boolean polls) {
        Pair pair = new Pair(spec(lab(soft), disk, polls));
        pair.cluster.wire().restart();
        pair.ask();
        WireCount wire = pair.cluster.wire();
        assertThat(wire.sends()).as("request and answer").isEqualTo(2);
        assertThat(wire.reads()).isEqualTo(1);
        assertThat(wire.writes()).isZero();
        assertThat(wire.depth(pair.cluster.clients().get(0).number()))
                .as("request, READ and its response, answer")
                .isEqualTo(4);
        assertThat(pair.cluster.nodes().get(0).disk().bytesWritten()).isEqualTo(Echo.DATA);
    }

    @Test
    void aCableThatIsNotThereIsRefused() {
        FaultRule cut = FaultRule.of(new FaultAction.LinkDown("node0-swich"), new FaultTrigger.At(1));
        assertThatThrownBy(() ->
                        new Cluster(spec(lab(true).withFaults(FaultPlan.of(cut.named("cut"))), DiskKind.MEDIA, true)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("fault cut: no host's cable is called node0-swich; did you mean node0-switch?");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoIsPartedHearsNothingForThatTime(boolean soft) {
        LabSpec lab = lab(soft).withFaults(FaultPlan.NONE.withMore());
        Pair pair = new Pair(spec(lab, DiskKind.MEDIA, true));
        Cluster c = pair.cluster;
        pair.ask();
        long before = c.sim().now();
        c.lab().part(c.nodes().get(0).number(), c.clients().get(0).number(), before, 2 * MS);
        pair.ask();
        assertThat(c.sim().now()).isGreaterThan(before + 2 * MS);
    }

    @ParameterizedTest
    @CsvSource({"false,MEDIA", "true,MEDIA"})
    void skippedPollsAreEveryPoll(boolean soft, DiskKind disk) {
        List<String> seen = new ArrayList<>();
        for (KernelMode mode : List.of(KernelMode.ACTIVITY, KernelMode.EXHAUSTIVE)) {
            Pair pair = new Pair(spec(lab(soft).withMode(mode), disk, true), 5);
            pair.cluster.await(() -> pair.clients.get(0).answers == 5, "five answers");
            seen.add("answered at " + pair.cluster.sim().now());
            pair.cluster.sim().run(MS + 7); // no poll begins there
            var core = pair.cluster.nodes().get(0).host().core();
            seen.add(pair.cluster.sim().now() + " " + core.steps() + " " + core.busyPs() + " " + core.pollingPs());
        }
        assertThat(seen.subList(2, 4)).isEqualTo(seen.subList(0, 2));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTimerThatIsCancelledWakesAndCostsNothing(boolean polls) {
        Pair pair = new Pair(spec(lab(true), DiskKind.MEDIA, polls));
        Worker w = pair.clients.get(0).node.worker(0);
        long begun = pair.cluster.sim().now();
        long[] timer = new long[1];
        List<Long> ran = new ArrayList<>();
        w.post((a, b) -> timer[0] = w.after(MS, (x, y) -> ran.add(x), 0, 0), 0, 0);
        pair.cluster.sim().run(begun + MS / 2);
        w.post((a, b) -> w.cancel(timer[0]), 0, 0);
        pair.cluster.sim().run(begun + 3 * MS / 4);
        long wakeUps = w.wakeUps();
        long work = w.core().busyPs() - w.core().pollingPs();

        pair.cluster.sim().run(begun + 2 * MS);

        assertThat(ran).isEmpty();
        assertThat(w.wakeUps()).isEqualTo(wakeUps);
        assertThat(w.core().busyPs() - w.core().pollingPs()).isEqualTo(work);
    }

    @ParameterizedTest
    @CsvSource({"false,FULL", "false,MEDIA", "true,MEDIA"})
    void whatTheDiskHasOutlivesACrash(boolean soft, DiskKind disk) {
        FaultRule crash = FaultRule.of(new FaultAction.OnNode(NodeFault.CRASH, "node0"), new FaultTrigger.At(30 * MS))
                .restartingAfter(2 * MS);
        Pair pair = new Pair(spec(lab(soft).withFaults(FaultPlan.of(crash)), disk, true));
        Echo client = pair.clients.get(0);
        byte[] data = {1, 2, 3, 4, 5};
        client.node.host().host().memory().putBytes(client.memory + 2 * Echo.NOTE, data, 0, data.length);
        pair.ask();
        Node node = pair.cluster.nodes().get(0);
        assertThat(pair.cluster.sim().now()).as("before the crash").isLessThan(30 * MS);
        pair.cluster.await(() -> pair.cluster.sim().now() > 31 * MS, "the crash");
        assertThat(node.isRunning()).isFalse();
        pair.cluster.await(() -> pair.servers.size() == 2, "a second incarnation");
        assertThat(node.incarnation()).isEqualTo(2);
        long va = node.allocate("again", Echo.DATA, Allocation.Kind.REAL);
        boolean[] read = new boolean[1];
        node.worker(0).post((a, b) -> node.disk().read(0, Echo.DATA, va, (t, ok) -> read[0] = ok, 0), 0, 0);
        pair.cluster.await(() -> read[0], "read");
        byte[] back = new byte[data.length];
        node.host().host().memory().getBytes(va, back, 0, back.length);
        assertThat(back).isEqualTo(data);
    }
}
