package dev.clockwire.storage.daos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.Sim;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.daos.engine.DaosSpec;
import dev.clockwire.storage.daos.engine.DtxTap;
import dev.clockwire.storage.daos.pool.DaosTimes;
import dev.clockwire.storage.daos.pool.TargetState;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/**
 * How long a write waits whose request an engine has taken before it died, with the waits of DAOS. Nothing of it is on the wire any more, so no queue pair
 * breaks because of it.
 */
class LostEngineTest {
    private static final int LEADER = 0;
    private static final int REPLICA = 1;
    private static final long KEY = 3;
    private static final long US = 1_000_000L;
    private static final DaosTimes TIMES = DaosTimes.daos();

    /**
     * A write, from its beginning.
     *
     * @param excludedPs when the pool service took the engine for lost
     * @param tookPs when it was acknowledged
     */
    private record Wait(long excludedPs, long tookPs) {}

    private static Rig rig(FaultPlan faults, DtxTap tap) {
        return new Rig(DaosSpec.daos(), true, DiskKind.MEDIA, 1, faults, tap);
    }

    /** Returns when an engine has taken the request of the only write. */
    private static long taken(int engine) {
        Rig[] rig = new Rig[1];
        long[] at = new long[1];
        DtxTap tap = (who, what, key, epoch) -> {
            if (who == engine && what.equals("received")) {
                at[0] = rig[0].cluster.sim().now();
            }
        };
        rig[0] = rig(FaultPlan.NONE, tap);
        rig[0].write(0, KEY, 4096, 1);
        return at[0];
    }

    private static Wait lose(int engine) {
        FaultRule crash = FaultRule.of(
                new FaultAction.OnNode(NodeFault.CRASH, "node" + engine), new FaultTrigger.At(taken(engine) + 1));
        Rig rig = rig(FaultPlan.of(crash), DtxTap.NONE);
        boolean[] done = rig.begin(0, KEY, 4096, 1);
        long begun = rig.cluster.sim().now();
        until(rig, () -> rig.daos.manager().map().state(engine) == TargetState.DOWN);
        long excluded = rig.cluster.sim().now() - begun;
        until(rig, () -> done[0]);
        assertThat(rig.known).isTrue();
        return new Wait(excluded, rig.tookPs);
    }

    private static void until(Rig rig, BooleanSupplier what) {
        Sim sim = rig.cluster.sim();
        assertThat(sim.runUntil(what, sim.now() + 2 * TIMES.rpc())).isTrue();
    }

    /** The earliest that an engine is excluded is what a suspicion takes; behind that are who pings whom when, and who asks the pool service when. */
    private static void assertExcludedBySwim(Wait wait) {
        long turn = 2 * TIMES.swimPeriod(); // two others are pinged by turns
        long ping = TIMES.swimPing() + 2 * TIMES.swimPing(); // one's own, and that of a third one
        assertThat(wait.excludedPs())
                .isBetween(TIMES.swimSuspect(), TIMES.swimSuspect() + 2 * turn + ping + TIMES.lease() / 4);
    }

    /** The leader drops what it has sent to a replica that is excluded, and the client's next try goes to those that are left. */
    @Test
    void aReplicasDeathHoldsAWriteUpUntilItIsExcluded() {
        Wait wait = lose(REPLICA);
        assertExcludedBySwim(wait);
        long learns = TIMES.lease() / 4; // a leader asks for the map so often
        assertThat(wait.tookPs())
                .isBetween(wait.excludedPs(), wait.excludedPs() + learns + TIMES.retryMost() + 1000 * US);
    }

    /**
     * A client belongs to no group that watches its members, and what it has sent is not on the wire: it hears of the new map when the RPC's time is over,
     * which is what libdaos waits for too. The new leader knows nothing of the transaction, and executes it.
     */
    @Test
    void aLeadersDeathHoldsAWriteUpForTheTimeOfAnRpc() {
        Wait wait = lose(LEADER);
        assertExcludedBySwim(wait);
        assertThat(wait.tookPs())
                .isBetween(TIMES.rpc() + TIMES.retryFirst(), TIMES.rpc() + TIMES.retryFirst() + 100 * US);
    }
}
