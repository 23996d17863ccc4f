package dev.clockwire.bench.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.roce.fabric.FrameEvent;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultDirection;
import dev.clockwire.sim.fault.FaultFilter;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FaultFileTest {
    private static final FaultPlaces PLACES = new FaultPlaces(
            Map.of("client", "host0", "node0", "host1"),
            List.of("link"),
            Set.of(NodeFault.CRASH, NodeFault.PAUSE, NodeFault.DISK_SLOW));

    private static FaultPlan plan(String entries) {
        return FaultFile.parse("f.yaml", "faults:\n" + entries, PLACES);
    }

    private static FaultRule rule(String entry) {
        return plan("  - {" + entry + "}\n").rules().get(0);
    }

    private static final FaultPlaces STORAGE = new FaultPlaces(
            Map.of("node0", "node0", "node1", "node1", "mgmt0", "mgmt0"),
            List.of("node0-switch"),
            Set.of(NodeFault.CRASH, NodeFault.DISK_SLOW),
            List.of("commit", "forward"));

    private static FaultRule stored(String entry) {
        return FaultFile.parse("f.yaml", "faults:\n  - {" + entry + "}\n", STORAGE)
                .rules()
                .get(0);
    }

    /** A step is that of the machine to which something happens, unless another one is named. */
    @Test
    void readsStepsAndPartitions() {
        assertThat(stored("crash: node1, at_event: commit").trigger())
                .isEqualTo(new FaultTrigger.AtStep("node1", "commit", 1));
        assertThat(stored("crash: node1, at_event: commit, of: node0, nth: 3").trigger())
                .isEqualTo(new FaultTrigger.AtStep("node0", "commit", 3));
        assertThat(stored("link: {down: node0-switch}, at_event: forward, for_us: 1")
                        .trigger())
                .isEqualTo(new FaultTrigger.AtStep("node0", "forward", 1));
        FaultRule parted = stored("partition: [node1, mgmt0], at_event: forward, for_us: 7");
        assertThat(parted.trigger()).isEqualTo(new FaultTrigger.AtStep("node1", "forward", 1));
        assertThat(parted.action()).isEqualTo(new FaultAction.Partition("node1", "mgmt0"));
        assertThat(stored("partition: [node1, mgmt0], at_us: 7").trigger()).isEqualTo(new FaultTrigger.At(7_000_000));
        assertThat(stored("drop: frame, at_event: nak").trigger())
                .isEqualTo(new FaultTrigger.AtEvent("nak", FrameEvent.NAK));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "crash: node1, at_event: comit | unknown event 'comit'; did you mean commit?",
                "crash: node1, at_event: comit, of: node0 | unknown event 'comit'; did you mean commit?",
                "crash: node1, at_event: commit, of: nodeX | unknown node 'nodeX'",
                "crash: node1, at_event: commit, nth: 0 | f.yaml:2:43: 0 is outside its range 1 to",
                "crash: node1, at_event: nak, nth: 2 | 'nth' is about a step of a protocol",
                "crash: node1, at_us: 3, of: node0 | 'of' is about a step of a protocol",
                "drop: frame, at_event: commit | frames have ack, nak,",
                "disk: {slow: node1}, at_event: commit | has 'for_us'",
                "partition: [node0, node1], at_event: commit | has 'for_us'",
                "partition: [node0, node0], at_us: 1 | between two nodes",
                "partition: [node0], at_us: 1 | between two nodes",
                "partition: [node0, nod1], at_us: 1 | unknown node 'nod1'; did you mean node1?",
                "partition: [node0, node1], frames: 3 | at a time (at_us) or at a step"
            })
    void refusesStepsAndPartitionsThatCannotBe(String entry, String words) {
        assertThatThrownBy(() -> stored(entry))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(words);
    }

    @Test
    void hostsWithoutProtocolHaveNeither() {
        assertThatThrownBy(() -> rule("partition: [client, node0], at_us: 1")).hasMessageContaining("cannot happen");
        assertThatThrownBy(() -> rule("crash: node0, at_event: commit")).hasMessageContaining("unknown event 'commit'");
    }

    @Test
    void readsEveryActionAndTrigger() {
        assertThat(rule("drop: frame, probability: 0.25"))
                .isEqualTo(FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Probability(0.25))
                        .named("1"));
        assertThat(rule("corrupt: frame, frames: [3, 7], bit: 12, name: x"))
                .isEqualTo(FaultRule.of(new FaultAction.Corrupt(12), new FaultTrigger.Frames(List.of(3L, 7L)))
                        .named("x"));
        assertThat(rule("corrupt: frame, bit: 33647, frames: 3").action()).isEqualTo(new FaultAction.Corrupt(33_647));
        assertThatThrownBy(() -> rule("corrupt: frame, bit: 33648, frames: 3")).hasMessageContaining("33647");
        assertThat(rule("corrupt: frame, frames: 3").action()).isEqualTo(new FaultAction.Corrupt(-1));
        assertThat(rule("delay: frame, at_us: 1.5, for_us: 20, direction: server-to-client"))
                .isEqualTo(FaultRule.of(new FaultAction.Delay(), new FaultTrigger.At(1_500_000))
                        .named("1")
                        .in(FaultDirection.BACKWARD)
                        .lasting(20_000_000));
        assertThat(rule("duplicate: frame, at_event: rnr-nak").trigger())
                .isEqualTo(new FaultTrigger.AtEvent("rnr-nak", FrameEvent.RNR_NAK));
        assertThat(rule("reorder: frame, probability: 1").action()).isEqualTo(new FaultAction.Reorder());
        assertThat(rule("link: {down: link}, at_us: 0").action()).isEqualTo(new FaultAction.LinkDown("link"));
        assertThat(rule("crash: node0, at_us: 300, restart_after_us: 3000"))
                .isEqualTo(
                        FaultRule.of(new FaultAction.OnNode(NodeFault.CRASH, "host1"), new FaultTrigger.At(300_000_000))
                                .named("1")
                                .restartingAfter(3_000_000_000L));
        assertThat(rule("disk: {slow: client}, at_us: 0").action())
                .isEqualTo(new FaultAction.OnNode(NodeFault.DISK_SLOW, "host0"));
    }

    @Test
    void matchesByOpcodeAndQueuePair() {
        FaultFilter filter = rule("drop: frame, probability: 1, match: {opcode: [RC_ACKNOWLEDGE, UC_*], qp: 0x11}")
                .filter();
        RocePacket packet = new RocePacket();
        packet.destQp = 0x11;
        packet.opcode = Opcode.UC_SEND_ONLY.code();
        assertThat(filter.matches(packet)).isTrue();
        packet.opcode = Opcode.RC_SEND_ONLY.code();
        assertThat(filter.matches(packet)).isFalse();
        packet.opcode = Opcode.RC_ACKNOWLEDGE.code();
        assertThat(filter.matches(packet)).isTrue();
        packet.destQp = 0x12;
        assertThat(filter.matches(packet)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "drp: frame, frames: [1] | f.yaml:2:6: unknown key 'drp'; did you mean drop?",
                "drop: frames, frames: [1] | f.yaml:2:12: unknown object of 'drop' 'frames'; did you mean frame?",
                "drop: frame | f.yaml:2:5: a fault has one trigger (probability, frames, at_us, at_event, packets),"
                        + " found none",
                "drop: frame, at_us: 1, probability: 1 | found at_us and probability",
                "frames: [1] | a fault has one action",
                "drop: frame, probability: 1.5 | f.yaml:2:32: 1.5 is outside its range 0 to 1",
                "drop: frame, probability: often | f.yaml:2:32: expected a number, found 'often'",
                "drop: frame, frames: [1, 1] | f.yaml:2:31: frame numbers ascend, but 1 follows 1",
                "drop: frame, frames: [0] | f.yaml:2:28: 0 is outside its range 1 to",
                "drop: frame, at_event: nack | unknown event 'nack'; did you mean ack?",
                "drop: frame, at_us: -1 | f.yaml:2:26: -1 is outside its range 0 to 3600000000",
                "link: {down: lnk}, at_us: 1 | f.yaml:2:19: unknown link 'lnk'; did you mean link?",
                "link: {up: link}, at_us: 1 | f.yaml:2:13: unknown key 'up'",
                "crash: node1, at_us: 1 | f.yaml:2:13: unknown node 'node1'; did you mean node0?",
                "reset: node0, at_us: 1 | 'reset' cannot happen in this simulation",
                "drop: frame, frames: [1], match: {opcode: RC_ACK} | no opcode is called RC_ACK",
                "drop: frame, frames: [1], match: {qp: 0x1000000} | f.yaml:2:44: 0x1000000 is outside its range",
                "drop: frame, frames: [1], bit: 3 | 'bit' goes with 'corrupt' only",
                "drop: frame, frames: [1], drop: frame | 'drop' stands here twice",
                "drop: frame, frames: [1], direction: up | unknown direction 'up'",
                "drop: frame, frames: [1], restart_after_us: 3 | goes with nodes and links",
                "crash: node0, at_us: 1, direction: tx | means nothing for 'crash' at a time",
            })
    void saysWhereAndWhat(String entry, String message) {
        assertThatThrownBy(() -> rule(entry))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(message);
    }

    /** A device that was reset is back when the rule says, or behind the 60 s that mlx5's driver waits; one that pauses has no such time. */
    @Test
    void aDeviceThatWasResetComesBack() {
        FaultRule usual = reset("reset: server, at_us: 50");
        assertThat(usual.returns()).isTrue();
        assertThat(usual.returnPs()).isEqualTo(60_000_000_000_000L);
        assertThat(reset("reset: server, at_us: 50, restart_after_us: 2000").returnPs())
                .isEqualTo(2_000_000_000L);
        assertThat(rule("crash: node0, at_us: 1").returns()).isFalse();
        assertThatThrownBy(() -> reset("reset: server, at_us: 50, for_us: 20"))
                .hasMessageContaining(
                        "'for_us' means nothing for 'reset': 'restart_after_us' says when the device is back");
        assertThatThrownBy(() -> reset("pause: server, at_us: 50, for_us: 20, restart_after_us: 5"))
                .hasMessageContaining("'restart_after_us' means nothing for 'pause'");
    }

    private static FaultRule reset(String entry) {
        return FaultFile.parse("f.yaml", "faults:\n  - {" + entry + "}\n", FaultPlaces.twoHosts())
                .rules()
                .get(0);
    }

    @Test
    void refusesWhatIsNoFaultFile() {
        for (String text :
                List.of("", "faults", "faults: {}", "fault: []", "faults: [\n", "- a\n- b", "faults:\n\t- a")) {
            assertThatThrownBy(() -> FaultFile.parse("f.yaml", text, PLACES))
                    .as(text)
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageStartingWith("f.yaml:");
        }
        assertThatThrownBy(() -> plan("  - {drop: frame, frames: 1, name: a}\n  - {drop: frame, frames: 1, name: a}\n"))
                .hasMessageContaining("f.yaml:3:5: two faults are called 'a'");
        assertThat(FaultFile.parse("f.yaml", "faults: []", PLACES).isEmpty()).isTrue();
    }

    @Test
    void readsFaultsOfPacketsBetweenHostAndDevice() {
        assertThat(rule("poison: tlp, match: {type: CplD}, packets: [4, 9], direction: downstream, host:"
                        + " node0, name: p"))
                .isEqualTo(FaultRule.of(
                                new FaultAction.OnPacket(FaultAction.PacketFault.POISON, "host1", false, "CplD"),
                                new FaultTrigger.Frames(List.of(4L, 9L)))
                        .named("p"));
        FaultRule late =
                rule("delay: tlp, match: {type: MRd}, packets: 1, direction: upstream, host: client, for_us: 2.5");
        assertThat(late.action())
                .isEqualTo(new FaultAction.OnPacket(FaultAction.PacketFault.DELAY, "host0", true, "MRd"));
        assertThat(late.forPs()).isEqualTo(2_500_000);
        assertThat(rule("corrupt: dllp, packets: 3, direction: upstream, host: client")
                        .action())
                .isEqualTo(new FaultAction.OnPacket(FaultAction.PacketFault.CORRUPT_DLLP, "host0", true, ""));
        assertThat(rule("corrupt: tlp, packets: 3, direction: upstream, host: client")
                        .action())
                .isEqualTo(new FaultAction.OnPacket(FaultAction.PacketFault.CORRUPT_TLP, "host0", true, ""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ur: tlp, match: {type: MWr}, packets: 1, direction: upstream, host: client | 2:22: ur of MWr: nobody",
                "poison: tlp, match: {type: MRd}, packets: 1, direction: upstream, host: client | 2:26: poison of MRd:"
                        + " it",
                "poison: frame, packets: 1 | 2:14: unknown object of 'poison' 'frame'; known are tlp",
                "drop: tlpp, packets: 1 | 2:12: unknown object of 'drop' 'tlpp'; did you mean tlp?",
                "drop: dllp, packets: 1 | 2:12: a dllp can only be corrupted",
                "drop: tlp, packets: 1, direction: up, host: client | 2:40: unknown direction 'up'",
                "drop: tlp, match: {type: CplX}, packets: 1, direction: upstream, host: client | 2:24: unknown packet"
                        + " type 'CplX'; did you mean Cpl?",
                "drop: tlp, match: {typ: MRd}, packets: 1, direction: upstream, host: client | 2:25: unknown key"
                        + " 'typ'; did you mean type?",
                "drop: tlp, probability: 0.1, direction: upstream, host: client | 2:30: 'probability' means nothing",
                "drop: tlp, packets: [2, 2], direction: upstream, host: client | 2:30: packet numbers ascend",
                "drop: frame, packets: 3 | 2:28: 'packets' goes with packets on PCIe",
                "drop: frame, frames: 3, host: client | 2:36: 'host' goes with packets on PCIe",
                "drop: tlp, packets: 1, direction: upstream, host: cliet | 2:56: unknown node 'cliet'; did you mean"
                        + " client?",
                "drop: tlp, packets: 1, direction: upstream | 2:5: 'host' is missing",
                "drop: tlp, packets: 1, direction: upstream, host: client | 2:5: 'match' is missing",
                "drop: tlp, match: {type: MRd}, packets: 1, direction: upstream, host: client, for_us: 1 | 2:92:"
                        + " 'for_us' goes",
                "corrupt: tlp, match: {type: MRd}, packets: 1, direction: upstream, host: client | 2:27: a wrong bit"
                        + " hits"
            })
    void wrongFaultsOfPacketsAreNamedWithTheirPlace(String entry, String text) {
        assertThatThrownBy(() -> rule(entry))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("f.yaml:" + text);
    }
}
