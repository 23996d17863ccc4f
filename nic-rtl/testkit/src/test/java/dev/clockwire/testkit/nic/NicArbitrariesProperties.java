package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.fabric.net.Topology;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.wire.FrameDecoder;
import dev.clockwire.roce.wire.FrameEncoder;
import dev.clockwire.roce.wire.FrameVerdict;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.fault.FaultPlan;
import java.util.Arrays;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What the generators draw is legal, and reaches what it promises. */
class NicArbitrariesProperties {
    private static final long LIMIT_PS = 100_000_000_000_000L;

    @Property
    void packetsSurviveTheLine(@ForAll("packets") RocePacket packet) {
        byte[] frame = new byte[packet.wireBytes()];
        assertThat(new FrameEncoder().encode(packet, frame, 0)).isEqualTo(frame.length);
        RocePacket again = new RocePacket();
        assertThat(new FrameDecoder().decode(frame, 0, frame.length, again)).isEqualTo(FrameVerdict.OK);
        assertThat(again.digest()).isEqualTo(packet.digest());
        assertThat(again.payload.digest()).isEqualTo(packet.payload.digest());
        Opcode opcode = Opcode.of(packet.opcode);
        assertThat(opcode.payloadRule().allows(packet.payloadLength, Math.max(256, packet.payloadLength)))
                .isTrue();
        assertThat(opcode.hasReth() || packet.dmaLen == 0)
                .as("fields of other opcodes are 0")
                .isTrue();
    }

    @Provide
    Arbitrary<RocePacket> packets() {
        return NicArbitraries.packets();
    }

    @Property
    void topologiesAreInOnePiece(@ForAll("topologies") Topology topology) {
        assertThat(topology.hosts().size()).isBetween(2, 64);
        assertThat(Arrays.stream(topology.islands()).distinct()).containsExactly(0);
    }

    @Provide
    Arbitrary<Topology> topologies() {
        return NicArbitraries.topologies();
    }

    @Property(tries = 20)
    void aReliableConnectionGetsOverWhatGoesWrong(
            @ForAll("reliable") ProgramSpec program, @ForAll("plans") FaultPlan plan, @ForAll boolean soft) {
        LabSpec spec = LabSpec.of(1).withFaults(plan).withSoft(soft ? SoftSpec.usual() : null);
        new VerbsRun(Profiles.named("cx7-400g"), spec, program).run(LIMIT_PS);
    }

    @Provide
    Arbitrary<ProgramSpec> reliable() {
        return Labs.programs().filter(program -> program.type() == QpType.RC);
    }

    @Provide
    Arbitrary<FaultPlan> plans() {
        return NicArbitraries.faultPlans();
    }
}
