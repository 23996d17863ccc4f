package dev.clockwire.roce.fabric.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.roce.congestion.RateRules;
import dev.clockwire.roce.fabric.bridge.BridgeSpec;
import dev.clockwire.roce.fabric.bridge.ClassMap;
import dev.clockwire.roce.fabric.bridge.PauseSpec;
import dev.clockwire.roce.fabric.bridge.PortSpec;
import dev.clockwire.roce.fabric.host.LightSpec;
import dev.clockwire.roce.fabric.host.PrioritySpec;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Single nodes that are set up otherwise than all, as real fabrics have them. */
class NodeRulesTest {
    private static final long MS = 1_000_000_000;

    private static NetworkSpec incast(LightSpec light) {
        return Fabrics.of(Topology.star(5, Fabrics.KBPS, Fabrics.US), light.rules() == null ? 1 : 4, light.rules())
                .withLight(light)
                .withFlows(Fabrics.incast(4, 2_000_000));
    }

    private static PrioritySpec obeying(int bits) {
        return new PrioritySpec(ClassMap.standard(), bits, true);
    }

    private static Map<String, LightSpec> hosts(LightSpec light) {
        return Map.of("host0", light, "host1", light, "host2", light, "host3", light);
    }

    /** One end of a link without PFC: the switch pauses, the host sends on, frames are lost. */
    @Test
    void aHostThatObeysNoPausesLosesFrames() {
        LightSpec light = Fabrics.light(null);
        LightSpec deaf = light.withPriorities(light.dataDscp(), light.answerDscp(), obeying(0));
        NetworkSpec spec = incast(light);
        Fabrics.Run good = new Fabrics.Run(spec, 1).until(2 * MS);
        assertThat(good.pauses()).isPositive();
        assertThat(good.drops()).isZero();
        NodeRules rules = new NodeRules(Map.of(), Map.of(), hosts(deaf));
        assertThat(new Fabrics.Run(spec.withNodes(rules), 1).until(2 * MS).drops())
                .isGreaterThan(100);
        LightSpec other = light.withPriorities(light.dataDscp(), light.answerDscp(), obeying(1 << 4));
        assertThat(new Fabrics.Run(spec.withNodes(new NodeRules(Map.of(), Map.of(), hosts(other))), 1)
                        .until(2 * MS)
                        .drops())
                .as("pauses of another priority do not stop it")
                .isGreaterThan(100);
    }

    /** The code point says nothing of the priority; the host's map does. */
    @Test
    void aHostsMapSaysWhichPausesStopIt() {
        LightSpec light = Fabrics.light(null);
        List<Integer> map = new ArrayList<>(ClassMap.standard().ofDscp());
        map.set(46, 3);
        ClassMap expedited = new ClassMap(false, map, ClassMap.standard().ofPcp());
        LightSpec mapped = light.withPriorities(46, light.answerDscp(), new PrioritySpec(expedited, 1 << 3, true));
        NetworkSpec spec = incast(mapped);
        NetworkSpec both = spec.withBridge(spec.bridge().withClasses(expedited));
        Fabrics.Run run = new Fabrics.Run(both, 1).until(2 * MS);
        assertThat(run.pauses()).isPositive();
        assertThat(run.drops()).isZero();
        LightSpec unmapped = light.withPriorities(46, light.answerDscp(), obeying(1 << 3));
        assertThat(new Fabrics.Run(both.withLight(unmapped), 1).until(2 * MS).drops())
                .as("priority 5 is never paused")
                .isPositive();
    }

    @Test
    void withoutANotificationPointNobodyIsTold() {
        LightSpec light =
                Fabrics.light(RateRules.nvidia(100_000_000_000L)).withNotifications(false, 50 * Fabrics.US, false, 0);
        LightSpec mute = light.withPriorities(
                light.dataDscp(), light.answerDscp(), new PrioritySpec(ClassMap.standard(), 0xFF, false));
        Fabrics.Run told = new Fabrics.Run(incast(light), 1).until(MS);
        assertThat(told.network.hosts().get(0).notificationsTaken()).isPositive();
        NodeRules receiver = new NodeRules(Map.of(), Map.of(), Map.of("host4", mute));
        Fabrics.Run run = new Fabrics.Run(incast(light).withNodes(receiver), 1).until(MS);
        assertThat(run.network.hosts().get(4).markedTaken()).isPositive();
        assertThat(run.network.hosts().get(0).notificationsTaken()).isZero();
    }

    @Test
    void aSwitchOfItsOwnChangesOnlyItself() {
        NetworkSpec spec = Fabrics.of(Topology.dumbbell(4, 4, Fabrics.KBPS, Fabrics.KBPS, Fabrics.US), 1, null)
                .withFlows(Fabrics.incast(4, 1_000_000));
        BridgeSpec lossy = spec.bridge().withPause(PauseSpec.NONE);
        NodeRules rules = new NodeRules(Map.of("left", lossy), Map.of("left", cable -> PortSpec.of(0, -3)), Map.of());
        Fabrics.Run all = new Fabrics.Run(spec, 1).until(MS);
        Fabrics.Run run = new Fabrics.Run(spec.withNodes(rules), 1).until(MS);
        assertThat(all.network.wiring().switches().get(0).counters(0).xoffFrames())
                .isPositive();
        assertThat(run.network.wiring().switches().get(0).counters(0).xoffFrames())
                .isZero();
        assertThat(all.drops()).isZero();
        assertThat(run.drops()).isPositive();
    }

    @Test
    void namesThatNobodyHasAreRefused() {
        NetworkSpec spec = incast(Fabrics.light(null));
        NodeRules rules = new NodeRules(Map.of("swich", spec.bridge()), Map.of(), Map.of());
        assertThatThrownBy(() -> spec.withNodes(rules))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("no switch is called swich; did you mean switch?");
        assertThatThrownBy(() -> new PrioritySpec(ClassMap.standard(), 256, true))
                .hasMessageContaining("256 is not in 0..255");
    }
}
