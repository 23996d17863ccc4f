package dev.clockwire.nic.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.host.Cpu;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.trace.JourneyLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What blocks write into the log of followed operations, and that they write nothing where nobody follows. */
class JournalTest {
    private final Sim sim = new Sim(SimSpec.of(1));
    private final Journal journal = new Journal(sim, 3);

    private JourneyLog log() {
        return Objects.requireNonNull(sim.journeys());
    }

    @Test
    void operationsOfADeviceAreNumberedFromItsOwnPlace() {
        assertThat(journal.nextJourney()).as("nobody follows").isZero();
        assertThat(journal.follows()).isFalse();
        sim.enableJourneys(16);
        assertThat(journal.follows()).isTrue();
        assertThat(journal.nextJourney()).isEqualTo((3L << 40) + 1);
        assertThat(journal.nextJourney()).isEqualTo((3L << 40) + 2);
    }

    @Test
    void whereNobodyFollowsNothingIsWritten() {
        journal.stamp(5, journal.wire, 1, 2, 3);
        journal.delayed(5, 1, 2, 3);
        journal.delayedIn(journal.wire, 5, 1, 2, 3);
        sim.enableJourneys(16);
        assertThat(log().size()).isZero();
        journal.stamp(0, journal.wire, 1, 2, 3);
        assertThat(log().size()).as("not followed").isZero();
    }

    @Test
    void aStampHasItsStageTimesAndCause() {
        sim.enableJourneys(16);
        journal.stamp(5, journal.wire, 7, 20, 30);
        journal.stamp(6, journal.txMac, 8, 40, 50, journal.behind);
        JourneyLog log = log();
        assertThat(log.size()).isEqualTo(2);
        assertThat(log.journey(0)).isEqualTo(5);
        assertThat(log.stage(0)).isEqualTo(journal.wire);
        assertThat(log.seq(0)).isEqualTo(7);
        assertThat(log.in(0)).isEqualTo(20);
        assertThat(log.out(0)).isEqualTo(30);
        assertThat(log.cause(0)).isZero();
        assertThat(log.cause(1)).isEqualTo(journal.behind);
        assertThat(log.isDelay(0)).isFalse();
    }

    @Test
    void aDelayIsOfTheWholeOperationUnlessAPacketIsNamed() {
        sim.enableJourneys(16);
        int cause = journal.causes.rate;
        journal.delayed(5, cause, 20, 30);
        journal.delayed(5, 9, cause, 20, 30);
        journal.delayedIn(journal.assembly, 5, cause, 20, 30);
        journal.delayedIn(journal.assembly, 5, 9, cause, 20, 30);
        JourneyLog log = log();
        assertThat(log.size()).isEqualTo(4);
        for (int i = 0; i < 4; i++) {
            assertThat(log.isDelay(i)).isTrue();
            assertThat(log.cause(i)).isEqualTo(cause);
            assertThat(log.seq(i)).isEqualTo(i % 2 == 0 ? JourneyLog.WHOLE : 9);
            assertThat(log.stage(i)).isEqualTo(i < 2 ? 0 : journal.assembly);
            assertThat(log.in(i)).isEqualTo(20);
            assertThat(log.out(i)).isEqualTo(30);
        }
    }

    /** A core that says whom it was asked about. */
    private static final class Core implements Cpu {
        final List<String> told = new ArrayList<>();

        @Override
        public String name() {
            return "core";
        }

        @Override
        public long now() {
            return 0;
        }

        @Override
        public void charge(long ps) {}

        @Override
        public void charge(HostCost what, long count) {}

        @Override
        public void delays(JourneyLog log, long of, int stage, long fromPs) {
            told.add(of + " " + stage + " " + fromPs);
        }

        @Override
        public void storeDelays(JourneyLog log, long of, int stage, long address) {
            told.add(of + " " + stage + " at " + address);
        }

        @Override
        public AddressSpace memory() {
            throw new AssertionError();
        }

        @Override
        public void mmioWrite(long address, long value, int size) {}

        @Override
        public void mmioWrite(long address, byte[] data, int off, int len) {}

        @Override
        public void wake() {}
    }

    @Test
    void aCoreSaysWhatHeldItUpForFollowedOperationsOnly() {
        Core core = new Core();
        journal.coreDelays(core, 5, journal.poll, 20);
        journal.storeDelays(core, 5, 0x77);
        assertThat(core.told).as("nobody follows").isEmpty();
        sim.enableJourneys(16);
        journal.coreDelays(core, 0, journal.poll, 20);
        journal.storeDelays(core, 0, 0x77);
        assertThat(core.told).as("not this one").isEmpty();
        journal.coreDelays(core, 5, journal.poll, 20);
        journal.storeDelays(core, 6, 0x77);
        assertThat(core.told).containsExactly("5 " + journal.poll + " 20", "6 " + journal.doorbell + " at 119");
    }

    /** Requests, responses with data and acknowledgements have stages of their own. */
    @ParameterizedTest
    @CsvSource({
        "RC_SEND_ONLY,assembly,tx_mac,wire,rx_parse",
        "RC_RDMA_WRITE_MIDDLE,assembly,tx_mac,wire,rx_parse",
        "RC_RDMA_READ_RESPONSE_ONLY,response_assembly,response_tx_mac,response_wire,response_rx_parse",
        "RC_ATOMIC_ACKNOWLEDGE,response_assembly,response_tx_mac,response_wire,response_rx_parse",
        "RC_ACKNOWLEDGE,ack,ack,ack_wire,completion"
    })
    void stagesOfAPacket(Opcode opcode, String assembly, String mac, String wire, String receiver) {
        RocePacket packet = new RocePacket();
        packet.opcode = opcode.code();
        assertThat(journal.assemblyOf(packet)).isEqualTo(sim.stages().id(assembly));
        assertThat(journal.txMacOf(packet)).isEqualTo(sim.stages().id(mac));
        assertThat(journal.wireOf(packet)).isEqualTo(sim.stages().id(wire));
        assertThat(journal.rxParseOf(packet)).isEqualTo(sim.stages().id(receiver));
    }
}
