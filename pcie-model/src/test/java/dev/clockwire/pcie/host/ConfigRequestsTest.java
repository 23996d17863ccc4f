package dev.clockwire.pcie.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.pcie.config.BarSpec;
import dev.clockwire.pcie.config.ConfigSpace;
import dev.clockwire.pcie.config.ConfigSpec;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.pcie.endpoint.PcieEndpoint;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.pcie.tlp.TlpHeader;
import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Configuration requests on the link, and what a device does that was told not to. */
class ConfigRequestsTest {
    private static final PcieLinkSpec LINK = PcieLinkSpec.of(4, 16);
    private static final int COMMAND = ConfigSpace.COMMAND;
    private static final int ARTICLE = 0x0100;
    private static final int NORMAL = 0x0106;

    private final Sim sim = new Sim(SimSpec.of(1));
    private final Host host = new Host(sim.root(), "host0", HostSpec.server(), CpuSpec.server(), PayloadMode.BYTES);
    private final CpuCore core = host.addCore();
    private final PcieEndpoint endpoint = new PcieEndpoint(sim.root(), "nic0", LINK, 0x100);
    private final Rig.Device device = new Rig.Device(sim.root());
    private final Rig.Stores stores = new Rig.Stores(sim.root());
    private final List<String> packets = new ArrayList<>();
    private final RootPort port;
    private final ConfigSpace space;
    private final Allocation memory;

    ConfigRequestsTest() {
        BarSpec bar = new BarSpec(0, 1 << 16, false);
        endpoint.window(bar, stores.inlet, (number, offset, n) -> 0x1122_3344_5566_7788L + offset, 30_000);
        space = endpoint.configure(
                new ConfigSpec(0x15b3, 0x1021, 1, 0x020000, 0, List.of(bar), 64, 0, 0, 0x8000, 512, LINK));
        port = host.attach(endpoint, 0);
        memory = host.memory().allocate("real", 1 << 16, Allocation.Kind.REAL, 4096);
        endpoint.transmitter().tap((ps, up, h, data, offset, n) -> packets.add(text(h)));
    }

    private static String text(TlpHeader h) {
        if (h.type.isCompletion()) {
            return h.type.label() + " " + h.status + " len=" + h.lengthDw + " bc=" + h.byteCount + " lower="
                    + h.lowerAddress + " from=" + Integer.toHexString(h.completerId) + " to=" + h.requesterId + " tag="
                    + h.tag;
        }
        return h.type.label();
    }

    private void settle() {
        sim.run(sim.now() + 5_000_000);
    }

    private void setpci(int at, int size, int value) {
        port.config().write(at, size, value);
        assertThat(sim.runUntil(() -> !port.config().busy(), sim.now() + 10_000_000))
                .isTrue();
    }

    private long lspci(int at, int size) {
        port.config().read(at, size);
        assertThat(sim.runUntil(() -> !port.config().busy(), sim.now() + 10_000_000))
                .isTrue();
        return port.config().value();
    }

    private DmaWrite write(long address) {
        DmaWrite w = new DmaWrite();
        w.address = address;
        w.length = 4;
        w.data.appendBytes(new byte[] {1, 2, 3, 4}, 0, 4);
        endpoint.writePort().send(sim.now() + 1, 0, 0, 0, w);
        return w;
    }

    private DmaRead read(long address, int length) {
        DmaRead r = new DmaRead();
        r.address = address;
        r.length = length;
        r.window = 16;
        r.replyPort = device.back;
        endpoint.readPort().send(sim.now() + 1, 0, 0, 0, r);
        return r;
    }

