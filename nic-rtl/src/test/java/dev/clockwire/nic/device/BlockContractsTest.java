package dev.clockwire.nic.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.cache.CqcLookup;
import dev.clockwire.nic.cache.QpcLookup;
import dev.clockwire.nic.chip.ChipMemory;
import dev.clockwire.nic.complete.CqWriter;
import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.context.EqContext;
import dev.clockwire.nic.context.OffloadNamespace;
import dev.clockwire.nic.context.OffloadQueue;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.doorbell.ArmWord;
import dev.clockwire.nic.doorbell.Doorbell;
import dev.clockwire.nic.encode.Encoder;
import dev.clockwire.nic.ether.EthFrame;
import dev.clockwire.nic.fetch.WqeFetch;
import dev.clockwire.nic.format.Cqe;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.format.WqeOpcode;
import dev.clockwire.nic.format.WqeWriter;
import dev.clockwire.nic.lookup.WqeStage;
import dev.clockwire.nic.mac.TxMac;
import dev.clockwire.nic.notify.NotificationPoint;
import dev.clockwire.nic.offload.NvmeOffload;
import dev.clockwire.nic.offload.OffloadDisk;
import dev.clockwire.nic.profile.CacheSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nic.rx.BthBeat;
import dev.clockwire.nic.rx.BthParser;
import dev.clockwire.nic.rx.RxParser;
import dev.clockwire.nic.sched.FetchWord;
import dev.clockwire.nic.sched.QpScheduler;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.pcie.endpoint.MmioWrite;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Pool;
import dev.clockwire.testkit.BlockContract;
import dev.clockwire.testkit.Stall;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each block of the device alone, between drivers that stall: the laws of {@link BlockContract}. Scheduler and fetch engine ask each other, so they stand
 * together with a stalling driver on each way between them; for the engines see {@link EngineContractsTest}.
 */
class BlockContractsTest {
    private static final long UNTIL_PS = 20_000_000;
    private static final int TOKENS = 80;
    private static final int QPS = 4;

    /** The queue whose WQEs come with their doorbells, where there are doorbells. */
    private static final int BLUEFLAME = 3;

