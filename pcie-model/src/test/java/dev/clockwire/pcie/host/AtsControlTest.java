package dev.clockwire.pcie.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.pcie.config.BarSpec;
import dev.clockwire.pcie.config.ConfigSpace;
import dev.clockwire.pcie.config.ConfigSpec;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.pcie.endpoint.PcieEndpoint;
import dev.clockwire.pcie.iommu.AtsSpec;
import dev.clockwire.pcie.iommu.HugePages;
import dev.clockwire.pcie.iommu.IommuSpec;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.pcie.tlp.TlpHeader;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the host's registers say to a device that keeps translations: the article's COMMAND=0x0100 while some wait, and the smallest unit. */
@SuppressWarnings("NullAway.Init") // by build
class AtsControlTest {
    private static final PcieLinkSpec LINK = PcieLinkSpec.of(4, 16);
    private static final int ARTICLE = 0x0100;
    private static final int NORMAL = 0x0106;
    private static final int CONTROL = ConfigSpace.ATS + 4;
    private static final int ENABLE = 1 << 31;
    private static final long LARGE = 2 << 20;
    /** A translation takes half a microsecond here. */
    private static final long LONG = 20_000_000;
    /** What the transmitter has already leaves as it is. */
    private static final long ON_THE_LINK = 5_000;

    private Sim sim;
    private Host host;
    private PcieEndpoint endpoint;
    private Rig.Device device;
    private ConfigSpace space;
    private Allocation memory;
    private Allocation bulk;
    private final List<String> packets = new ArrayList<>();
    private final List<Long> asked = new ArrayList<>();

    private void build(KernelMode mode) {
        build(mode, HugePages.NEVER);
    }

    private void build(KernelMode mode, HugePages pages) {
        sim = new Sim(SimSpec.of(1).withMode(mode));
        HostSpec spec = HostSpec.server().withDepth(HostDepth.NONE.withIommu(IommuSpec.xeon(), pages));
        host = new Host(sim.root(), "host0", spec, CpuSpec.server(), PayloadMode.BYTES);
        endpoint = new PcieEndpoint(sim.root(), "nic0", LINK, 0x100);
        device = new Rig.Device(sim.root());
        BarSpec bar = new BarSpec(0, 1 << 16, false);
        endpoint.window(bar, new Rig.Stores(sim.root()).inlet, null, 30_000);
        endpoint.translate(new AtsSpec(64, 4), at -> false);
        space = endpoint.configure(
                new ConfigSpec(0x15b3, 0x1021, 1, 0x020000, 0, List.of(bar), 64, 0, 0, 0x8000, 512, LINK));
        host.attach(endpoint, 0);
        memory = host.memory().allocate("real", 1 << 16, Allocation.Kind.REAL, 4096);
        bulk = host.memory().allocate("bulk", 16 << 20, Allocation.Kind.BULK, 4 << 20);
        packets.clear();
        asked.clear();
        endpoint.transmitter().tap((ps, up, h, data, offset, n) -> {
            packets.add(h.type.label() + h.addressType);
            if (h.addressType == TlpHeader.AT_REQUEST) {
                asked.add(h.address);
            }
        });
    }

    private DmaWrite write(long at, long address, int value) {
        DmaWrite w = new DmaWrite();
        w.address = address;
        w.length = 1;
        w.data.appendBytes(new byte[] {(byte) value}, 0, 1);
        w.donePort = device.back;
        endpoint.writePort().send(at, 0, 0, 0, w);
        return w;
    }

    private DmaRead read(long at, long address) {
        DmaRead r = new DmaRead();
        r.address = address;
        r.length = 8;
        r.window = 16;
        r.replyPort = device.back;
        endpoint.readPort().send(at, 0, 0, 0, r);
        return r;
    }

    private void command(int value) {
        space.write(ConfigSpace.COMMAND, value, 0b0011);
    }

    @ParameterizedTest
    @ValueSource(longs = {1_000, 100_000, 300_000, 600_000, 700_000})
    void whatWaitsForATranslationStaysWhenTheHostForbidsRequests(long after) {
        for (KernelMode mode : KernelMode.values()) {
            build(mode);
            DmaWrite first = write(1, memory.address(), 1);
            DmaWrite second = write(2, memory.address() + 4096, 2);
            DmaRead third = read(3, memory.address());
            sim.run(after);
            command(ARTICLE);
            sim.run(sim.now() + ON_THE_LINK);
            int left = packets.size();
            DmaWrite fourth = write(sim.now() + 1, memory.address(), 4);
            sim.run(sim.now() + LONG);
            assertThat(packets).as("after %d ps", after).hasSize(left);
            command(NORMAL);
            sim.run(sim.now() + LONG);
            assertThat(device.done).containsExactlyInAnyOrder(first, second, third, fourth);
            assertThat(third.into.byteAt(0))
                    .as("the read is behind the first write")
                    .isIn((byte) 1, (byte) 4);
            assertThat(host.memory().getByte(memory.address())).isEqualTo((byte) 4);
            assertThat(host.memory().getByte(memory.address() + 4096)).isEqualTo((byte) 2);
        }
    }

