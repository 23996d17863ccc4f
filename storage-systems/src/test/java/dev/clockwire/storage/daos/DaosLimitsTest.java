package dev.clockwire.storage.daos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.daos.client.DaosClient;
import dev.clockwire.storage.daos.dtx.DtxState;
import dev.clockwire.storage.daos.engine.DaosSpec;
import dev.clockwire.storage.daos.engine.DtxRules;
import dev.clockwire.storage.daos.engine.DtxTap;
import dev.clockwire.storage.daos.pool.DaosTimes;
import dev.clockwire.storage.daos.rpc.Rpc;
import dev.clockwire.storage.daos.rpc.RpcOp;
import dev.clockwire.storage.daos.vos.VosSpec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sizes at which the path changes, quotas, registrations, and what happens to memory when somebody gives up. */
class DaosLimitsTest {
    private static final long US = 1_000_000L;

    private static DaosClient client(Rig rig) {
        return rig.daos.client(rig.cluster.clients().get(0));
    }

    private static long[] timed(Rig rig, int size) {
        rig.wire.restart();
        assertThat(rig.read(0, size, size)).isEqualTo(size);
        return new long[] {rig.tookPs, rig.wire.sends(), rig.wire.writes()};
    }

    @Test
    void readsHaveAStepAtTheBounceBufferAndOneAtTheInlineLimit() {
        Rig rig = Rig.quiet(
                DaosSpec.quick().withVos(new VosSpec(1 << 20, 1_000_000L, 50, false))); // no SSD: its times vary
        int[] sizes = {15_104, 15_616, 16_128, 16_640, 18_944, 19_456, 19_968};
        for (int size : sizes) {
            rig.write(0, size, size, size);
        }
        rig.rest();
        List<long[]> seen = new ArrayList<>();
        for (int size : sizes) {
            seen.add(timed(rig, size));
        }
        assertThat(seen.get(2)).endsWith(2, 0); // 16,128 and a response's 256 fill a buffer
        assertThat(seen.get(3)).endsWith(3, 0);
        assertThat(seen.get(4)).endsWith(3, 0);
        assertThat(seen.get(5)).endsWith(2, 1);
        long per512 = (seen.get(4)[0] - seen.get(3)[0]) * 512 / (18_944 - 16_640);
        assertThat(seen.get(3)[0] - seen.get(2)[0])
                .isGreaterThan(per512 + 50_000); // small: the second SEND goes while the first is copied
        assertThat(seen.get(5)[0] - seen.get(4)[0])
                .isGreaterThan(2 * DaosSpec.quick().rpc().registerPs() - 5 * US);
    }

    @ParameterizedTest
    @CsvSource({"15744,6,0", "15872,9,0", "19455,9,0", "19456,6,3"})
    void writesGoInOneTwoOrNoPieces(int size, int sends, int reads) {
        Rig rig = Rig.quiet(DaosSpec.quick());
        rig.wire.restart();
        rig.write(0, 3, size, 5);
        assertThat(rig.known).isTrue();
        assertThat(rig.wire.sends()).isEqualTo(sends);
        assertThat(rig.wire.reads()).isEqualTo(reads);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void memoryIsRegisteredForEachOperationUnlessThereIsACache(boolean cache) {
        DaosSpec spec = DaosSpec.quick();
        Rig rig = Rig.quiet(spec.withRpc(spec.rpc().withCache(cache)));
        rig.write(0, 3, 65_536, 5);
        long first = rig.tookPs;
        rig.write(0, 3, 65_536, 6);
        assertThat(client(rig).registry().registrations()).isEqualTo(cache ? 1 : 2);
        assertThat(client(rig).registry().open()).isEqualTo(cache ? 1 : 0);
        if (cache) {
            assertThat(first - rig.tookPs).isGreaterThan(spec.rpc().costPs(0, 65_536) / 2);
        }
        assertThat(rig.read(0, 3, 65_536)).isEqualTo(6);
    }

    @Test
    void aThousandBulksKeepToTheQuota() {
        Rig rig = Rig.quiet(DaosSpec.quick());
        List<boolean[]> done = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            done.add(rig.begin(0, i, 20_480, 9));
        }
        rig.cluster.await(() -> done.stream().allMatch(d -> d[0]), "all writes");
        assertThat(client(rig).registry().most())
                .isEqualTo(DaosSpec.daos().rpc().bulkQuota());
        assertThat(client(rig).registry().open()).isZero();
        assertThat(client(rig).context().open()).isZero();
        assertThat(rig.read(0, 999, 20_480)).isEqualTo(9);
        assertThat(rig.rest().differences()).isEmpty();
        for (Node n : rig.cluster.nodes()) {
            assertThat(rig.daos.engine(n).target(0).dma().used()).isZero();
        }
    }