    /** A block, in what it needs to run. */
    enum Alone {
        BTH_PARSER(80) {
            @Override
            void build(Rig rig) {
                Channel<BthBeat> out = rig.channel("out");
                new BthParser(rig.sim.root(), rig.clock, rig.from("in", TOKENS, Alone::beat), out, 3);
                rig.to(out, "out", b -> (long) b.fields.opcode << 48 | (long) b.fields.destQp << 24 | b.fields.psn);
            }
        },
        ENCODER(80, 80) {
            @Override
            void build(Rig rig) {
                Channel<RocePacket> out = rig.channel("out");
                List<Channel<RocePacket>> in = List.of(
                        rig.from("answers", TOKENS, i -> packet(i, true)),
                        rig.from("requests", TOKENS, i -> packet(i, false)));
                new Encoder(rig.sim.root(), rig.clock, in, out, rig.parts);
                rig.toTwo(out, "out", p -> (p.isResponse() ? Long.MIN_VALUE : 0) | (p.icrcOk ? 1 << 24 : 0) | p.psn);
            }
        },
        TX_MAC(40, 80, 80) {
            @Override
            void build(Rig rig) {
                LongChannel notices = rig.words("notices");
                TestLine line = new TestLine(rig.sim);
                TxMac mac = new TxMac(
                        rig.sim.root(), rig.clock, rig.from("in", TOKENS, Alone::marked), notices, line, rig.parts);
                mac.also(rig.from("frames", TOKENS, Alone::frame));
                rig.wordsTo(notices, "notices", true);
                rig.holds("pause", mac.pause());
                rig.result(line::packets);
                rig.result(line::frames);
            }
        },
        TX_MAC_BY_CLASS(40, 40, 20, 2) {
            @Override
            Profile hardware() {
                return super.hardware().with("nic.pfc.classes", "8");
            }

            @Override
            void build(Rig rig) {
                LongChannel notices = rig.words("notices");
                TestLine line = new TestLine(rig.sim);
                TxMac mac = new TxMac(
                        rig.sim.root(), rig.clock, rig.from("in", TOKENS, Alone::inClasses), notices, line, rig.parts);
                mac.obeysPauses(List.of());
                rig.wordsTo(notices, "notices", false);
                mac.alsoFirst(rig.from("cnps", TOKENS / 4, Alone::notification));
                rig.events("pauses", mac.pause(), TOKENS / 2, TxMac.TAKEN, Alone::pause);
                rig.events("says", mac.pause(), TOKENS / 8, TxMac.SAY, i -> null);
                rig.result(() -> line.packets().stream()
                        .filter(p -> p < TOKENS && p % 2 == 0)
                        .toList());
                rig.result(() -> line.packets().stream()
                        .filter(p -> p < TOKENS && p % 2 == 1)
                        .toList());
                rig.result(
                        () -> line.packets().stream().filter(p -> p >= TOKENS).toList());
                rig.result(() -> List.of(mac.pausesTaken(3), mac.pausesSent(0)));
            }
        },
        NOTIFICATION_POINT(16, 2) {
            @Override
            Profile hardware() {
                return super.hardware().with("nic.ecn.notify", "qp").with("nic.ecn.cnp_interval_us", "0");
            }

            @Override
            void build(Rig rig) {
                rig.queuePairs(QPS, QpType.RC);
                Channel<RocePacket> out = rig.channel("cnps");
                NotificationPoint point = new NotificationPoint(rig.sim.root(), rig.clock, out, rig.parts);
                rig.holds("marks", point.marks());
                rig.to(out, "cnps", p -> p.destQp);
                rig.result(() -> List.of(point.marked(), point.sent()));
            }
        },
        CHIP_MEMORY(2) {
            @Override
            void build(Rig rig) {
                ChipMemory chip = rig.parts.chipMemory();
                Allocation a = Objects.requireNonNull(chip.allocate(4096));
                Allocation b = Objects.requireNonNull(chip.allocate(4096));
                rig.events("stores", rig.port("window", t -> chip.stores().write((MmioWrite) t)), TOKENS, 0, i -> {
                    MmioWrite w = new MmioWrite();
                    w.offset = a.address() - ChipMemory.BASE + i * 40 % 4000;
                    w.length = 1 + i % 64;
                    w.data[i % w.length] = (byte) i;
                    return w;
                });
                rig.events("writes", chip.writePort("test"), TOKENS, 0, i -> {
                    DmaWrite w = new DmaWrite();
                    w.address = b.address() + i * 40 % 4000;
                    w.length = 1 + i % 64;
                    w.data.appendBytes(new byte[] {(byte) i}, 0, 1);
                    w.data.appendZeros(w.length - 1);
                    return w;
                });
                rig.result(() -> List.of(sum(chip, a), sum(chip, b)));
            }
        },
        DOORBELL(40, 10, 1) {
            @Override
            void build(Rig rig) {
                rig.queuePairs(QPS, QpType.RC);
                Doorbells.build(rig, TOKENS);
            }
        },
        WQE_FETCH(156) {
            @Override
            void build(Rig rig) {
                rig.queuePairs(QPS, QpType.RC);
                rig.host.holds(Alone::sendRings);
                long[] fetches = new long[TOKENS];
                for (int i = 0; i < TOKENS; i++) {
                    int blocks = i % 7 == 6 ? FetchWord.RECORD : 1 + i % 5;
                    fetches[i] = FetchWord.of(Rig.QPN + i % QPS, i * 5, blocks);
                }
                LongChannel fetched = rig.words("fetched");
                Channel<Wqe> out = rig.channel("wqes");
                rig.host.answers(new WqeFetch(
                        rig.sim.root(),
                        rig.clock,
                        rig.wordsFrom("fetches", fetches),
                        fetched,
                        out,
                        rig.host.reads("wqe"),
                        rig.parts));
                rig.wordsTo(fetched, "fetched", false); // replies overtake each other
                rig.to(out, "wqes", w -> 0);
            }
        },
        SCHEDULER(40, 40, 40, 20) {
            @Override
            void build(Rig rig) {
                rig.queuePairs(QPS, QpType.RC);
                rig.host.holds(Alone::sendRings);
                LongChannel fetched = rig.words("fetched");
                LongChannel fetches = rig.words("fetches");
                Channel<Wqe> bypass = rig.channel("bypass");
                Channel<Wqe> read = rig.channel("read");
                Channel<Wqe> parsed = rig.channel("parsed");
                new WqeStage(rig.sim.root(), "parser", rig.clock, List.of(read, bypass), parsed, 2, true, 0, rig.parts);
                new QpScheduler(
                        rig.sim.root(),
                        rig.clock,
                        rig.from("doorbells", TOKENS, Alone::doorbell),
                        rig.relay(fetched, "toScheduler"),
                        rig.relay(parsed, "started", w -> w.qpn, w -> (long) w.qpn << 16 | w.index),
                        fetches,
                        bypass,
                        new Pool<>(Doorbell::new),
                        rig.parts);
                rig.host.answers(new WqeFetch(
                        rig.sim.root(),
                        rig.clock,
                        rig.relay(fetches, "toFetch"),
                        fetched,
                        read,
                        rig.host.reads("wqe"),
                        rig.parts));
            }
        },
        QPC_LOOKUP(80, 80) {
            @Override
            void build(Rig rig) {
                rig.queuePairs(16, QpType.RC);
                QpcLookup lookup = new QpcLookup(
                        rig.sim.root(), rig.clock, new CacheSpec(4, 2, 256, 2), 1, rig.host.reads("qpc"), rig.parts);
                Channel<Wqe> wqes = rig.channel("wqesOut");
                Channel<RocePacket> packets = rig.channel("packetsOut");
                lookup.wqes(rig.from("wqes", TOKENS, Alone::wqe), wqes, 3, true);
                lookup.packets(rig.from("packets", TOKENS, i -> packet(i * 7, false)), packets, 2);
                rig.host.answers(lookup);
                rig.to(wqes, "wqesOut", w -> (long) w.qpn << 16 | w.index);
                rig.to(packets, "packetsOut", p -> (long) p.destQp << 24 | p.psn);
            }
        },
        CQC_LOOKUP(80, 80) {
            @Override
            void build(Rig rig) {
                rig.queuePairs(16, QpType.RC);
                for (int cqn = 0; cqn < 32; cqn++) {
                    rig.table.cqContextAddress(cqn, 0x40_0000 + cqn * 64L);
                }
                CqcLookup lookup = new CqcLookup(
                        rig.sim.root(), rig.clock, new CacheSpec(4, 2, 64, 2), 1, rig.host.reads("cqc"), rig.parts);
                for (String side : List.of("sends", "receives")) {
                    Channel<Completion> out = rig.channel(side + "Out");
                    lookup.completions(rig.from(side, TOKENS, i -> completion(i, side.equals("receives"))), out);
                    rig.to(out, side + "Out", c -> (long) c.cqn << 32 | c.wqeCounter);
                }
                rig.host.answers(lookup);
            }
        },
        CQ_WRITER(80, 80, 80, 80, 80, 80, 80, 80) {
            @Override
            void build(Rig rig) {
                completions(rig, true);
            }
        },
        CQ_WRITER_COMPRESSED() {
            @Override
            Profile hardware() {
                return super.hardware().with("nic.cqe.compression", "all");
            }

            @Override
            void build(Rig rig) {
                completions(rig, false);
            }
        },
        NVME_OFFLOAD(10, 10, 40, 40, 80, 60, 4) {
            @Override
            Profile hardware() {
                return super.hardware().with("nic.nvmf.contexts", "32").with("nic.dm.bytes", "65536");
            }

            @Override
            void build(Rig rig) {
                offload(rig);
            }
        },
        RX_PARSER(53, 14, 3) {
            @Override
            void build(Rig rig) {
                rig.queuePairs(QPS, QpType.RC);
                Channel<RocePacket> requests = rig.channel("requests");
                Channel<RocePacket> responses = rig.channel("responses");
                RxParser parser = new RxParser(rig.sim.root(), rig.clock, requests, responses, rig.parts);
                rig.events("line", parser.port(), TOKENS, 0, Alone::received);
                rig.to(requests, "requests", p -> p.psn);
                rig.to(responses, "responses", p -> p.psn);
                rig.result(() -> List.of(parser.icrcErrors(), parser.dropped(), parser.overruns()));
            }
        };

