package dev.clockwire.roce.wire;

import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** Random packets: every field that an opcode's headers have gets a value over its whole range, the others stay 0. */
final class FrameArbitraries {
    private FrameArbitraries() {}

    static Arbitrary<RocePacket> packets() {
        return Arbitraries.of(Opcode.values()).flatMap(FrameArbitraries::packets);
    }

    static Arbitrary<RocePacket> packets(Opcode opcode) {
        return Arbitraries.randomValue(random -> packet(opcode, random));
    }

    static RocePacket packet(Opcode opcode, Random random) {
        Encapsulation[] all = Encapsulation.values();
        return packet(opcode, all[random.nextInt(all.length)], random.nextBoolean(), random);
    }

    static RocePacket packet(Opcode opcode, Encapsulation encapsulation, boolean tagged, Random random) {
        RocePacket p = new RocePacket();
        p.opcode = opcode.code();
        flow(p.flow, encapsulation, tagged, random);
        p.ipId = p.flow.encapsulation == Encapsulation.IPV4 ? random.nextInt(1 << 16) : 0;
        p.solicited = random.nextBoolean();
        p.migReq = random.nextBoolean();
        p.pkey = random.nextInt(1 << 16);
        p.fecn = random.nextBoolean();
        p.becn = random.nextBoolean();
        p.destQp = random.nextInt(1 << 24);
        p.ackReq = random.nextBoolean();
        p.psn = random.nextInt(1 << 24);
        fillExtended(p, opcode, random);
        if (opcode.hasPayload()) {
            byte[] content = new byte[opcode.payloadRule() == PayloadRule.EIGHT ? 8 : length(random)];
            random.nextBytes(content);
            p.payload.appendBytes(content, 0, content.length);
            p.setPayloadLength(content.length);
        }
        return p;
    }

    /** Small lengths with every pad count, and now and then a full one. */
    private static int length(Random random) {
        return random.nextInt(8) == 0 ? 4096 - random.nextInt(5) : random.nextInt(70);
    }

    private static void flow(FlowAddress flow, Encapsulation encapsulation, boolean tagged, Random random) {
        flow.srcMac = random.nextLong() >>> 16;
        flow.dstMac = random.nextLong() >>> 16;
        flow.vlan = tagged ? random.nextInt(1 << 16) : FlowAddress.UNTAGGED;
        if (encapsulation == Encapsulation.IPV4) {
            flow.setIpv4(random.nextInt(), random.nextInt());
        } else {
            flow.setIpv6(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
            flow.encapsulation = encapsulation;
        }
        flow.setTrafficClass(random.nextInt(256));
        flow.hopLimit = random.nextInt(256);
        if (flow.encapsulation != Encapsulation.IPV4) {
            flow.flowLabel = random.nextInt(1 << 20);
        }
        if (flow.encapsulation != Encapsulation.GRH) {
            flow.udpSourcePort = random.nextInt(1 << 16);
        }
    }

    static void fillExtended(RocePacket p, Opcode opcode, Random random) {
        for (Header header : opcode.headers()) {
            switch (header) {
                case RETH -> {
                    p.va = random.nextLong();
                    p.rkey = random.nextInt();
                    p.dmaLen = random.nextInt() & 0xFFFF_FFFFL;
                }
                case ATOMIC_ETH -> {
                    p.va = random.nextLong();
                    p.rkey = random.nextInt();
                    p.swapAdd = random.nextLong();
                    p.compare = random.nextLong();
                }
                case AETH -> {
                    p.syndrome = random.nextInt(256);
                    p.msn = random.nextInt(1 << 24);
                }
                case ATOMIC_ACK_ETH -> p.original = random.nextLong();
                case IMM_DT -> p.imm = random.nextInt();
                case IETH -> p.invalidateKey = random.nextInt();
                case DETH -> {
                    p.qkey = random.nextInt();
                    p.srcQp = random.nextInt(1 << 24);
                }
                case RDETH -> p.eeContext = random.nextInt(1 << 24);
                case XRC_ETH -> p.xrcSrq = random.nextInt(1 << 24);
                case FETH -> p.flush = random.nextInt(64);
                case BTH, CNP_RESERVED -> {}
            }
        }
    }
}
