package dev.clockwire.storage.daos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.daos.engine.DaosSpec;
import dev.clockwire.storage.daos.engine.DtxRules;
import dev.clockwire.storage.daos.engine.DtxTap;
import dev.clockwire.storage.load.Load;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.LoadSpec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Other ways to do things: large values by the leader, receives of each connection's own, commits that ride on requests. */
class DaosOptionsTest {
    private static List<Long> bytes(Rig rig) {
        List<Long> all = new ArrayList<>();
        all.add(rig.wire.txBytes(rig.cluster.clients().get(0).number()));
        for (Node n : rig.cluster.nodes()) {
            all.add(rig.wire.txBytes(n.number()));
        }
        return all;
    }

    @Test
    void aLeaderThatSendsLargeValuesOnSparesTheClientAndTakesTwoTripsMore() {
        Rig rig = Rig.quiet(DaosSpec.quick().withLeaderSends(true));
        rig.wire.restart();
        rig.write(0, 3, 65_536, 78);
        assertThat(rig.wire.sends()).isEqualTo(6);
        assertThat(rig.wire.reads()).isEqualTo(3);
        assertThat(rig.wire.depth(rig.cluster.clients().get(0).number())).isEqualTo(8);
        rig.run(5);
        List<Long> sent = bytes(rig);
        assertThat(sent.get(0)).as("client").isBetween(65_536L, 70_000L);
        assertThat(sent.get(1)).as("leader").isBetween(131_072L, 140_000L);
        assertThat(sent.get(2)).as("replica").isLessThan(1000);
        assertThat(rig.rest().differences()).isEmpty();
        assertThat(rig.daos.engine(rig.cluster.nodes().get(0)).target(0).dma().used())
                .isZero();
        for (int i = 0; i < 3; i++) {
            assertThat(rig.read(0, 3, 65_536)).isEqualTo(78);
        }
    }