        private final String sizes;

        /** A block, and how much leaves it, output by output. */
        Alone(Integer... sizes) {
            this.sizes = List.of(sizes).toString();
        }

        abstract void build(Rig rig);

        Profile hardware() {
            return Profiles.named("cx7-400g");
        }

        /** Every other packet is in class 3. */
        private static RocePacket inClasses(int i) {
            RocePacket p = packet(i, false);
            p.psn = i;
            p.flow.dscp = i % 2 == 0 ? 24 : 0;
            return p;
        }

        private static RocePacket notification(int i) {
            RocePacket p = inClasses(TOKENS + i);
            p.flow.dscp = 48;
            return p;
        }

        /** Pauses of class 3, some of which are ended. */
        private static PauseFrame pause(int i) {
            PauseFrame frame = new PauseFrame();
            frame.set(3, i % 3 == 2 ? 0 : 1 + i % 100);
            return frame;
        }

        private static BthBeat beat(int i) {
            BthBeat beat = new BthBeat();
            RandomStream r = RandomStream.named(i, "bth");
            for (int k = 0; k < BthBeat.BYTES; k++) {
                beat.bytes[k] = (byte) r.below(256);
            }
            return beat;
        }

        static RocePacket packet(int i, boolean response) {
            RocePacket p = new RocePacket();
            p.opcode = response
                    ? (i % 3 == 0 ? Opcode.RC_ACKNOWLEDGE : Opcode.RC_RDMA_READ_RESPONSE_ONLY).code()
                    : Opcode.RC_SEND_ONLY.code();
            p.psn = i;
            p.destQp = Rig.QPN + i % 16;
            p.setPayloadLength(p.opcode == Opcode.RC_ACKNOWLEDGE.code() ? 0 : i * 61 % 1000);
            return p;
        }

