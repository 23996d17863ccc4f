package dev.clockwire.nic.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.format.WqeOpcode;
import dev.clockwire.nic.format.WqeWriter;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nic.respond.ResponderBlock;
import dev.clockwire.nic.respond.ResponseEngine;
import dev.clockwire.nic.respond.ResponseJob;
import dev.clockwire.nic.send.SendEngine;
import dev.clockwire.roce.congestion.TokenBucketSpec;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.state.Pool;
import dev.clockwire.testkit.BlockContract;
import dev.clockwire.testkit.Stall;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Send engine, responder and response engine under the laws of blocks. Each needs what another one makes (requests with the right PSNs, jobs that belong to a
 * connection, answers to what was asked), so they stand in one ring, with a driver that stalls on each way between them: queue pairs of one
 * device talk to each other.
 */
class EngineContractsTest {
    private static final long UNTIL_PS = 30_000_000;
    private static final int QPS = 4;
    private static final int KEY = 0x1200;
    private static final int WQES = 96;
    private static final long MEMORY = 1L << 25;

    /** What the engines are built with: WQEs kept on the chip or read again, packets paced or not, who is next. */
    enum Hardware {
        USUAL("nic.sched.policy", "rr"),
        FEW_WQES("nic.cache.wqe_entries", "4"),
        PACED("nic.rate.dcqcn", "paper"),
        STATES("nic.rate.fsm", "article"),
        WEIGHTED("nic.sched.policy", "wrr"),
        STRICT("nic.sched.policy", "strict");

        private final String parameter;
        private final String value;

        Hardware(String parameter, String value) {
            this.parameter = parameter;
            this.value = value;
        }

        Profile profile() {
            return Profiles.named("cx7-400g").with(parameter, value);
        }

        boolean isPaced() {
            return this == PACED || this == STATES;
        }
    }

    private static int opcode(int i) {
        return switch (i / QPS % 6) {
            case 0 -> WqeOpcode.RDMA_WRITE;
            case 1 -> WqeOpcode.SEND;
            case 2 -> WqeOpcode.RDMA_READ;
            case 3 -> WqeOpcode.ATOMIC_FA;
            case 4 -> WqeOpcode.SEND_IMM;
            default -> WqeOpcode.RDMA_WRITE_IMM;
        };
    }

    private static Wqe wqe(int i) {
        int opcode = opcode(i);
        WqeWriter writer = new WqeWriter();
        writer.begin(opcode, i / QPS, Rig.QPN + i % QPS, i % 3 != 0, i % 5 == 0, false, i);
        int length = WqeOpcode.isAtomic(opcode) ? 8 : 1 + i * 377 % 3000;
        if (WqeOpcode.hasRemoteAddress(opcode)) {
            writer.remoteAddress(MEMORY + i * 4096L, KEY);
        }
        if (WqeOpcode.isAtomic(opcode)) {
            writer.atomic(i, 0);
        }
        writer.data(MEMORY + 0x100_0000 + i * 4096L, length, KEY);
        int bytes = writer.finish();
        Wqe wqe = new Wqe();
        System.arraycopy(writer.bytes(), 0, wqe.raw, 0, bytes);
        wqe.parse(false);
        return wqe;
    }

    private static Supplier<List<List<?>>> build(Hardware hardware, Sim sim, BlockContract.Stalls stalls) {
        Rig rig = new Rig(sim, stalls, hardware.profile()).queuePairs(QPS, QpType.RC);
        for (int q = 0; q < QPS; q++) {
            rig.table.at(q).priority = q;
            rig.table.at(q).weight = 1 + q;
            if (hardware.isPaced()) {
                rig.table.at(q).rate = new TokenBucketSpec(4 << 16, 16, 5000); // 4 B a cycle
            }
        }
        int all = 0;
        for (AccessFlag flag : AccessFlag.values()) {
            all |= flag.code();
        }
        rig.table.keys().addRegion(KEY, 1, MEMORY, MEMORY, MEMORY, all);
        rig.host.holds((address, out, writes) -> {
            if (address >= Rig.RECORDS && address < Rig.CQ_RECORDS) {
                out[3] = 100;
            } else if (address >= Rig.RECEIVE_RINGS && address < Rig.RECORDS) {
                for (int at = 0; at < out.length; at += 16) {
                    long place = address + at - Rig.RECEIVE_RINGS;
                    receive(out, at, MEMORY + 0x180_0000 + (place >>> 16) * 0x10_0000 + ((place >>> 4) & 0xFF) * 4096);
                }
            } else {
                for (int at = 0; at < out.length; at++) {
                    out[at] = (byte) (address + at);
                }
            }
        });
        engines(rig);
        return rig.results();
    }