    /** Sends one transaction twice, the second time while it is pulled; returns how many executions of it were alive at once. */
    private static int executions(boolean allocateFirst) {
        int[] alive = new int[2];
        DtxTap tap = (engine, what, key, epoch) -> {
            if (engine == 0 && what.equals("dispatch")) {
                alive[1] = Math.max(alive[1], ++alive[0]);
            } else if (engine == 0 && (what.equals("aborted") || what.equals("committable"))) {
                alive[0]--;
            }
        };
        DtxRules late = new DtxRules() {
            @Override
            public boolean joins(DtxState state) {
                return state != DtxState.INITED;
            }
        };
        DtxRules rules = allocateFirst ? new DtxRules() : late;
        Rig rig = new Rig(DaosSpec.quick(), rules, true, DiskKind.MEDIA, 1, FaultPlan.NONE, tap);
        Node n = rig.cluster.clients().get(0);
        long va = n.allocate("twice", 1 << 20, Allocation.Kind.BULK);
        int[] answers = new int[1];
        n.worker(0)
                .post(
                        (a, b) -> client(rig).registry().register(va, 1 << 20, mr -> {
                            send(rig, va, mr, answers);
                            n.worker(0).after(20 * US, (x, y) -> send(rig, va, mr, answers), 0, 0);
                        }),
                        0,
                        0);
        rig.cluster.await(() -> answers[0] == 2, "answers");
        return alive[1];
    }

    private static void send(Rig rig, long va, MemoryRegion mr, int[] answers) {
        Rpc m = new Rpc(RpcOp.UPDATE);
        m.key = 3;
        m.length = 1 << 20;
        m.dtxClient = 99;
        m.dtxSequence = 1;
        m.flags = Rpc.BULK;
        m.bulkAddress = va;
        m.bulkRkey = mr.rkey();
        m.bulkPeer = rig.cluster.clients().get(0).number();
        client(rig).context().call(rig.cluster.nodes().get(0).number(), m, 8_000 * US, answer -> answers[0]++);
    }

    @Test
    void aResendDuringThePullIsExecutedOnceOnlyIfItsEntryCameFirst() {
        assertThat(executions(true)).isEqualTo(1);
        assertThat(executions(false)).isGreaterThan(1);
    }

    @Test
    void aClientThatDiesDuringAPullHurtsNobodyElse() {
        FaultRule crash =
                FaultRule.of(new FaultAction.OnNode(NodeFault.CRASH, "client0"), new FaultTrigger.At(6_050 * US));
        Rig rig = new Rig(DaosSpec.quick(), true, DiskKind.MEDIA, 2, FaultPlan.of(crash), DtxTap.NONE);
        rig.cluster.sim().run(6_000 * US);
        rig.begin(0, 3, 1 << 20, 4);
        rig.cluster.sim().run(6_100 * US);
        rig.write(1, 4, 65_536, 5);
        rig.write(1, 3, 65_536, 6);
        assertThat(rig.known).isTrue();
        assertThat(rig.read(1, 3, 65_536)).isEqualTo(6);
        assertThat(rig.rest().differences()).isEmpty();
    }

    @Test
    void memoryOfAnOperationThatWasGivenUpIsNotReadAnyMore() {
        DaosTimes q = DaosTimes.quick();
        DaosTimes hasty = new DaosTimes(
                1_000 * US,
                100 * US,
                500 * US,
                3_000 * US,
                q.swimPeriod(),
                q.swimPing(),
                20_000 * US,
                40_000 * US,
                q.dtxAge(),
                q.dtxRefresh(),
                q.dtxKeep());
        FaultRule pause = FaultRule.of(
                        new FaultAction.OnNode(NodeFault.PAUSE, "node1"), new FaultTrigger.At(21_000 * US))
                .lasting(6_000 * US);
        Rig rig = new Rig(DaosSpec.quick().withTimes(hasty), true, DiskKind.MEDIA, 1, FaultPlan.of(pause), DtxTap.NONE);
        rig.cluster.sim().run(21_100 * US);
        rig.write(0, 3, 65_536, 4);
        assertThat(rig.known).isFalse();
        rig.write(0, 7, 65_536, 5); // the same memory
        rig.cluster.sim().run(60_000 * US);
        int tag = rig.read(0, 3, 65_536);
        assertThat(rig.length == 0 || tag == 4).isTrue();
        assertThat(rig.rest().differences()).isEmpty();
    }

    @Test
    void answersThatDoNotWaitForThePutSaveATrip() {
        DaosSpec spec = DaosSpec.quick();
        Rig rig = Rig.quiet(spec.withPutFirst(false));
        rig.write(0, 3, 65_536, 5);
        rig.rest();
        rig.wire.restart();
        assertThat(rig.read(0, 3, 65_536)).isEqualTo(5);
        assertThat(rig.wire.depth(rig.cluster.clients().get(0).number())).isEqualTo(2);
    }

    @Test
    void clusterAndSizesThatCannotBeAreRefused() {
        assertThatThrownBy(() -> new Daos(
                        Rig.cluster(true, DiskKind.MEDIA, 2, 1, 1, FaultPlan.NONE), DaosSpec.daos(), 3, DtxTap.NONE))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("3 replicas on 2 storage nodes");
        assertThatThrownBy(() -> DaosSpec.daos().rpc().withInline(30_000))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("inlineBytes 30000");
    }
}