        private static RocePacket marked(int i) {
            RocePacket p = packet(i, false);
            p.tag = i % 2 == 0 ? i + 1 : 0;
            return p;
        }

        private static EthFrame frame(int i) {
            EthFrame frame = new EthFrame();
            frame.resize(60 + i * 37 % 1000);
            frame.bytes[0] = (byte) i;
            frame.seal();
            return frame;
        }

        private static RocePacket received(int i) {
            RocePacket p = packet(i, i % 5 == 1);
            int to = i % QPS;
            p.destQp = i % 11 == 7 ? 5 : Rig.QPN + to; // one in eleven is for nobody
            p.flow.setIpv4(1 + (~to & 1), 1 + (to & 1));
            p.icrcOk = i % 13 != 4;
            return p;
        }

        private static Wqe wqe(int i) {
            WqeWriter writer = new WqeWriter();
            writer.begin(WqeOpcode.SEND, i, Rig.QPN + i * 5 % 16, true, false, false, 0);
            writer.data(4096L * i, 64, 1);
            int bytes = writer.finish();
            Wqe wqe = new Wqe();
            System.arraycopy(writer.bytes(), 0, wqe.raw, 0, bytes);
            wqe.parse(false);
            return wqe;
        }

        /** Rings all queues in turns, each time behind so many more whole WQEs; records say the same as the last doorbells. */
        private static Doorbell doorbell(int i) {
            int q = i % QPS;
            Doorbell d = new Doorbell();
            d.qpn = Rig.QPN + q;
            d.producer = q == BLUEFLAME ? 1 + i / QPS : i % 9 == 8 ? -1 : 3 * (1 + i / QPS);
            if (q == BLUEFLAME) {
                d.wqe = new Wqe();
                d.wqe.raw[2] = (byte) (i / QPS);
                d.wqe.raw[7] = 4;
                d.wqe.parse(false);
                d.wqe.qpn = d.qpn;
            }
            return d;
        }

