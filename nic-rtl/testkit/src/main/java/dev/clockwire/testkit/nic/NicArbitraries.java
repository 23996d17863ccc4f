package dev.clockwire.testkit.nic;

import dev.clockwire.roce.fabric.net.Topology;
import dev.clockwire.roce.wire.Encapsulation;
import dev.clockwire.roce.wire.FlowAddress;
import dev.clockwire.roce.wire.FrameDecoder;
import dev.clockwire.roce.wire.FrameEncoder;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.PayloadRule;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.testkit.SimArbitraries;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Generators for jqwik: packets, topologies, fault plans; programs and hardware are those of {@link Labs}. */
public final class NicArbitraries {
    private static final int BITS_24 = 0xFF_FFFF;

    private NicArbitraries() {}

    /** Returns packets of every opcode; see {@link #packets(Opcode)}. */
    public static Arbitrary<RocePacket> packets() {
        return Arbitraries.of(Opcode.values()).flatMap(NicArbitraries::packets);
    }

    /** Returns packets that a decoder accepts: every field of the opcode's headers over its whole range, other fields 0, payload up to 4096 bytes. */
    public static Arbitrary<RocePacket> packets(Opcode opcode) {
        return Arbitraries.randomValue(random -> packet(opcode, random));
    }

    /** All fields at random, once through encoder and decoder, which leave those that the opcode has. */
    private static RocePacket packet(Opcode opcode, Random random) {
        RocePacket p = new RocePacket();
        p.opcode = opcode.code();
        flow(p.flow, random);
        p.ipId = random.nextInt(1 << 16);
        bth(p, random);
        p.va = random.nextLong();
        p.rkey = random.nextInt();
        p.dmaLen = random.nextInt() & 0xFFFF_FFFFL;
        p.swapAdd = random.nextLong();
        p.compare = random.nextLong();
        p.syndrome = random.nextInt(256);
        p.msn = random.nextInt() & BITS_24;
        p.original = random.nextLong();
        p.imm = random.nextInt();
        p.invalidateKey = random.nextInt();
        p.qkey = random.nextInt();
        p.srcQp = random.nextInt() & BITS_24;
        p.eeContext = random.nextInt() & BITS_24;
        p.xrcSrq = random.nextInt() & BITS_24;
        p.flush = random.nextInt(64);
        if (opcode.hasPayload()) {
            byte[] content = new byte[length(opcode.payloadRule(), random)];
            random.nextBytes(content);
            p.payload.appendBytes(content, 0, content.length);
            p.setPayloadLength(content.length);
        }
        byte[] frame = new byte[p.wireBytes()];
        new FrameEncoder().encode(p, frame, 0);
        RocePacket decoded = new RocePacket();
        new FrameDecoder().decode(frame, 0, frame.length, decoded);
        return decoded;
    }

    private static void bth(RocePacket p, Random random) {
        p.solicited = random.nextBoolean();
        p.migReq = random.nextBoolean();
        p.pkey = random.nextInt(1 << 16);
        p.fecn = random.nextBoolean();
        p.becn = random.nextBoolean();
        p.destQp = random.nextInt() & BITS_24;
        p.ackReq = random.nextBoolean();
        p.psn = random.nextInt() & BITS_24;
    }

    private static void flow(FlowAddress flow, Random random) {
        flow.srcMac = random.nextLong() >>> 16;
        flow.dstMac = random.nextLong() >>> 16;
        flow.vlan = random.nextBoolean() ? random.nextInt(1 << 16) : FlowAddress.UNTAGGED;
        Encapsulation[] all = Encapsulation.values();
        Encapsulation chosen = all[random.nextInt(all.length)];
        if (chosen == Encapsulation.IPV4) {
            flow.setIpv4(random.nextInt(), random.nextInt());
        } else {
            flow.setIpv6(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
            flow.encapsulation = chosen;
        }
        flow.setTrafficClass(random.nextInt(256));
        flow.hopLimit = random.nextInt(256);
        flow.flowLabel = random.nextInt(1 << 20);
        flow.udpSourcePort = random.nextInt(1 << 16);
    }

    /** Mostly small, so that every pad count comes. */
    private static int length(PayloadRule rule, Random random) {
        int any = random.nextInt(8) == 0 ? 4096 - random.nextInt(5) : random.nextInt(70);
        return switch (rule) {
            case NONE -> 0;
            case EIGHT -> Long.BYTES;
            case FULL -> 256 << random.nextInt(5);
            case NONEMPTY -> Math.max(1, any);
            case ANY -> any;
        };
    }

    /** Returns stars, dumbbells, rows, rings, and leaves and spines, with 2 to 24 hosts, lines of 10 to 400 Gbit/s and cables of up to 2 us. */
    public static Arbitrary<Topology> topologies() {
        Arbitrary<Integer> few = Arbitraries.integers().between(1, 4);
        Arbitrary<Long> rates = Arbitraries.of(10_000_000L, 25_000_000L, 100_000_000L, 400_000_000L);
        Arbitrary<Long> delays = Arbitraries.longs().between(1000, 2_000_000);
        return Combinators.combine(Arbitraries.integers().between(0, 4), few, few, few, rates, rates, delays)
                .as((shape, a, b, c, rate, up, delay) -> switch (shape) {
                    case 0 -> Topology.star(a + b + c, rate, delay);
                    case 1 -> Topology.dumbbell(a, b, rate, up, delay);
                    case 2 -> Topology.parkingLot(a + 1, b, rate, delay);
                    case 3 -> Topology.ring(a + 2, b, rate, delay);
                    default -> Topology.leafSpine(a + 1, b, c, rate, up, delay);
                });
    }

    /**
     * Returns plans for a lab of two hosts: {@linkplain SimArbitraries#faultPlans faults of frames}, and now and then the cable out for up to
     * 100 us, or a host that stands still so long, in the first millisecond. A reliable connection gets over all of it.
     */
    public static Arbitrary<FaultPlan> faultPlans() {
        Arbitrary<FaultAction> actions = Arbitraries.of(
                new FaultAction.LinkDown("link"),
                new FaultAction.OnNode(NodeFault.PAUSE, "host0"),
                new FaultAction.OnNode(NodeFault.PAUSE, "host1"));
        Arbitrary<FaultRule> outages = Combinators.combine(
                        actions,
                        Arbitraries.longs().between(0, 1_000_000_000),
                        Arbitraries.longs().between(1, 100_000_000))
                .as((action, at, ps) ->
                        FaultRule.of(action, new FaultTrigger.At(at)).lasting(ps));
        return Combinators.combine(SimArbitraries.faultPlans(), outages.list().ofMaxSize(2))
                .as((frames, more) -> {
                    List<FaultRule> rules = new ArrayList<>();
                    frames.rules().forEach(r -> rules.add(r.named("frame" + r.name())));
                    rules.addAll(more);
                    return new FaultPlan(rules);
                });
    }
}
