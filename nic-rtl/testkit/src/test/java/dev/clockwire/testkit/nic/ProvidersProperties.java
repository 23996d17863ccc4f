package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.random.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Two providers, one behaviour: programs see the same completions and memory on both, and the line sees the same frames. */
class ProvidersProperties {
    private static final long LIMIT_PS = 100_000_000_000_000L;
    private static final long SETTLE_PS = 200_000_000;

    @Provide
    Arbitrary<ProgramSpec> programs() {
        return Labs.programs();
    }

    @Provide
    Arbitrary<ProgramSpec> reliable() {
        return Labs.programs().filter(program -> program.type() == QpType.RC);
    }

    @Provide
    Arbitrary<QpType> connected() {
        return Arbitraries.of(QpType.RC, QpType.UC);
    }

    private static LabSpec spec(boolean soft) {
        return LabSpec.of(1).withSoft(soft ? SoftSpec.usual() : null);
    }

    /** Frames of each queue pair, requests and answers each in their order, without what only says when. */
    private static Map<String, List<String>> frames(Lab lab) {
        Map<String, List<String>> frames = new TreeMap<>();
        lab.tapFrames((ps, end, frame) -> {
            if (frame instanceof RocePacket p) {
                String flow =
                        end.path() + " " + p.destQp + (Opcode.of(p.opcode).isResponse() ? " answers" : " requests");
                frames.computeIfAbsent(flow, key -> new ArrayList<>()).add(text(p));
            }
        });
        return frames;
    }

    private static String text(RocePacket p) {
        return String.format(
                "%s psn=%x a=%b se=%b va=%x key=%x dma=%d syndrome=%x msn=%d original=%x imm=%x inv=%x q=%x/%x %d bytes %x port=%d",
                Opcode.of(p.opcode),
                p.psn,
                p.ackReq,
                p.solicited,
                p.va,
                p.rkey,
                p.dmaLen,
                p.syndrome,
                p.msn,
                p.original,
                p.imm,
                p.invalidateKey,
                p.qkey,
                p.srcQp,
                p.payloadLength,
                p.payload.digest(),
                p.flow.udpSourcePort);
    }

    private static Map<String, List<String>> program(ProgramSpec program, boolean soft) {
        VerbsRun run = new VerbsRun(Profiles.named("cx7-400g"), spec(soft), program);
        Map<String, List<String>> found = frames(run.lab());
        run.run(LIMIT_PS);
        return found;
    }

    @Property(tries = 25)
    void theLineSeesTheSameFrames(@ForAll("programs") ProgramSpec any) {
        ProgramSpec program = any.with(any.duplex(), any.ownCqs(), false);
        Map<String, List<String>> hardware = program(program, false);
        Map<String, List<String>> software = program(program, true);
        assertThat(software.keySet()).isEqualTo(hardware.keySet());
        hardware.forEach((flow, list) -> assertThat(withoutAddresses(software.getOrDefault(flow, List.of())))
                .as(flow)
                .containsExactlyElementsOf(withoutAddresses(list)));
    }

    /** The drivers lay their rings out in different places, so buffers lie elsewhere. */
    private static List<String> withoutAddresses(List<String> frames) {
        return frames.stream().map(f -> f.replaceAll(" va=\\w+", "")).toList();
    }

    private static FaultRule often(FaultAction action, int perMille) {
        return FaultRule.of(action, new FaultTrigger.Probability(perMille / 1000.0));
    }

    @Property(tries = 25)
    void faultsCostTimeOnly(
            @ForAll("reliable") ProgramSpec program,
            @ForAll @IntRange(max = 30) int lost,
            @ForAll @IntRange(max = 30) int damaged,
            @ForAll @IntRange(max = 30) int twice,
            @ForAll @IntRange(max = 30) int swapped,
            @ForAll boolean soft) {
        FaultPlan plan = FaultPlan.of(
                often(new FaultAction.Drop(), lost),
                often(new FaultAction.Corrupt(FaultAction.Corrupt.ANY_BIT), damaged),
                often(new FaultAction.Duplicate(), twice),
                often(new FaultAction.Reorder(), swapped));
        new VerbsRun(Profiles.named("cx7-400g"), spec(soft).withFaults(plan), program).run(LIMIT_PS);
    }

    /** Operations of which some cannot work: each ends alike on both devices, and so does what follows. */
    @Property(tries = 40)
    void failuresEndAlike(
            @ForAll("connected") QpType type, @ForAll @IntRange(min = 1, max = 12) int works, @ForAll long seed) {
        assertThat(failing(type, works, seed, true)).isEqualTo(failing(type, works, seed, false));
    }

    private static List<String> failing(QpType type, int works, long seed, boolean soft) {
        Lab lab = Lab.twoHosts(Profiles.named("cx7-400g"), spec(soft));
        Pair p = new Pair(lab, type, Mtu.MTU_1024, Allocation.Kind.REAL);
        Posts a = new Posts(p.a, p.b);
        Posts b = new Posts(p.b, p.a);
        RandomStream random = RandomStream.named(seed, "failures");
        for (int i = 0; i < works; i++) {
            b.receive(0, 3000);
        }
        for (int i = 0; i < works; i++) {
            one(a, type, random);
        }
        lab.sim().run(lab.sim().now() + SETTLE_PS);
        List<String> seen = new ArrayList<>();
        for (Pair.Side side : List.of(p.a, p.b)) {
            WorkCompletion[] wc = WorkCompletion.array(100);
            int n = side.cq.poll(wc);
            for (int i = 0; i < n; i++) {
                boolean good = wc[i].status == WcStatus.SUCCESS;
                seen.add(wc[i].wrId + " " + wc[i].status + (good ? " " + wc[i].opcode + " " + wc[i].byteLength : ""));
            }
            seen.add(side.qp.state().toString());
        }
        return seen;
    }

    private static void one(Posts a, QpType type, RandomStream random) {
        List<WrOpcode> legal = List.of(
                WrOpcode.RDMA_WRITE,
                WrOpcode.SEND,
                WrOpcode.RDMA_WRITE_WITH_IMM,
                WrOpcode.SEND_WITH_IMM,
                WrOpcode.RDMA_READ,
                WrOpcode.ATOMIC_FETCH_AND_ADD);
        WrOpcode opcode = legal.get(random.below(type == QpType.RC ? 6 : 4));
        SendEntry e = a.begin(opcode, opcode.isAtomic() ? Long.BYTES : random.below(3000));
        e.flags = random.chance(0.7) ? SendFlag.SIGNALED.code() : 0;
        if (random.chance(0.25)) {
            switch (random.below(4)) {
                case 0 -> e.rkey ^= 0x100;
                case 1 -> e.remoteAddress += Pair.BUFFER - 1;
                case 2 -> e.remoteAddress += 4;
                default -> e.rkey ^= 1;
            }
        }
        if (random.chance(0.05) && e.sges().count() > 0) {
            int length = (int) e.sges().totalLength();
            long address = e.sges().address(0);
            int key = e.sges().lkey(0) ^ 0x100;
            e.sges().clear();
            e.sges().add(address, length, key);
        }
        a.post();
    }
}