        /** WQEs of two blocks and of one, in turns; the last of a ring goes over its end. */
        private static void sendRings(long address, byte[] out, long[] writes) {
            if (address >= Rig.RECORDS) {
                out[7] = 3 * TOKENS / QPS;
                return;
            }
            for (int at = 0; at < out.length; at += Wqe.BLOCK) {
                int block = (int) ((address + at) / Wqe.BLOCK) & 63;
                boolean small = (address - Rig.SEND_RINGS) >>> 16 == BLUEFLAME;
                out[at + 2] = (byte) block;
                out[at + 7] = (byte) (block % 3 == 0 && !small ? 8 : 4);
            }
        }

        private static void completions(Rig rig, boolean isResult) {
            rig.queuePairs(QPS, QpType.RC);
            rig.table.setEvents(new EqContext(0x200_0000, 6, 1));
            rig.table.compress(0, true);
            rig.table.compress(1, true);
            rig.table.moderate(0, 3, 1);
            rig.host.holds((address, out, writes) -> {
                int cqn = (int) (address - Rig.CQ_RECORDS) / 64;
                long all = writes[(int) (Rig.CQ_RINGS >>> 20) + cqn];
                out[2] = (byte) (all >>> 8);
                out[3] = (byte) all;
            });
            long[] arms = new long[TOKENS / 4];
            for (int i = 0; i < arms.length; i++) {
                arms[i] = ArmWord.of(i % (2 * QPS), i, i, i % 3 == 0);
            }
            rig.host.answers(new CqWriter(
                    rig.sim.root(),
                    rig.clock,
                    rig.from("sends", 4 * TOKENS, i -> completion(i, false)),
                    rig.from("receives", 4 * TOKENS, i -> completion(i, true)),
                    rig.wordsFrom("arms", arms),
                    rig.host.reads("cq"),
                    rig.host.writes("cq"),
                    rig.parts));
            for (int cqn = 0; isResult && cqn < 2 * QPS; cqn++) {
                long ring = Rig.CQ_RINGS + cqn * 0x10_0000L;
                rig.result(() -> rig.host.written(ring, ring + 0x10_0000));
            }
        }

