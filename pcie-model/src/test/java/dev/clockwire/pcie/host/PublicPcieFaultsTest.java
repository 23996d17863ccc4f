package dev.clockwire.pcie.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.pcie.config.BarSpec;
import dev.clockwire.pcie.config.ConfigSpace;
import dev.clockwire.pcie.config.ConfigSpec;
import dev.clockwire.pcie.endpoint.DmaError;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.pcie.link.LinkTroubles;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.link.PcieOrdering;
import dev.clockwire.pcie.link.TlpFault;
import dev.clockwire.pcie.link.TlpFault.What;
import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.pcie.tlp.TlpHeader;
import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults that users of other PCIe stacks have reported, each with the small input that shows it. Those of the data link layer, of byte counts and of device memory stand in tests of their own. */
class PublicPcieFaultsTest {
    private static final long US = 1_000_000;

    private static byte[] pattern(int bytes, int seed) {
        byte[] b = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            b[i] = (byte) (seed + i / 64 * 16 + i % 7);
        }
        return b;
    }

    private static byte[] content(DmaRead r) {
        byte[] b = new byte[r.into.length()];
        r.into.copyTo(0, b, 0, b.length);
        return b;
    }

    private static void store(Rig rig, long address, byte[] data) {
        rig.host.memory().putBytes(address, data, 0, data.length);
    }

    /** alexforencich/verilog-pcie issue 46: the first chunk of a read was stored at a wrong place. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8192, 8195})
    void eachChunkOfAReadComesToItsPlace(int offset) {
        Rig rig = new Rig(SimSpec.of(1), PcieLinkSpec.of(3, 8).withCompletions(64, false));
        byte[] data = pattern(256, 3);
        store(rig, rig.real.address() + offset, data);
        DmaRead r = rig.read(1, rig.real.address() + offset, 256, 0, 4);
        rig.sim.run(5 * US);
        assertThat(content(r)).isEqualTo(data);
    }

    /** alexforencich/verilog-pcie issue 24: a request that was answered by more than one completion never ended. */
    @Test
    void requestsWithOneTwoAndThreeCompletionsEnd() {
        Rig rig =
                new Rig(SimSpec.of(1), PcieLinkSpec.of(3, 8).withSizes(256, 512).withCompletions(64, false));
        List<Integer> sizes = new ArrayList<>();
        rig.port.transmitter().tap((ps, up, h, data, off, n) -> sizes.add(n));
        long base = rig.real.address();
        byte[] data = pattern(256, 9);
        store(rig, base, data);
        DmaRead a = rig.read(1, base, 32, 0, 1);
        DmaRead b = rig.read(2 * US, base, 64, 0, 1);
        DmaRead c = rig.read(4 * US, base + 0x20, 128, 0, 1);
        rig.sim.run(10 * US);
        assertThat(rig.device.done).containsExactly(a, b, c);
        assertThat(sizes).containsExactly(32, 64, 32, 64, 32);
        assertThat(content(c)).isEqualTo(java.util.Arrays.copyOfRange(data, 0x20, 0xA0));
    }

    private static void complete(Rig rig, long at, long address, int tag, int from, int to, byte[] data) {
        TlpTrain t = new TlpTrain().completions(address + from, to - from, 256, 0, 0x100, tag);
        t.left[0] = data.length - from;
        t.data.appendBytes(data, from, to - from);
        t.arrival[0] = at;
        rig.endpoint.arrivals().send(at, FlowClass.COMPLETION.index(), 0, 1, t);
    }

    /** corundum/corundum issue 57: completions of two requests came in turns. */
    @Test
    void completionsOfTwoRequestsMayComeInTurns() {
        PcieLinkSpec link = PcieLinkSpec.of(3, 8)
                .withTroubles(LinkTroubles.of(
                        TlpFault.of(true, TlpType.MRD, 1, What.LOSE), TlpFault.of(true, TlpType.MRD, 2, What.LOSE)));
        Rig rig = new Rig(SimSpec.of(1), link);
        long base = rig.real.address();
        DmaRead a = rig.read(1, base, 256, 0, 1);
        DmaRead b = rig.read(1, base + 4096, 256, 1, 1);
        byte[] one = pattern(256, 1);
        byte[] two = pattern(256, 99);
        complete(rig, US, base, 0, 0, 128, one);
        complete(rig, US + 10, base + 4096, 1, 0, 128, two);
        complete(rig, US + 20, base, 0, 128, 256, one);
        complete(rig, US + 30, base + 4096, 1, 128, 256, two);
        rig.sim.run(2 * US);
        assertThat(rig.device.done).containsExactly(a, b);
        assertThat(content(a)).isEqualTo(one);
        assertThat(content(b)).isEqualTo(two);
    }

    /** enjoy-digital/litepcie pull request 168: length, byte count or lower address of an answer were wrong. */
    @ParameterizedTest
    @CsvSource({"0x1000, 4, 1, 4, 0", "0x1003, 1, 1, 1, 3", "0x1044, 8, 2, 8, 0x44", "0x1000, 0, 1, 1, 0"})
    void answersOfTheDeviceHaveExactHeaders(String at, int bytes, int length, int byteCount, String lower) {
        Rig rig = new Rig(SimSpec.of(1), PcieLinkSpec.of(3, 8));
        List<TlpHeader> seen = new ArrayList<>();
        rig.endpoint.transmitter().tap((ps, up, h, data, off, n) -> {
            TlpHeader c = new TlpHeader();
            c.type = h.type;
            c.lengthDw = h.lengthDw;
            c.byteCount = h.byteCount;
            c.lowerAddress = h.lowerAddress;
            seen.add(c);
        });
        TlpTrain load = new TlpTrain().reads(rig.endpoint.barAddress(0) + Long.decode(at), 0);
        load.addRead(bytes, 7);
        rig.endpoint.arrivals().send(US, FlowClass.NON_POSTED.index(), 0, 1, load);
        rig.sim.run(US + 60_000);
        assertThat(seen).hasSize(1);
        TlpHeader h = seen.get(0);
        assertThat(h.type).isEqualTo(TlpType.CPLD);
        assertThat(h.lengthDw).isEqualTo(length);
        assertThat(h.byteCount).isEqualTo(byteCount);
        assertThat(h.lowerAddress).isEqualTo(Integer.decode(lower));
    }

    /** enjoy-digital/litepcie pull request 173: a tag was free before what came for it was handed on, and everything stood still. */
    @Test
    void aTagIsUsedAgainWhileItsFirstAnswerWaitsForAnEarlierOne() {
        PcieLinkSpec link = PcieLinkSpec.of(3, 8)
                .withSizes(128, 128)
                .withReadLimits(2, 0)
                .withTroubles(LinkTroubles.of(new TlpFault(false, TlpType.CPLD, 1, What.DELAY, 20 * US)));
        Rig rig = new Rig(SimSpec.of(1), link);
        byte[] data = pattern(1024, 5);
        store(rig, rig.real.address(), data);
        DmaRead r = rig.read(1, rig.real.address(), 1024, 0, 8);
        rig.sim.run(19 * US);
        assertThat(rig.endpoint.readsOutstanding())
                .as("all but the first part are there")
                .isEqualTo(1);
        rig.sim.run(40 * US);
        assertThat(r.error).isEqualTo(DmaError.NONE);
        assertThat(content(r)).isEqualTo(data);
    }

    /** alexforencich/verilog-axi issue 12: a transfer across 4 KB was recognised by one bit of the address. */
    @ParameterizedTest
    @CsvSource({"0xFFC, 8196, 0xFFC 0x1000 0x2000", "0x800, 2048, 0x800", "0xC00, 1024, 0xC00"})
    void requestsEndAtEachPage(String from, int bytes, String starts) {
        PcieLinkSpec link = PcieLinkSpec.of(3, 8).withSizes(4096, 4096);
        Rig rig = new Rig(SimSpec.of(1), link);
        List<Long> reads = new ArrayList<>();
        List<Long> writes = new ArrayList<>();
        int[] total = {0};
        rig.endpoint.transmitter().tap((ps, up, h, data, off, n) -> {
            assertThat(h.lengthDw).isPositive();
            assertThat((h.address & 0xFFF) + 4L * h.lengthDw).isLessThanOrEqualTo(4096);
            if (h.type == TlpType.MRD) {
                reads.add(h.address - rig.bulk.address());
            } else {
                writes.add(h.address - rig.bulk.address());
                total[0] += n;
            }
        });
        DmaRead r = rig.read(1, rig.bulk.address() + Long.decode(from), bytes, 0, 64);
        rig.write(2, rig.bulk.address() + Long.decode(from), new byte[bytes]);
        rig.sim.run(20 * US);
        List<Long> expected =
                java.util.Arrays.stream(starts.split(" ")).map(Long::decode).toList();
        assertThat(reads).isEqualTo(expected);
        assertThat(writes).isEqualTo(expected);
        assertThat(total[0]).isEqualTo(bytes);
        assertThat(r.into.length()).isEqualTo(bytes);
    }

    private static String vectorPlace(List<BarSpec> bars) {
        Sim sim = new Sim(SimSpec.of(1));
        ConfigSpace c = new ConfigSpace(
                new SimNode(sim.root(), "dev") {},
                new ConfigSpec(0x15b3, 0x1021, 0, 0x020000, 0, bars, 64, 4, 0, 0x8000, 512, PcieLinkSpec.of(4, 16)),
                () -> false);
        return Integer.toHexString(c.read(ConfigSpace.MSIX + 4)) + " "
                + Integer.toHexString(c.read(ConfigSpace.MSIX + 8));
    }

    /** corundum/corundum issue 128: the vector table moved when another window was enabled. */
    @Test
    void theVectorTableStaysWhereItIsWhateverOtherWindowsThereAre() {
        BarSpec vectors = new BarSpec(4, 64 << 10, true);
        BarSpec other = new BarSpec(0, 1 << 20, false);
        assertThat(vectorPlace(List.of(vectors))).isEqualTo("4 8004");
        assertThat(vectorPlace(List.of(other, vectors))).isEqualTo("4 8004");
        assertThat(vectorPlace(List.of(other, new BarSpec(2, 1 << 26, true), vectors)))
                .isEqualTo("4 8004");
    }

    /** tenstorrent/tt-umd issue 3096 and pytorch/torchcomms pull request 2373: a read on another path overtook a write. */
    @Test
    void onlyTheReaderOnTheWritersPathSeesTheWrite() {
        // strict writes queue in the root complex: the last one has left the device long before it is in memory
        Rig rig = new Rig(SimSpec.of(1), PcieLinkSpec.of(4, 16).withOrdering(PcieOrdering.EPYC));
        byte[] ones = new byte[32_768];
        java.util.Arrays.fill(ones, (byte) 1);
        long last = rig.bulk.address() + ones.length - 4;
        List<DmaRead> reads = new ArrayList<>();
        rig.device.reaction = t -> {
            if (t instanceof DmaWrite) { // the signal, by some other way
                reads.add(rig.read(rig.endpoint, rig.sim.now() + 1, last, 4, 0, 1));
                reads.add(rig.read(rig.other, rig.sim.now() + 1, last, 4, 0, 1));
            }
        };
        rig.write(1, rig.bulk.address(), ones);
        rig.sim.run(10 * US);
        assertThat(content(reads.get(0)))
                .as("a read pushes the writes before it")
                .isEqualTo(new byte[] {1, 1, 1, 1});
        assertThat(content(reads.get(1))).as("no order between two devices").isEqualTo(new byte[4]);
    }

    /** Public fault 23, exablaze-oss/exanic-software pull request 44: a reader was lapped while it copied; packets become visible in order, each as a whole. */
    @Test
    void chunksBecomeVisibleInOrderAndNotInPart() {
        Rig rig = new Rig(SimSpec.of(1), PcieLinkSpec.of(3, 8).withSizes(128, 128));
        long ring = rig.real.address();
        byte[] first = new byte[1024];
        java.util.Arrays.fill(first, (byte) 1);
        byte[] second = new byte[1024];
        java.util.Arrays.fill(second, (byte) 2);
        rig.write(1, ring, first);
        rig.write(2, ring, second);
        int lapped = 0;
        for (long t = 10_000; t < 3 * US; t += 3_000) {
            rig.sim.run(t);
            byte[] now = new byte[1024];
            rig.host.memory().getBytes(ring, now, 0, 1024);
            for (int c = 0; c < 1024; c += 128) {
                for (int i = 1; i < 128; i++) {
                    assertThat(now[c + i]).as("inside a chunk").isEqualTo(now[c]);
                }
                assertThat(c == 0 || now[c] <= now[c - 1])
                        .as("an earlier chunk is never older")
                        .isTrue();
            }
            lapped += now[0] == 2 && now[1023] == 1 ? 1 : 0;
        }
        assertThat(lapped).as("a reader can meet two generations, and can tell").isPositive();
    }

    /** gem5/gem5 issue 2570: two devices claimed the same addresses. */
    @Test
    void twoWindowsAtOnePlaceAreRefused() {
        Rig rig = new Rig(SimSpec.of(1), PcieLinkSpec.of(3, 8));
        assertThatThrownBy(() -> rig.host.assign(rig.port, 0, rig.real.address() & -Rig.WINDOW))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("overlaps memory");
    }
}