    @Test
    void faultsWhileALeaderSendsLargeValuesOnLoseNothing() {
        DaosTrial of = DaosTrial.of(DaosTrial.spec().withLeaderSends(true), new DtxRules(), 65_536);
        DaosTrial.assertSafe(of.sample(8, 1, 21));
        DaosTrial.assertSafe(of.sample(3, 2, 22));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void receivesOfEachConnectionsOwnChangeNothingOnTheWire(boolean soft) {
        DaosSpec spec = DaosSpec.quick();
        DaosSpec own = spec.withOfi(spec.ofi().withReceivesEach(16));
        Rig rig = new Rig(own, soft, soft ? DiskKind.MEDIA : DiskKind.FULL, 1, FaultPlan.NONE, DtxTap.NONE);
        rig.wire.restart();
        rig.write(0, 3, 4096, 77);
        assertThat(rig.wire.sends()).isEqualTo(6);
        assertThat(rig.wire.depth(rig.cluster.clients().get(0).number())).isEqualTo(4);
        rig.run(5);
        assertThat(bytes(rig)).containsExactly(4926L, 10_236L, 384L, 384L);
        for (int i = 0; i < 40; i++) {
            rig.write(0, i, 18_000, i); // two pieces each: every buffer is used again
        }
        rig.rest();
        assertThat(rig.read(0, 39, 18_000)).isEqualTo(39);
    }

    @Test
    void faultsWithReceivesOfEachConnectionsOwnLoseNothing() {
        DaosSpec spec = DaosTrial.spec();
        DaosTrial of = DaosTrial.of(spec.withOfi(spec.ofi().withReceivesEach(16)), new DtxRules(), 4096);
        DaosTrial.assertSafe(of.sample(8, 1, 31));
    }

    /** Until now a replica hears of commits half a millisecond later: a second write of the same object tells it at once. */
    @Test
    void committableTransactionsRideOnTheNextRequestOfTheirObject() {
        Rig rig = Rig.quiet(DaosSpec.quick());
        Node replica = rig.cluster.nodes().get(1);
        rig.write(0, 3, 4096, 1);
        long first = rig.epoch;
        rig.wire.restart();
        rig.write(0, 6, 4096, 2); // same group, another object: nothing rides
        rig.run(5);
        assertThat(bytes(rig)).containsExactly(4926L, 10_236L, 384L, 384L);
        assertThat(rig.daos.engine(replica).target(0).vos().newest(3)).isNull();
        rig.wire.restart();
        rig.write(0, 3, 4096, 3);
        rig.run(5);
        assertThat(rig.daos.engine(replica).target(0).vos().newest(3))
                .as("the first write, at the replica")
                .matches(x -> x.epoch() == first);
        assertThat(rig.wire.sends()).isEqualTo(6);
        assertThat(bytes(rig).get(1)).isEqualTo(10_236 + 2 * 40);
        rig.cluster.sim().run(rig.cluster.sim().now() + 2_000_000_000L);
        assertThat(rig.rest().differences()).isEmpty();
        assertThat(rig.read(0, 3, 4096)).isEqualTo(3);
    }

    @Test
    void sixtyFourAtMostRideAndTheRestIsCommittedLater() {
        Rig rig = Rig.quiet(DaosSpec.quick());
        List<boolean[]> done = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            done.add(rig.begin(0, 3, 19_455, 5)); // hardly any room for riders
        }
        rig.cluster.await(() -> done.stream().allMatch(d -> d[0]), "all writes");
        assertThat(rig.rest().differences()).isEmpty();
        assertThat(rig.read(0, 3, 19_455)).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource({"4096,4542,768", "65536,66928,834"})
    void aReadCostsOneEngineAndTheClientAlone(int size, long sent, long received) {
        for (boolean soft : new boolean[] {true, false}) {
            DiskKind disk = soft ? DiskKind.MEDIA : DiskKind.FULL;
            Rig rig = new Rig(DaosSpec.quick(), soft, disk, 1, FaultPlan.NONE, DtxTap.NONE);
            rig.write(0, 3, size, 7);
            rig.rest();
            rig.wire.restart();
            assertThat(rig.read(0, 3, size)).isEqualTo(7);
            rig.run(5);
            List<String> engines = new ArrayList<>();
            for (Node n : rig.cluster.nodes()) {
                engines.add(rig.wire.txBytes(n.number()) + "/" + rig.wire.rxBytes(n.number()));
            }
            assertThat(engines).containsExactlyInAnyOrder(sent + "/" + received, "0/0", "0/0");
            int client = rig.cluster.clients().get(0).number();
            assertThat(rig.wire.txBytes(client)).isEqualTo(received);
            assertThat(rig.wire.rxBytes(client)).isEqualTo(sent);
        }
    }

    private static LoadResult run(Cluster cluster, LoadSpec load) {
        DaosSystem system = new DaosSystem("daos", new Daos(cluster, DaosSpec.quick(), 3, DtxTap.NONE));
        system.start();
        return new Load(system, load).run();
    }

    @Test
    void writersOfOneObjectAllGetThrough() {
        LoadSpec load = new LoadSpec(LoadSpec.Op.WRITE, 4096, 800, 1, 4, 0);
        LoadResult r = run(Rig.cluster(true, DiskKind.MEDIA, 3, 8, 9, FaultPlan.NONE), load);
        assertThat(r.isSafe()).as(r.differences() + r.verdict().text()).isTrue();
        assertThat(r.ended()).isEqualTo(800);
        assertThat(r.latency().max())
                .as("nobody waits much longer than all others")
                .isLessThan(5 * r.latency().percentile(50));
    }

    /** Many clients and few buffers (mercury 343): whatever finds no room to send or to be received in waits, and no RPC is lost. */
    @Test
    void sixteenClientsThroughFewBuffersLoseNoRpc() {
        Cluster cluster = Rig.cluster(true, DiskKind.MEDIA, 4, 16, 13, FaultPlan.NONE);
        DaosSpec spec = DaosSpec.quick();
        DaosSpec small = spec.withOfi(spec.ofi().withBuffers(4, 2));
        DaosSystem system = new DaosSystem("daos", new Daos(cluster, small, 3, DtxTap.NONE));
        system.start();
        LoadResult r = new Load(system, new LoadSpec(LoadSpec.Op.MIX, 16_896, 480, 40, 8, 50)).run();
        assertThat(r.isSafe()).as(r.differences() + r.verdict().text()).isTrue();
        assertThat(r.ended()).isEqualTo(480);
        for (Node n : cluster.clients()) {
            assertThat(system.daos().client(n).context().open()).isZero();
        }
    }
}
