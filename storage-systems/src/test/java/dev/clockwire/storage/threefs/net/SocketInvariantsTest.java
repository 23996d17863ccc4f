package dev.clockwire.storage.threefs.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.MessageName;
import dev.clockwire.nic.lab.WireTap;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.check.monitor.Finding;
import dev.clockwire.storage.check.monitor.Invariant;
import dev.clockwire.storage.check.monitor.Monitors;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The invariants of verbs and wire on a socket: kept by the whole one, and each broken by one mutant, or a device that fails, and found by its own monitor. */
class SocketInvariantsTest {
    private static final IbSocketSpec SPEC = IbSocketSpec.threeFs();
    private static final long MS = 1_000_000_000L;
    private static final int MORE_THAN_RECEIVES = 60;

    private static SocketRig rig(boolean soft, FaultPlan faults, SocketRig.Making making) {
        return new SocketRig(SPEC, SPEC, soft, faults, making, true);
    }

    /** Sends, READs, then ends the connection while there is more under way. */
    private static void talk(SocketRig rig, int sends) {
        byte[] b = new byte[64];
        rig.busy(MS);
        rig.onClient(() -> {
            for (int i = 0; i < sends; i++) {
                rig.client.socket().send(b, b.length, MessageName.NONE);
            }
            rig.ranges(sends, 4096).forEach(r -> rig.client.socket().read(r, MessageName.NONE, ok -> {}));
        });
        rig.cluster.sim().run(rig.cluster.sim().now() + 3 * MS);
        rig.onClient(() -> rig.client.socket().close());
        rig.cluster.sim().run(rig.cluster.sim().now() + 200 * MS);
        rig.cluster.quiescent(List::of, new Monitors());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theWholeOneKeepsAllOfThem(boolean soft) {
        SocketRig rig = rig(soft, FaultPlan.NONE, IbSocket::new);
        talk(rig, MORE_THAN_RECEIVES);
        assertThat(rig.findings.list()).isEmpty();
        assertThat(rig.server.received).hasSize(MORE_THAN_RECEIVES);
    }

    @ParameterizedTest
    @CsvSource({
        "NO_CREDITS, true, 60, RD-1",
        "NO_CREDITS, false, 60, RD-1",
        "WRONG_RECEIVE, true, 1, RD-2",
        "WRONG_RECEIVE, false, 1, RD-2",
        "SHORT_QUEUE, true, 60, RD-3",
        "SHORT_QUEUE, false, 60, RD-3"
    })
    void aRuleThatIsLeftOutIsFoundOut(MutantSockets mutant, boolean soft, int sends, String by) {
        SocketRig rig = rig(soft, FaultPlan.NONE, mutant);
        talk(rig, sends);
        assertThat(rig.findings.list())
                .isNotEmpty()
                .extracting(f -> f.invariant().id())
                .containsOnly(by);
    }

    /** A device that hands completions back in another order: that of a READ behind that of a SEND posted later. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDeviceThatMixesCompletionsUpIsFoundOut(boolean soft) {
        FaultPlan plan = FaultPlan.of(
                FaultRule.of(new FaultAction.OnNode(NodeFault.CQE_ORDER, "client0"), new FaultTrigger.Probability(0.5))
                        .lasting(MS));
        SocketRig rig = rig(soft, plan, IbSocket::new);
        byte[] b = new byte[64];
        for (RdmaRange r : rig.ranges(20, 4096)) {
            rig.onClient(() -> {
                rig.client.socket().read(r, MessageName.NONE, ok -> {});
                for (int i = 0; i < 8; i++) { // the last of which is signalled
                    rig.client.socket().send(b, b.length, MessageName.NONE);
                }
            });
            rig.cluster.sim().run(rig.cluster.sim().now() + MS / 10);
        }
        rig.cluster.sim().run(rig.cluster.sim().now() + MS);
        assertThat(rig.findings.list())
                .isNotEmpty()
                .extracting(Finding::invariant)
                .containsOnly(Invariant.RD_5);
    }

    /** RD-8 cannot be broken by a program: devices hold READs back. They go to the bound and no further, also when frames are lost. */
    @ParameterizedTest
    @CsvSource({"true, 0", "false, 0", "true, 7", "false, 7"})
    void readsGoUpToTheBound(boolean soft, int lostOfHundred) {
        FaultPlan plan =
                FaultPlan.of(FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Probability(lostOfHundred / 100.0))
                        .where(t -> t instanceof RocePacket p && isRead(p)));
        SocketRig rig = rig(soft, lostOfHundred == 0 ? FaultPlan.NONE : plan, IbSocket::new);
        List<Integer> underWay = new ArrayList<>();
        List<Integer> notReady = new ArrayList<>();
        rig.cluster.wire().watch(new WireTap() {
            @Override
            public void notReady(long ps, int host, int to, int qpn) {
                notReady.add(qpn);
            }

            @Override
            public void readLeft(long ps, int host, int qpn, int now) {
                assertThat(qpn).isEqualTo(rig.client.socket().qpn());
                underWay.add(now);
            }
        });
        List<Boolean> ended = new ArrayList<>();
        rig.onClient(() ->
                rig.ranges(64, 16_384).forEach(r -> rig.client.socket().read(r, MessageName.NONE, ended::add)));
        rig.cluster.await(() -> ended.size() == 64, "all READs");
        assertThat(ended).containsOnly(true);
        assertThat(underWay).contains(SPEC.maxRdAtomic()).allMatch(n -> n <= SPEC.maxRdAtomic());
        assertThat(notReady).isEmpty();
    }

    private static boolean isRead(RocePacket p) {
        Opcode op = Opcode.find(p.opcode);
        return op != null && (op == Opcode.RC_RDMA_READ_REQUEST || op.name().contains("READ_RESPONSE"));
    }

    /** Who looks on changes nothing. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRunThatIsWatchedIsTheSame(boolean soft) {
        SocketRig watched = rig(soft, FaultPlan.NONE, IbSocket::new);
        SocketRig alone = new SocketRig(SPEC, SPEC, soft, FaultPlan.NONE, IbSocket::new, false);
        talk(watched, MORE_THAN_RECEIVES);
        talk(alone, MORE_THAN_RECEIVES);
        assertThat(watched.cluster.sim().traceHash())
                .isEqualTo(alone.cluster.sim().traceHash());
        assertThat(alone.findings.list()).isEmpty();
    }

    /** A connection that breaks under way: what was posted comes back, and nobody complains. */
    @Test
    void aConnectionThatBreaksComesBackWhole() {
        SocketRig rig = rig(true, FaultPlan.NONE, IbSocket::new);
        rig.onClient(() -> {
            rig.ranges(40, 4096).forEach(r -> rig.client.socket().read(r, MessageName.NONE, ok -> {}));
            rig.client.socket().close();
        });
        rig.cluster.sim().run(rig.cluster.sim().now() + 200 * MS);
        assertThat(rig.findings.list()).isEmpty();
        assertThat(rig.client.broken).isEqualTo(1);
    }
}