    @Test
    void requestsAndTheirCompletionsAreExact() {
        List<TlpHeader> down = new ArrayList<>();
        port.transmitter().tap((ps, up, h, data, offset, n) -> {
            TlpHeader copy = new TlpHeader();
            copy.type = h.type;
            copy.firstBe = h.firstBe;
            copy.lastBe = h.lastBe;
            copy.lengthDw = h.lengthDw;
            copy.address = h.address;
            copy.completerId = h.completerId;
            copy.fourDw = h.fourDw;
            down.add(copy);
        });
        assertThat(lspci(0x02, 2)).isEqualTo(0x1021);
        assertThat(lspci(0x08, 1)).isEqualTo(1);
        setpci(COMMAND, 2, NORMAL);
        assertThat(port.config().status()).isEqualTo(CompletionStatus.SC);
        assertThat(packets)
                .containsExactly(
                        "CplD SC len=1 bc=4 lower=0 from=100 to=0 tag=255",
                        "CplD SC len=1 bc=4 lower=0 from=100 to=0 tag=255",
                        "Cpl SC len=0 bc=4 lower=0 from=100 to=0 tag=255");
        assertThat(down).extracting(h -> h.type).containsExactly(TlpType.CFGRD0, TlpType.CFGRD0, TlpType.CFGWR0);
        assertThat(down).extracting(h -> h.firstBe).containsExactly(0b1100, 0b0001, 0b0011);
        assertThat(down).allMatch(h -> h.lengthDw == 1 && h.lastBe == 0 && !h.fourDw && h.completerId == 0x100);
        assertThat(down).extracting(h -> h.address).containsExactly(0L, 8L, 4L);
    }

    /** A public fault: wrong length, byte count or lower address. */
    @Test
    void completionsOfMmioReadsAreExact() {
        long bar = port.barAddress(0);
        core.mmioRead(bar + 0x1000, 4);
        settle();
        core.mmioRead(bar + 3, 1);
        settle();
        assertThat(core.loaded()).isEqualTo(0x8B);
        port.load(sim.now(), bar, 0, 0);
        settle();
        core.mmioRead(bar + 0x7C, 8);
        settle();
        assertThat(packets)
                .containsExactly(
                        "CplD SC len=1 bc=4 lower=0 from=100 to=0 tag=0",
                        "CplD SC len=1 bc=1 lower=3 from=100 to=0 tag=0",
                        "CplD SC len=1 bc=1 lower=0 from=100 to=0 tag=0",
                        "CplD SC len=2 bc=8 lower=124 from=100 to=0 tag=0");
    }

    @Test
    void withMemoryOffMmioIsUnsupported() {
        setpci(COMMAND, 2, ARTICLE);
        packets.clear();
        core.mmioWrite(port.barAddress(0) + 0x40, 7, 4);
        core.mmioRead(port.barAddress(0), 4);
        settle();
        assertThat(core.loaded()).isEqualTo(-1);
        assertThat(stores.taken).isEmpty();
        assertThat(packets).containsExactlyInAnyOrder("Msg", "Cpl UR len=0 bc=4 lower=0 from=100 to=0 tag=0");
        assertThat(port.errors().nonFatal()).as("SERR# is on").isEqualTo(1);
        assertThat(endpoint.unsupportedRequests()).isEqualTo(2);
        assertThat(lspci(0x104, 4)).isEqualTo(1 << 20);
        assertThat(lspci(0x6A, 2) & 0xF)
                .as("correctable, not fatal, unsupported")
                .isEqualTo(0b1011);
        assertThat(lspci(0x124, 4)).as("address of the store").isEqualTo(port.barAddress(0) >>> 32);
        assertThat(space.errors().messages()).as("for the store").isEqualTo(1);
        setpci(COMMAND, 2, NORMAL);
        core.mmioWrite(port.barAddress(0) + 0x40, 7, 4);
        settle();
        assertThat(stores.taken).hasSize(1);
    }

    @Test
    void withoutBusMasteringNothingLeavesButWhatIsOwed() {
        setpci(COMMAND, 2, 0x0102);
        packets.clear();
        DmaRead r = read(memory.address(), 2000);
        write(memory.address() + 0x100);
        write(memory.address() + 0x200);
        core.mmioRead(port.barAddress(0), 4);
        settle();
        assertThat(packets).containsExactly("CplD SC len=1 bc=4 lower=0 from=100 to=0 tag=0");
        assertThat(device.done).isEmpty();
        setpci(COMMAND, 2, NORMAL);
        settle();
        assertThat(packets.stream().filter("MRd"::equals)).hasSize(4);
        assertThat(packets.stream().filter("MWr"::equals)).hasSize(2);
        assertThat(device.done).containsExactly(r);
        assertThat(r.into.length()).isEqualTo(2000);
        assertThat(host.memory().getByte(memory.address() + 0x203)).isEqualTo((byte) 4);
    }