    private static void receive(byte[] out, int at, long address) {
        out[at + 2] = 16; // 4096 bytes
        for (int i = 0; i < 4; i++) {
            out[at + 4 + i] = (byte) (KEY >>> (24 - 8 * i));
        }
        for (int i = 0; i < 8; i++) {
            out[at + 8 + i] = (byte) (address >>> (56 - 8 * i));
        }
    }

    private static void engines(Rig rig) {
        Channel<RocePacket> requests = rig.channel("requests");
        Channel<RocePacket> answers = rig.channel("answers");
        LongChannel started = rig.words("started");
        Channel<Completion> sends = rig.channel("sends");
        Channel<Completion> receives = rig.channel("receives");
        Channel<ResponseJob> jobs = rig.channel("jobs");
        Pool<ResponseJob> pool = new Pool<>(ResponseJob::new);
        rig.host.answers(new SendEngine(
                rig.sim.root(),
                rig.clock,
                rig.from("wqes", WQES, EngineContractsTest::wqe),
                rig.relay(answers, "responses"),
                rig.wordsFrom("sent"),
                requests,
                started,
                sends,
                rig.host.reads("send"),
                rig.host.writes("send"),
                rig.parts));
        rig.wordsTo(started, "started", false);
        ResponderBlock responder = new ResponderBlock(
                rig.sim.root(),
                rig.clock,
                rig.relay(requests, "toResponder"),
                jobs,
                receives,
                rig.host.reads("receive"),
                rig.host.writes("receive"),
                pool,
                rig.parts);
        rig.host.answers(responder);
        rig.host.answers(new ResponseEngine(
                rig.sim.root(),
                rig.clock,
                rig.relay(jobs, "toEngine"),
                answers,
                rig.host.reads("respond"),
                rig.host.writes("respond"),
                responder.answered(),
                pool,
                rig.parts));
        rig.toEach(sends, "sends", EngineContractsTest::number);
        rig.toEach(receives, "receives", EngineContractsTest::number);
    }

    private static long number(Completion c) {
        return (long) c.qpn << 40
                | (long) c.opcode << 36
                | (long) c.syndrome << 28
                | (long) c.wqeCounter << 12
                | c.byteCount;
    }

    @ParameterizedTest
    @EnumSource
    void keepTheLawsOfBlocks(Hardware hardware) {
        BlockContract contract = BlockContract.of((sim, stalls) -> build(hardware, sim, stalls), UNTIL_PS);
        contract.modes(1);
        contract.stalls(1);
        for (long half = 150_000; half < 5_000_000; half += Boolean.getBoolean("clockwire.full") ? 40_003 : 1_300_001) {
            contract.snapshots(half % 7, half);
        }
    }

    /** Two WQEs of three ask for a completion, and half of them take a receive; all of them end well. */
    @ParameterizedTest
    @EnumSource
    void allIsDoneOnceAndInOrder(Hardware hardware) {
        Sim sim = new Sim(SimSpec.of(1));
        Supplier<List<List<?>>> results = build(hardware, sim, name -> Stall.random(0.3, 1));
        sim.run(UNTIL_PS);
        for (int q = 0; q < QPS; q++) {
            int from = q;
            long[] signaled = IntStream.range(0, WQES)
                    .filter(i -> i % QPS == from && i % 3 != 0)
                    .mapToLong(i -> i / QPS)
                    .toArray();
            assertThat(results.get().get(q).stream()
                            .mapToLong(v -> (Long) v >>> 12 & 0xFFFF)
                            .toArray())
                    .isEqualTo(signaled);
            assertThat(results.get().get(QPS + q)).hasSize(WQES / QPS / 2);
            assertThat(results.get().get(q))
                    .allSatisfy(v ->
                            assertThat((Long) v >>> 28 & 0xFF).as("syndrome").isZero());
        }
    }
}
