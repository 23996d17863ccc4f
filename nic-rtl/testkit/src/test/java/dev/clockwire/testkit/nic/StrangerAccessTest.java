package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.device.NicDevice;
import dev.clockwire.nic.doorbell.Uar;
import dev.clockwire.nic.format.WqeOpcode;
import dev.clockwire.nic.format.WqeWriter;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nic.regs.NicRegisters;
import dev.clockwire.pcie.config.BarSpec;
import dev.clockwire.pcie.endpoint.PcieEndpoint;
import dev.clockwire.pcie.host.ConfigPort;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.AddressVector;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The device as a stranger treats it: accesses of every width and place, doorbells at the wrong time, windows that are sized, configuration
 * that is overwritten. What must happen stands in the register map; nothing may stop the simulation, and the device works afterwards.
 */
class StrangerAccessTest {
    private static final long US = 1_000_000;
    private static final int COMMAND = 4;

    private static Lab lab(String layout) {
        return lab(layout, KernelMode.ACTIVITY, false);
    }

    private static Lab lab(String layout, KernelMode mode, boolean narrow) {
        Profile profile =
                Profiles.named("cx7-400g").with("nic.uar.layout", layout).with("nic.bar32", Boolean.toString(narrow));
        return Lab.twoHosts(profile, LabSpec.of(1).withMode(mode));
    }

    private static Pair pair(Lab lab) {
        return new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
    }

    private static QpContext context(Pair p) {
        return Objects.requireNonNull(p.a.host.nic().parts().table().qp(p.a.qp.qpn()));
    }

    private static void run(Lab lab, long ps) {
        lab.sim().run(lab.sim().now() + ps);
    }