    @Test
    void aLongReadStopsInTheMiddleAndGoesOn() {
        DmaRead r = new DmaRead();
        r.address = memory.address();
        r.length = 16_384;
        r.window = 1;
        r.replyPort = device.back;
        endpoint.readPort().send(sim.now() + 1, 0, 0, 0, r);
        sim.run(sim.now() + 2_000_000);
        setpci(COMMAND, 2, ARTICLE);
        settle();
        int before = (int) packets.stream().filter("MRd"::equals).count();
        assertThat(before).isBetween(2, 30);
        assertThat(endpoint.readsOutstanding()).isZero();
        settle();
        assertThat(packets.stream().filter("MRd"::equals)).hasSize(before);
        setpci(COMMAND, 2, NORMAL);
        sim.run(sim.now() + 50_000_000);
        assertThat(device.done).containsExactly(r);
        assertThat(packets.stream().filter("MRd"::equals)).hasSize(32);
    }

    @Test
    void readRequestSizeFollowsDeviceControl() {
        setpci(0x68, 2, ((int) lspci(0x68, 2) & ~0x7000) | (3 << 12));
        packets.clear();
        read(memory.address(), 4096);
        settle();
        assertThat(packets.stream().filter("MRd"::equals)).as("1024 B each").hasSize(4);
    }

    @Test
    void aRefusedRequestOfTheDeviceShowsInTheStatus() {
        setpci(0x44, 1, 3);
        assertThat(space.masters()).as("no requests in D3").isFalse();
        core.mmioRead(port.barAddress(0), 4);
        settle();
        assertThat(core.loaded()).isEqualTo(-1);
        setpci(0x44, 1, 0);
        core.mmioRead(port.barAddress(0), 4);
        settle();
        assertThat(core.loaded()).isEqualTo(0x5566_7788L);
    }

    @Test
    void aWindowMovesWithItsRegister() {
        setpci(0x10, 4, 0x9000_0000);
        setpci(0x14, 4, 0);
        core.mmioRead(port.barAddress(0), 4);
        settle();
        assertThat(core.loaded())
                .as("the bridge still sends it, the device is not there")
                .isEqualTo(-1);
        host.assign(port, 0, 0x8000_0000L);
        core.mmioRead(0x8000_0000L, 4);
        settle();
        assertThat(core.loaded()).isEqualTo(0x5566_7788L);
    }

    /** A public fault: two devices claim one range. */
    @Test
    void windowsMustNotOverlap() {
        PcieEndpoint second = new PcieEndpoint(sim.root(), "nic1", LINK, 0x200);
        second.window(new BarSpec(0, 1 << 20, false), stores.inlet, null, 1);
        RootPort other = host.attach(second, 1);
        long taken = port.barAddress(0) & -(1L << 20);
        assertThatThrownBy(() -> host.assign(other, 0, taken))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("overlaps window 0 of device 256");
        assertThatThrownBy(() -> host.assign(other, 0, 0x8000_1000L)).hasMessageContaining("multiple of its size");
        assertThatThrownBy(() -> host.assign(other, 0, memory.address() & -(1L << 20)))
                .hasMessageContaining("overlaps memory");
        host.assign(other, 0, 0x8000_0000L);
        assertThat(other.barAddress(0)).isEqualTo(0x8000_0000L);
    }

    @Test
    void accessesThatHardwareCannotMakeAreRefused() {
        assertThatThrownBy(() -> port.config().read(2, 4)).hasMessageContaining("must be 1, 2 or 4, aligned");
        assertThatThrownBy(() -> port.config().read(0x1000, 4)).hasMessageContaining("below 0x1000");
        port.config().read(0, 4);
        assertThatThrownBy(() -> port.config().read(0, 4)).hasMessageContaining("no answer yet");
    }

    @Test
    void aDeviceWithoutConfigurationSpaceAnswersUnsupported() {
        PcieEndpoint bare = new PcieEndpoint(sim.root(), "bare", LINK, 0x300);
        RootPort to = host.attach(bare, 0);
        to.config().read(0, 4);
        sim.runUntil(() -> !to.config().busy(), sim.now() + 10_000_000);
        assertThat(to.config().status()).isEqualTo(CompletionStatus.UR);
        assertThat(to.config().value()).isEqualTo(0xFFFF_FFFFL);
    }
}