        /** Two of four queue pairs are marked: their capsules, all zeros, ask an SSD for a flush that is never answered, or a wrong one. */
        private static void offload(Rig rig) {
            rig.queuePairs(QPS, QpType.RC);
            Allocation capsules = Objects.requireNonNull(rig.parts.chipMemory().allocate(4096));
            for (int q = 0; q < 2; q++) {
                QpContext qp = Objects.requireNonNull(rig.table.qp(Rig.QPN + q));
                qp.offload = new OffloadQueue(
                        capsules.address(), 64, 16, 16, List.of(new OffloadNamespace(0, 0, 1, 512, 4096, 1)), null);
            }
            NvmeOffload.Paths paths = new NvmeOffload.Paths(
                    rig.from("doorbells", TOKENS, i -> {
                        Doorbell d = new Doorbell();
                        d.qpn = Rig.QPN + 2 + i % 2;
                        d.producer = i;
                        return d;
                    }),
                    rig.channel("toScheduler"),
                    rig.from("sends", TOKENS, i -> ofOthers(i, false)),
                    rig.channel("otherSends"),
                    rig.from("receives", TOKENS, i -> i % 8 < 2 ? capsule(i) : ofOthers(i, true)),
                    rig.channel("otherReceives"));
            NvmeOffload block = new NvmeOffload(
                    rig.sim.root(),
                    rig.clock,
                    rig.parts.spec().offload(),
                    paths,
                    rig.host.writes("offload"),
                    new Pool<>(Doorbell::new),
                    w -> {},
                    rig.parts);
            block.serve(
                    new OffloadDisk(1, 512, 4096, 16, 0x10_0000, 0x20_0000, 0x20_0004, 0x30_0000, 1, 4096, 0x40_0000));
            rig.host.answers(block);
            rig.events("stores", rig.port("window", t -> block.stores().write((MmioWrite) t)), 8, 0, i -> {
                MmioWrite w = new MmioWrite();
                w.offset = 16L * i;
                w.length = 16;
                return w;
            });
            rig.toEach(paths.toScheduler(), "toScheduler", d -> (long) d.qpn << 40 | d.producer);
            rig.to(paths.otherSends(), "otherSends", c -> c.wqeCounter);
            rig.to(paths.otherReceives(), "otherReceives", c -> c.wqeCounter);
            rig.result(() -> List.of(block.taken(), block.refused(), block.responses(), block.failures()));
        }

        private static Completion ofOthers(int i, boolean receive) {
            Completion c = completion(i, receive);
            c.qpn = Rig.QPN + 2 + i % 2;
            return c;
        }

        private static Completion capsule(int i) {
            Completion c = completion(i, true);
            c.qpn = Rig.QPN + i % 2;
            c.byteCount = 64;
            return c;
        }

        private static Completion completion(int i, boolean receive) {
            Completion c = new Completion();
            int q = i / 8 % QPS;
            c.qpn = Rig.QPN + q;
            c.cqn = 2 * q + (receive ? 1 : 0);
            c.opcode = receive ? Cqe.RESP_SEND : Cqe.REQ;
            c.wqeCounter = i;
            c.byteCount = i * 64;
            c.solicited = i % 5 == 0;
            return c;
        }

        private static long sum(ChipMemory chip, Allocation piece) {
            Payload all = new Payload();
            chip.read(piece.address(), (int) piece.length(), all);
            long sum = 0;
            for (int i = 0; i < all.length(); i++) {
                sum = sum * 31 + all.byteAt(i);
            }
            return sum;
        }
    }

    private static Supplier<List<List<?>>> build(Alone block, Sim sim, BlockContract.Stalls stalls) {
        Rig rig = new Rig(sim, stalls, block.hardware());
        block.build(rig);
        return rig.results();
    }

    @ParameterizedTest
    @EnumSource
    void keepsTheLawsOfBlocks(Alone block) {
        BlockContract contract = BlockContract.of((sim, stalls) -> build(block, sim, stalls), UNTIL_PS);
        contract.modes(1);
        contract.stalls(1);
        for (long half = 30_000; half < 3_000_000; half += Boolean.getBoolean("clockwire.full") ? 20_003 : 770_001) {
            contract.snapshots(half % 7, half);
        }
    }

    /** Every token that goes in comes out, or is counted. */
    @ParameterizedTest
    @EnumSource
    void allLeaves(Alone block) {
        Sim sim = new Sim(SimSpec.of(1));
        Supplier<List<List<?>>> results = build(block, sim, name -> Stall.random(0.3, 1));
        sim.run(UNTIL_PS);
        assertThat(results.get().stream().map(List::size).toList()).hasToString(block.sizes);
        if (block == Alone.RX_PARSER) { // psn % 13 = 4 has a wrong ICRC, of the rest psn % 11 = 7 is for nobody
            assertThat(results.get().get(2).toString()).isEqualTo("[6, 7, 0]");
        }
    }
}