    private static void works(Pair p) {
        long id = new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 100);
        var wc = p.next(p.a);
        assertThat(List.of(wc.wrId, wc.status)).isEqualTo(List.of(id, WcStatus.SUCCESS));
    }

    private static long load(Lab lab, long address, int bytes) {
        lab.a().core().mmioRead(address, bytes);
        run(lab, 3 * US);
        return lab.a().core().loaded();
    }

    private static long config(Lab lab, int at, int size) {
        ConfigPort port = lab.a().host().port(0).config();
        port.read(at, size);
        assertThat(lab.sim().runUntil(() -> !port.busy(), lab.sim().now() + 10 * US))
                .isTrue();
        return port.value();
    }

    private static void setpci(Lab lab, int at, int size, long value) {
        ConfigPort port = lab.a().host().port(0).config();
        port.write(at, size, (int) value);
        assertThat(lab.sim().runUntil(() -> !port.busy(), lab.sim().now() + 10 * US))
                .isTrue();
    }

    /** Every width and alignment reads the same bytes of the register map, as the bytes of a word lie. */
    @Test
    void everyWidthReadsTheSameBytes() {
        Lab lab = lab("page");
        long bar = lab.a().nic().endpoint().barAddress(NicRegisters.BAR);
        byte[] id = {0x01, 0x00, 0x0C, (byte) 0xC1};
        for (int at = 0; at < 8; at++) {
            for (int bytes = 1; bytes <= 8; bytes++) {
                long read = load(lab, bar + at, bytes);
                for (int i = 0; i < bytes; i++) {
                    int wanted = at + i < 4 ? id[at + i] : at + i == 4 ? 2 : 0; // UAR_CTRL: index in doorbells
                    assertThat((byte) (read >>> (8 * i)))
                            .as("%d bytes at %d", bytes, at)
                            .isEqualTo((byte) wanted);
                }
            }
        }
        assertThat(lab.a().nic().endpoint().unsupportedRequests()).isZero();
    }

    /** A store writes the bytes it has, whatever its width; read-only and reserved bits stay. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 12, 16})
    void everyWidthWritesItsBytes(int bytes) {
        Lab lab = lab("page");
        NicDevice nic = lab.a().nic();
        long bar = nic.endpoint().barAddress(NicRegisters.BAR);
        byte[] ones = new byte[bytes];
        Arrays.fill(ones, (byte) 0xFF);
        for (int at = 0; at < 4; at++) {
            long bucket = NicRegisters.TB_RATE_REG + 0x100L + 0x20L * at;
            lab.a().core().mmioWrite(bar + bucket + at, ones, 0, bytes);
            run(lab, US);
            byte[] wanted = new byte[32];
            wanted[6] = 1; // 65536
            wanted[22] = 1;
            for (int i = 0; i < bytes; i++) {
                int register = (at + i) % 16;
                wanted[at + i] = register < 8 ? -1 : wanted[at + i]; // TB_TS_REG and what is behind it are read-only
            }
            for (int i = 0; i < 32; i++) {
                assertThat((byte) load(lab, bar + bucket + i, 1))
                        .as("%d bytes at %d: byte %d", bytes, at, i)
                        .isEqualTo(wanted[i]);
            }
        }
    }

    /** No request crosses 4 KB: what reaches beyond a window is answered by who is on each side of its end. */
    @ParameterizedTest
    @CsvSource({"page, false", "packed, false", "page, true"})
    void whatReachesBeyondAWindowIsUnsupported(String layout, boolean narrow) {
        Lab lab = lab(layout, KernelMode.ACTIVITY, narrow);
        PcieEndpoint endpoint = lab.a().nic().endpoint();
        Pair p = pair(lab);
        for (BarSpec bar : endpoint.barSpecs()) {
            long end = endpoint.barAddress(bar.number()) + bar.bytes();
            boolean alone = endpoint.barSpecs().stream().noneMatch(b -> endpoint.barAddress(b.number()) == end);
            for (int over = 1; over < 8; over++) {
                int inside = 8 - over;
                long before = endpoint.unsupportedRequests();
                long low = load(lab, end - inside, inside);
                long high = alone ? -1 : load(lab, end, over);
                long refused = endpoint.unsupportedRequests() - before + (alone ? 1 : 0);
                assertThat(load(lab, end - inside, 8))
                        .as("8 bytes, %d behind BAR %d", over, bar.number())
                        .isEqualTo((low & ((1L << (8 * inside)) - 1)) | (high << (8 * inside)));
                assertThat(endpoint.unsupportedRequests() - before).isEqualTo(2 * refused - (alone ? 1 : 0));
            }
        }
        works(p);
    }

    /** Takes a queue pair from RESET as far as a state. */
    private static void bring(Lab lab, Pair p, String state) {
        if (!state.equals("RESET")) {
            lab.await(p.a.qp.modify(new QpAttributes()
                    .state(QpState.INIT)
                    .pkeyIndex(0)
                    .port(1)
                    .access(EnumSet.of(AccessFlag.REMOTE_WRITE))));
        }
        if (state.equals("RTR")) {
            lab.await(p.a.qp.modify(new QpAttributes()
                    .state(QpState.RTR)
                    .addressVector(AddressVector.to(lab.b().gid()))
                    .pathMtu(Mtu.MTU_1024)
                    .destQpn(p.b.qp.qpn())
                    .rqPsn(1)
                    .maxDestRdAtomic(1)
                    .minRnrTimer(1)));
        }
    }

    /** Resets both ends and connects them anew. */
    private static void again(Lab lab, Pair p) {
        lab.await(p.a.qp.modify(new QpAttributes().state(QpState.RESET)));
        lab.await(p.b.qp.modify(new QpAttributes().state(QpState.RESET)));
        while (p.a.cq.hasCompletion()) {
            p.next(p.a);
        }
        Connections.join(lab, p.a.qp, lab.b().gid(), p.b.qp.qpn(), 7, 9, Mtu.MTU_1024);
        Connections.join(lab, p.b.qp, lab.a().gid(), p.a.qp.qpn(), 9, 7, Mtu.MTU_1024);
    }

    /** Doorbells of a queue pair that is not ready: nothing is read, nothing happens, and nothing is left of them when it is. */
    @ParameterizedTest
    @CsvSource({"page, RESET", "page, INIT", "page, RTR", "packed, RESET", "packed, INIT", "packed, RTR"})
    void aDoorbellBeforeReadyToSendLeavesNothingBehind(String layout, String state) {
        Lab lab = lab(layout);
        Pair p = pair(lab);
        works(p);
        lab.await(p.a.qp.modify(new QpAttributes().state(QpState.RESET)));
        bring(lab, p, state);
        run(lab, 20 * US);
        long before = lab.a().nic().endpoint().transmitter().packets();
        lab.a().core().mmioWrite(lab.a().nic().doorbell(context(p)), p.a.qp.qpn() | 5L << 32, 8);
        lab.a().core().mmioWrite(lab.a().nic().doorbell(context(p)), p.a.qp.qpn(), 4);
        lab.a().core().mmioWrite(lab.a().nic().doorbell(context(p)) + 4, 6, 4);
        lab.a().core().mmioWrite(lab.a().nic().blueflame(context(p), 0), blueFlame(p, 0, 20), 0, 64);
        run(lab, 50 * US);
        assertThat(p.a.cq.hasCompletion()).as("completions").isFalse();
        assertThat(lab.a().nic().doorbellErrors()).as("each counted").isEqualTo(4);
        assertThat(lab.a().nic().endpoint().transmitter().packets())
                .as("packets for the host")
                .isEqualTo(before);
        again(lab, p);
        run(lab, 50 * US);
        assertThat(p.a.cq.hasCompletion()).isFalse();
        works(p);
        works(p);
    }

    /** In ERR what a doorbell announces is flushed, once each. */
    @ParameterizedTest
    @ValueSource(strings = {"page", "packed"})
    void aDoorbellInErrorFlushesWhatIsPosted(String layout) {
        Lab lab = lab(layout);
        Pair p = pair(lab);
        lab.await(p.a.qp.modify(new QpAttributes().state(QpState.ERR)));
        Posts posts = new Posts(p.a, p.b);
        for (int i = 1; i <= 3; i++) {
            assertThat(posts.post(WrOpcode.RDMA_WRITE, 100)).isEqualTo(i);
            var wc = p.next(p.a);
            assertThat(List.of(wc.wrId, wc.status)).isEqualTo(List.of((long) i, WcStatus.WR_FLUSH_ERR));
        }
        lab.a().core().mmioWrite(lab.a().nic().doorbell(context(p)), p.a.qp.qpn(), 4);
        run(lab, 50 * US);
        assertThat(p.a.cq.hasCompletion()).isFalse();
    }

    /** A producer index beyond the ring: what lies there are not new WQEs, the queue pair ends with an error or does nothing, and only it. */
    @ParameterizedTest
    @CsvSource({"page, 100", "page, 0x3000", "page, 0x7FFF", "packed, 0x7FFF"})
    void anIndexBeyondTheRingHarmsNobodyElse(String layout, String index) {
        Lab lab = lab(layout);
        Pair p = pair(lab);
        Pair other = pair(lab);
        works(p);
        long pi = Long.decode(index);
        lab.a().core().mmioWrite(lab.a().nic().doorbell(context(p)), p.a.qp.qpn() | pi << 32, 8);
        run(lab, 2000 * US);
        works(other);
        again(lab, p);
        works(p);
        works(other);
    }

    private static byte[] blueFlame(Pair p, int index, int inline) {
        WqeWriter w = new WqeWriter();
        w.begin(WqeOpcode.RDMA_WRITE, index, p.a.qp.qpn(), true, false, false, 0);
        w.remoteAddress(p.b.at(0), p.b.mr.rkey());
        int at = w.inline(inline);
        Arrays.fill(w.bytes(), at, at + inline, (byte) 'x');
        w.finish();
        return w.bytes();
    }

    /** A BlueFlame WQE that says it is longer than the buffer: counted, and read from memory as behind a plain doorbell. */
    @ParameterizedTest
    @ValueSource(strings = {"page", "packed"})
    void aBlueFlameWqeLongerThanTheBufferIsAPlainDoorbell(String layout) {
        Lab lab = lab(layout);
        Pair p = pair(lab);
        long before = lab.a().nic().doorbellErrors();
        byte[] wqe = blueFlame(p, 0, 200);
        wqe[7] = 63;
        lab.a().core().mmioWrite(lab.a().nic().blueflame(context(p), 0), wqe, 0, 256);
        run(lab, 20 * US);
        assertThat(lab.a().nic().doorbellErrors()).isEqualTo(before + 1);
        assertThat(p.a.cq.hasCompletion())
                .as("the record says that nothing is posted")
                .isFalse();
        works(p);
        assertThat(lab.a().nic().doorbellErrors()).isEqualTo(before + 1);
    }

    /** A copy into BlueFlame that was torn: the next WQE is executed, and the buffers work as before from then on. */
    @ParameterizedTest
    @CsvSource({"page, 1", "page, 2", "page, 3", "packed, 1", "packed, 3"})
    void aTornCopyDoesNotSpoilTheBuffer(String layout, int pieces) {
        Lab lab = lab(layout);
        Pair p = pair(lab);
        byte[] wqe = blueFlame(p, 0, 200);
        lab.a().core().mmioWrite(lab.a().nic().blueflame(context(p), 0), wqe, 0, 64 * pieces);
        run(lab, 100 * US);
        assertThat(p.a.cq.hasCompletion()).isFalse();
        for (int i = 0; i < 10; i++) {
            works(p);
            run(lab, 20 * US);
        }
        assertThat(lab.a().nic().doorbellErrors()).as("the torn one").isLessThanOrEqualTo(1);
        assertThat(p.b.read(0, 4)).doesNotContain('x');
    }

    /**
     * Sizing: all ones, read back, restore. 64-bit windows take two registers; reserved registers read as zero. BAR2 is 64 MB of
     * doorbells and as much for memory on the chip.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void allWindowsSayTheirSize(boolean narrow) {
        Lab lab = lab("page", KernelMode.ACTIVITY, narrow);
        NicDevice nic = lab.a().nic();
        Pair p = pair(lab);
        long[] was = new long[6];
        long[] found = new long[6];
        setpci(lab, COMMAND, 2, 0x0104); // decoding is off while windows are sized
        for (int i = 0; i < 6; i++) {
            was[i] = config(lab, 0x10 + 4 * i, 4);
            setpci(lab, 0x10 + 4 * i, 4, 0xFFFF_FFFFL);
            found[i] = config(lab, 0x10 + 4 * i, 4);
        }
        long[] wide = {0xFFC0_0004L, 0xFFFF_FFFFL, 0xF800_000CL, 0xFFFF_FFFFL, 0xFFFF_0004L, 0xFFFF_FFFFL};
        long[] slim = {0xFFC0_0000L, 0xFFE0_0000L, 0xF800_0008L, 0, 0xFFFF_0000L, 0};
        assertThat(found).isEqualTo(narrow ? slim : wide);
        for (int i = 0; i < 6; i++) {
            setpci(lab, 0x10 + 4 * i, 4, was[i]);
            assertThat(config(lab, 0x10 + 4 * i, 4)).isEqualTo(was[i]);
        }
        setpci(lab, COMMAND, 2, 0x0106);
        assertThat(load(lab, nic.endpoint().barAddress(NicRegisters.BAR), 4)).isEqualTo(0xC10C_0001L);
        works(p);
    }

    /** What says what the device is stays, whatever is written to it, byte by byte or whole. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void whatIsReadOnlyStays(int size) {
        Lab lab = lab("page");
        int[] fixed = {
            0x00,
            0x08,
            0x2C,
            0x30,
            0x34, // identity, class, subsystem, no expansion ROM, first capability
            0x60,
            0x64,
            0x6C,
            0x84,
            0x8C, // PCI Express: header, device, link and further capabilities
            0xA0,
            0xA4, // where the vectors and their pending bits are
            0x100 // advanced error reporting
        };
        for (int at : fixed) {
            long was = config(lab, at, 4);
            for (long value : new long[] {0xFFFF_FFFFL, 0, 0x5A5A_5A5AL}) {
                for (int byteAt = at; byteAt < at + 4; byteAt += size) {
                    setpci(lab, byteAt, size, value);
                }
                assertThat(config(lab, at, 4)).as("0x%x", at).isEqualTo(was);
            }
        }
        assertThat(config(lab, 0x9C, 4) & 0x7FF_0000L).as("vectors - 1").isEqualTo(2047L << 16);
        works(pair(lab));
    }

    /** An interrupt whose vector points to nowhere is lost; the next one, to the right place, is not. */
    @Test
    void aVectorThatPointsToNowhereLosesItsInterruptOnly() {
        Lab lab = lab("page");
        Pair p = pair(lab);
        long table = lab.a().nic().endpoint().barAddress(NicRegisters.VECTOR_BAR);
        long address = load(lab, table, 8);
        lab.a().core().mmioWrite(table, 0x7FFF_0000_1230L, 8);
        p.a.cq.reqNotify(false);
        Completion<CompletionQueue> event = p.a.cq.channel().cqEvent();
        new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 10);
        run(lab, 50 * US);
        assertThat(event.isDone()).isFalse();
        lab.a().core().mmioWrite(table, address, 8);
        run(lab, US);
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
        works(p);
    }

    /** Anything anywhere: no access stops the simulation, both kernels do the same, and the registers answer afterwards. */
    @ParameterizedTest
    @CsvSource({"page, false", "packed, false", "page, true"})
    void aStormOfAccessesIsOutlived(String layout, boolean narrow) {
        for (int seed = 1; seed <= 12; seed++) {
            List<Long> hashes = new ArrayList<>();
            for (KernelMode mode : seed <= 3 ? KernelMode.values() : new KernelMode[] {KernelMode.ACTIVITY}) {
                Lab lab = lab(layout, mode, narrow);
                Pair p = pair(lab);
                storm(lab, p, seed);
                hashes.add(lab.sim().traceHash());
                setpci(lab, COMMAND, 2, 0x0106);
                run(lab, 1000 * US);
                assertThat(load(lab, lab.a().nic().endpoint().barAddress(NicRegisters.BAR), 4))
                        .isEqualTo(0xC10C_0001L);
            }
            assertThat(hashes).as("seed %d", seed).allMatch(hashes.get(0)::equals);
        }
    }

    private static void storm(Lab lab, Pair p, int seed) {
        RandomStream random = RandomStream.named(seed, "storm");
        NicDevice nic = lab.a().nic();
        CpuCore core = lab.a().core();
        Posts posts = new Posts(p.a, p.b);
        byte[] data = new byte[64];
        for (int i = 0; i < 200; i++) {
            var bar = nic.endpoint()
                    .barSpecs()
                    .get(random.below(nic.endpoint().barSpecs().size()));
            long offset = where(random, bar.number(), bar.bytes(), context(p));
            long at = nic.endpoint().barAddress(bar.number()) + offset;
            for (int k = 0; k < data.length; k++) {
                data[k] = (byte) random.nextLong();
            }
            switch (random.below(5)) {
                case 0 -> {
                    core.mmioRead(at, 1 + random.below(8));
                    run(lab, 2 * US);
                }
                case 1 -> core.mmioWrite(at, data, 0, 1 + random.below(64));
                case 2 -> core.mmioWrite(at & -64L, data, 0, 64);
                case 3 -> core.mmioWrite(at & -8L, random.nextLong() & 0xFFFF_0000_00FFL, 8);
                default -> {
                    if (i % 8 == 0 && p.a.qp.state() == QpState.RTS && !p.a.cq.hasCompletion()) {
                        posts.post(WrOpcode.RDMA_WRITE, 1 + random.below(3000));
                    }
                }
            }
            if (random.chance(0.1)) {
                run(lab, random.below(20) * US);
            }
        }
        run(lab, 100 * US);
    }

    /** Mostly where something is. */
    private static long where(RandomStream random, int bar, long bytes, QpContext qp) {
        int places = 0x1_3000;
        if (bar == Uar.BAR) {
            long page = (long) qp.qpn * Uar.PAGE;
            return switch (random.below(5)) {
                case 0 -> page + random.below(Uar.PAGE);
                case 1 -> page + Uar.BLUEFLAME_A + 64L * random.below(8);
                case 2 -> qp.qpn * 8L + random.below(16);
                case 3 -> 0x80_0000 + random.below(0x1_0000);
                default -> random.below((int) Math.min(Integer.MAX_VALUE, bytes));
            };
        }
        return random.below((int) Math.min(bytes - 64, random.chance(0.8) ? places : bytes - 64));
    }
}