    /** Translation is switched off while nothing may leave: what waited leaves untranslated, still in order. */
    @ParameterizedTest
    @ValueSource(longs = {1_000, 300_000, 700_000})
    void translationThatEndsMeanwhileLetsNothingLeave(long after) {
        build(KernelMode.ACTIVITY);
        write(1, memory.address(), 1);
        write(2, memory.address() + 8192, 2);
        sim.run(after);
        command(ARTICLE);
        sim.run(sim.now() + ON_THE_LINK);
        int left = packets.size();
        space.write(CONTROL, 0, 0b1111);
        write(sim.now() + 1, memory.address(), 3);
        sim.run(sim.now() + LONG);
        assertThat(packets).hasSize(left);
        command(NORMAL);
        sim.run(sim.now() + LONG);
        assertThat(device.done).hasSize(3);
        assertThat(packets).endsWith("MWr0");
        assertThat(host.memory().getByte(memory.address())).isEqualTo((byte) 3);
    }

    private void unit(int stu) {
        space.write(CONTROL, ENABLE | stu << 16, 0b1111);
    }

    private void done(DmaRead r) {
        sim.run(sim.now() + LONG);
        assertThat(r.status).isEqualTo(CompletionStatus.SC);
        assertThat(r.into.length()).isEqualTo(8);
    }

    /** STU 9: whole units of 2 MB are asked for, and a page of that size answers. */
    @ParameterizedTest
    @EnumSource
    void theSmallestUnitIsWhatIsAskedFor(KernelMode mode) {
        build(mode, HugePages.POOL_2M);
        unit(9);
        for (int i = 0; i < 3; i++) {
            done(read(sim.now() + 1, bulk.address() + i * LARGE / 2 + 0x12_3458));
        }
        assertThat(asked).containsExactly(bulk.address(), bulk.address() + LARGE);
        assertThat(packets).containsExactly("MRd1", "MRd2", "MRd1", "MRd2", "MRd2");
        unit(0);
        done(read(sim.now() + 1, bulk.address() + 3 * LARGE + 0x12_3458));
        assertThat(asked).endsWith(bulk.address() + 3 * LARGE + 0x12_3000);
    }

    /** A host that sets 8 KB and answers with pages of 4 KB breaks its own rule: nothing of it is used. */
    @ParameterizedTest
    @ValueSource(ints = {1, 9, 31})
    void aTranslationBelowTheSmallestUnitIsNotUsed(int stu) {
        build(KernelMode.ACTIVITY);
        unit(stu);
        done(read(1, memory.address() + 4096));
        DmaWrite w = write(sim.now() + 1, memory.address() + 4096, 3);
        sim.run(sim.now() + LONG);
        assertThat(device.done).contains(w);
        assertThat(packets).containsExactly("MRd1", "MRd0", "MRd1", "MWr0");
        assertThat(asked).containsOnly(memory.address() + 4096 & -4096L << stu);
        assertThat(host.memory().getByte(memory.address() + 4096)).isEqualTo((byte) 3);
    }

    /** The unit changes while translations are on their way: all that waits comes through, by the unit that holds then. */
    @ParameterizedTest
    @ValueSource(longs = {1_000, 100_000, 300_000, 500_000, 700_000, 900_000})
    void aUnitThatChangesWhileSomethingWaitsLeavesNothingBehind(long after) {
        for (int from : new int[] {0, 1, 9, 10}) {
            for (int to : new int[] {0, 1, 9, 10}) {
                build(KernelMode.ACTIVITY, HugePages.POOL_2M);
                unit(from);
                DmaRead first = read(1, bulk.address());
                DmaWrite second = write(2, bulk.address() + 4096, 1);
                sim.run(after);
                unit(to);
                DmaRead third = read(sim.now() + 1, bulk.address() + 3 * 4096);
                DmaRead fourth = read(sim.now() + 2, bulk.address() + 4096);
                sim.run(sim.now() + LONG);
                assertThat(device.done)
                        .as("unit %d to %d after %d ps", from, to, after)
                        .containsExactlyInAnyOrder(first, second, third, fourth);
            }
        }
    }
}
