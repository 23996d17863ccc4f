package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.trace.JourneyIndex;
import dev.clockwire.sim.trace.JourneyIndex.Stamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where one followed operation of one packet was: which stages, and what their times have to do with each other. */
class JourneysTest {
    private static final long CYCLE_PS = 4_000;
    private static final String REQUEST = "assembly tx_mac wire rx_parse";
    private static final String ACK = "rx_dma ack ack ack_wire completion completion cqe_write poll";
    private static final String ANSWER =
            "responder_dma response_assembly response_tx_mac response_wire response_rx_parse"
                    + " rx_dma completion cqe_write poll";

    private record Stay(String stage, Stamp stamp) {
        long in() {
            return stamp.in();
        }

        long out() {
            return stamp.out();
        }
    }

    private static List<Stay> follow(Profile profile, WrOpcode opcode, int length) {
        Lab lab = Lab.twoHosts(profile, LabSpec.of(1).withJourneys(1 << 12));
        Pair p = new Pair(lab, QpType.RC, Mtu.MTU_4096, Allocation.Kind.REAL);
        new Posts(p.b, p.a).receive(0, 8192);
        lab.sim().run(lab.sim().now() + 20_000_000);
        new Posts(p.a, p.b).post(opcode, length);
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
        lab.sim().run(lab.sim().now() + 20_000_000);
        JourneyIndex index = new JourneyIndex(Objects.requireNonNull(lab.sim().journeys()));
        assertThat(index.journeys())
                .as("the first operation of the first device")
                .containsExactly((1L << 40) + 1);
        List<Stay> all = new ArrayList<>();
        for (Stamp s : index.stamps()) {
            all.add(new Stay(lab.sim().stages().name(s.stage()), s));
        }
        return all;
    }

    private static Stay one(List<Stay> all, String stage) {
        return all.stream().filter(s -> s.stage().equals(stage)).findFirst().orElseThrow();
    }

    private static Profile hardware(boolean blueflame, boolean cache) {
        Profile p = Profiles.named("cx7-400g").with("nic.blueflame", "" + blueflame);
        return cache
                ? p.with("nic.cache.qpc_entries", "4")
                        .with("nic.cache.qpc_ways", "4")
                        .with("nic.lookup.includes_parser", "false")
                : p;
    }

    /** A WQE that is stored into the device is not read; a context that was not on the chip is; the parser counts by itself where it is a stage. */
    @ParameterizedTest
    @CsvSource({
        "RDMA_WRITE,64,true,false",
        "RDMA_WRITE,64,false,true",
        "SEND,64,true,true",
        "SEND,64,false,false",
        "RDMA_READ,64,true,false",
        "RDMA_READ,64,false,true",
        "ATOMIC_FETCH_AND_ADD,8,true,true",
        "ATOMIC_FETCH_AND_ADD,8,false,false"
    })
    void anOperationPassesItsStages(WrOpcode opcode, int length, boolean blueflame, boolean cache) {
        List<Stay> all = follow(hardware(blueflame, cache), opcode, length);
        boolean answered = opcode.needsResponse();
        String stages =
                "post doorbell " + (blueflame ? "" : "wqe_fetch ") + (cache ? "parse qpc_fetch " : "") + "lookup "
                        + (answered ? "" : "payload_dma ") + REQUEST + " " + (answered ? ANSWER : ACK)
                        + (opcode == WrOpcode.SEND ? " recv_completion recv_cqe_write" : "");
        assertThat(all.stream().map(Stay::stage)).containsExactlyInAnyOrder(stages.split(" ", -1));
        for (Stay s : all) {
            assertThat(s.out() - s.in())
                    .as(s.stage())
                    .isGreaterThanOrEqualTo(s.stage().equals("poll") ? 0 : CYCLE_PS);
        }
        String[] chain = ("doorbell " + (blueflame ? "" : "wqe_fetch ") + (cache ? "parse qpc_fetch " : "") + "lookup "
                        + (answered ? "" : "payload_dma ") + REQUEST + (answered ? " " + ANSWER : ""))
                .replace(" rx_dma", "")
                .split(" ", -1);
        for (int i = 1; i < chain.length; i++) {
            assertThat(one(all, chain[i]).in())
                    .as(chain[i])
                    .isGreaterThanOrEqualTo(one(all, chain[i - 1]).out());
        }
        assertThat(one(all, "tx_mac").in()).isEqualTo(one(all, "assembly").out());
        assertThat(one(all, "wire").in()).isEqualTo(one(all, "tx_mac").out());
        for (String part : REQUEST.split(" ", -1)) {
            assertThat(one(all, part).stamp().seq()).as(part).isEqualTo(Pair.PSN_A);
        }
        if (answered) {
            assertThat(one(all, "response_tx_mac").in())
                    .isEqualTo(one(all, "response_assembly").out());
            assertThat(one(all, "response_wire").in())
                    .isEqualTo(one(all, "response_tx_mac").out());
            assertThat(one(all, "response_wire").stamp().seq()).isEqualTo(Pair.PSN_A);
        } else {
            assertThat(one(all, "ack_wire").stamp().seq()).isEqualTo(Pair.PSN_A);
        }
        if (cache) {
            assertThat(one(all, "qpc_fetch").in()).isEqualTo(one(all, "parse").out());
        }
    }

    /** Stages whose length a parameter says. */
    @Test
    void stagesTakeTheirCycles() {
        Profile p = hardware(true, false)
                .with("nic.tx.header_cycles", "7")
                .with("nic.tx.icrc_cycles", "9")
                .with("nic.lookup.qpc_cycles", "5")
                .with("nic.lookup.eec_cycles", "0")
                .with("nic.lookup.mtt_cycles", "0");
        List<Stay> all = follow(p, WrOpcode.RDMA_WRITE, 64);
        Stay assembly = one(all, "assembly");
        assertThat(assembly.out() - assembly.in())
                .as("the handover is the first cycle")
                .isEqualTo(15 * CYCLE_PS);
        Stay lookup = one(all, "lookup");
        assertThat(lookup.out() - lookup.in()).isEqualTo(5 * CYCLE_PS);
        Stay ack = one(all, "ack");
        assertThat(ack.out() - ack.in()).as("only the ICRC is left to do").isEqualTo(8 * CYCLE_PS);
    }

    /** Both lookups of article 1 end where the second one does. */
    @Test
    void severalLookupsAreOneStage() {
        Profile p = hardware(true, false)
                .with("nic.lookup.qpc_cycles", "5")
                .with("nic.lookup.eec_cycles", "6")
                .with("nic.lookup.mtt_cycles", "7");
        List<Stay> all = follow(p, WrOpcode.RDMA_WRITE, 64);
        assertThat(all.stream().filter(s -> s.stage().equals("lookup"))).hasSize(1);
        Stay lookup = one(all, "lookup");
        assertThat(lookup.out() - lookup.in()).isEqualTo(7 * CYCLE_PS);
        assertThat(lookup.in() - one(all, "doorbell").out()).isGreaterThanOrEqualTo((5 + 6) * CYCLE_PS);
        Profile two = p.with("nic.lookup.mtt_cycles", "0");
        Stay second = one(follow(two, WrOpcode.RDMA_WRITE, 64), "lookup");
        assertThat(second.out() - second.in()).isEqualTo(6 * CYCLE_PS);
    }
}
