package dev.clockwire.storage.peer;

import static dev.clockwire.storage.peer.PeerRig.ALL;
import static dev.clockwire.storage.peer.PeerRig.BYTES;
import static dev.clockwire.storage.peer.PeerRig.US;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nvme.driver.NvmeDriver;
import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.DmaBuf;
import dev.clockwire.roce.verbs.Errno;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.sim.trace.JourneyIndex;
import dev.clockwire.sim.trace.JourneyLog;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeerMemoryTest {
    private static byte[] random(int n, int seed) {
        byte[] b = new byte[n];
        new Random(seed).nextBytes(b);
        return b;
    }

    private static byte[] read(PeerRig r, long va, int n) {
        byte[] b = new byte[n];
        r.lab.a().host().memory().getBytes(va, b, 0, n);
        return b;
    }

    /** Writes bytes to 40 and reads them back, which must be right; returns them. */
    private static byte[] thereAndBack(PeerRig r, int n) {
        long io = r.nearMemory.address();
        byte[] data = random(n, n);
        r.lab.a().host().memory().putBytes(io, data, 0, n);
        assertThat(r.run(WrOpcode.RDMA_WRITE, io, n, 40, r.cmb.rkey())).isEqualTo(WcStatus.SUCCESS);
        assertThat(r.run(WrOpcode.RDMA_READ, io + BYTES, n, 40, r.cmb.rkey())).isEqualTo(WcStatus.SUCCESS);
        assertThat(read(r, io + BYTES, n)).isEqualTo(data);
        return data;
    }

    /** A remote host writes into the SSD and reads back; all bytes pass the switch between devices, none goes to the second host's memory. */
    @Test
    void aRemoteHostWritesAndReadsMemoryOfTheSsd() {
        PeerRig r = new PeerRig();
        long io = r.nearMemory.address();
        int at = 0;
        for (int n : new int[] {1, 7, 64, 333, 4096, 9001, 100_000}) {
            byte[] data = random(n, n);
            r.lab.a().host().memory().putBytes(io, data, 0, n);
            long host = r.hostBytes();
            long peer = Objects.requireNonNull(r.lab.b().pcieSwitch()).peerToPeer();
            long in = r.stat("ssd0.pcie.bar2.written_bytes");
            assertThat(r.run(WrOpcode.RDMA_WRITE, io, n, at, r.cmb.rkey())).isEqualTo(WcStatus.SUCCESS);
            assertThat(r.stat("ssd0.pcie.bar2.written_bytes") - in).isLessThanOrEqualTo(n);
            long out = r.stat("ssd0.pcie.bar2.read_bytes");
            assertThat(r.run(WrOpcode.RDMA_READ, io + BYTES, n, at, r.cmb.rkey()))
                    .isEqualTo(WcStatus.SUCCESS);
            assertThat(r.stat("ssd0.pcie.bar2.written_bytes") - in).isEqualTo(n);
            assertThat(r.stat("ssd0.pcie.bar2.read_bytes") - out).isEqualTo(n);
            assertThat(read(r, io + BYTES, n)).isEqualTo(data);
            assertThat(r.content(at, n)).isEqualTo(data);
            assertThat(r.hostBytes()).as("bytes to or from memory of the host").isEqualTo(host);
            // writes and completions of up to 256 bytes, reads of up to 512
            assertThat(Objects.requireNonNull(r.lab.b().pcieSwitch()).peerToPeer() - peer)
                    .isGreaterThanOrEqualTo(2L * ((n + 255) / 256) + (n + 511) / 512);
            at += n;
        }
    }

    @Test
    void atomicsAndLocalSendsReachItToo() {
        PeerRig r = new PeerRig();
        long io = r.nearMemory.address();
        r.lab.a().host().memory().putLong(io, 37);
        r.run(WrOpcode.RDMA_WRITE, io, 8, 512, r.cmb.rkey());
        assertThat(r.run(WrOpcode.ATOMIC_FETCH_AND_ADD, io + 64, 8, 512, r.cmb.rkey()))
                .isEqualTo(WcStatus.SUCCESS);
        assertThat(r.lab.a().host().memory().getLong(io + 64)).isEqualTo(37);
        r.lab.sim().run(r.lab.sim().now() + 5 * US);
        assertThat(r.content(512, 8)).startsWith(42, 0);
        // the host with the SSD sends from there without touching the data
        byte[] data = random(5000, 1);
        r.lab.a().host().memory().putBytes(io, data, 0, 5000);
        r.run(WrOpcode.RDMA_WRITE, io, 5000, 8192, r.cmb.rkey());
        WcStatus status =
                r.run(r.far, r.farCq, WrOpcode.RDMA_WRITE, 8192, r.cmb.lkey(), 5000, io + BYTES, r.nearMemory.rkey());
        assertThat(status).isEqualTo(WcStatus.SUCCESS);
        r.lab.sim().run(r.lab.sim().now() + 5 * US);
        assertThat(read(r, io + BYTES, 5000)).isEqualTo(data);
    }

    /** From the first host to the medium and back: RDMA into the SSD's memory, an NVMe command moves it on inside the SSD. */
    @Test
    void remoteDataGoOnToTheMedium() {
        PeerRig r = new PeerRig();
        NvmeDriver driver = new NvmeDriver(r.setup(), r.ssds.get(0).endpoint().barAddress(0), 1);
        List<Integer> ends = new ArrayList<>();
        r.setup().run(c -> {
            boolean moved = driver.poll();
            if (driver.stage().compareTo(NvmeDriver.Stage.IDENTIFY) >= 0) {
                if (moved) {
                    c.wake();
                } else {
                    c.idle(Objects.requireNonNull(driver.admin()).next(), CqEntry.BYTES);
                }
            }
        });
        assertThat(r.lab.sim().runUntil(() -> driver.stage() == NvmeDriver.Stage.READY, 10_000_000 * US))
                .isTrue();
        byte[] data = random(16_384, 3);
        long io = r.nearMemory.address();
        r.lab.a().host().memory().putBytes(io, data, 0, data.length);
        r.run(WrOpcode.RDMA_WRITE, io, data.length, 4096, r.cmb.rkey());
        List<Integer> made = new ArrayList<>();
        var pair = driver.createQueuePair(32, false, (tag, status, result) -> ends.add(status), made::add);
        r.setup().wakeFrom(r.setup().now() + 1);
        assertThat(r.lab.sim().runUntil(() -> !made.isEmpty(), r.lab.sim().now() + 1000 * US))
                .isTrue();
        pair.transfer(Opcodes.WRITE, 1, 100, 32, r.window + 4096, data.length, 0);
        r.lab.sim().run(r.lab.sim().now() + 50 * US);
        assertThat(pair.poll(4)).isEqualTo(1);
        pair.transfer(Opcodes.READ, 1, 100, 32, r.window + (1 << 16), data.length, 1);
        r.lab.sim().run(r.lab.sim().now() + 50 * US);
        assertThat(pair.poll(4)).isEqualTo(1);
        assertThat(ends).containsExactly(0, 0);
        Payload p = new Payload();
        r.stores.get(0).read(100, 32, p);
        byte[] stored = new byte[data.length];
        p.copyTo(0, stored, 0, stored.length);
        assertThat(stored).isEqualTo(data);
        r.run(WrOpcode.RDMA_READ, io + BYTES, data.length, 1 << 16, r.cmb.rkey());
        assertThat(read(r, io + BYTES, data.length)).isEqualTo(data);
    }

    /** NIC and SSD at root ports of their own: the root complex passes their packets on, and its memory still sees nothing. */
    @Test
    void theRootComplexMayPassItOn() {
        Profile p = PeerRig.hardware().with("pcie.switch", "none").with("host.peer_ns", "150");
        for (KernelMode mode : KernelMode.values()) {
            PeerRig r = new PeerRig(p, mode, PayloadMode.BYTES);
            byte[] data = thereAndBack(r, 20_000);
            assertThat(r.content(40, data.length)).isEqualTo(data);
            assertThat(r.stat("host1.root.port0.peer")).isGreaterThan(data.length / 256);
            assertThat(r.stat("host1.root.port1.peer")).isGreaterThan(data.length / 256);
        }
    }

    /** The last stage of a followed WRITE ends when its last packet is in the SSD's memory: four lines of 4 ns, and 20 ns. */
    @Test
    void aFollowedWriteEndsInMemoryOfTheSsd() {
        PeerRig r = new PeerRig();
        JourneyLog log = Objects.requireNonNull(r.lab.sim().journeys());
        log.clear();
        assertThat(r.run(WrOpcode.RDMA_WRITE, r.nearMemory.address(), 256, 0, r.cmb.rkey()))
                .isEqualTo(WcStatus.SUCCESS);
        r.lab.sim().run(r.lab.sim().now() + 5 * US);
        List<Long> lengths = new ArrayList<>();
        for (JourneyIndex.Stamp s : new JourneyIndex(log).stamps()) {
            if (r.lab.sim().stages().name(s.stage()).equals("rx_dma")) {
                lengths.add(s.out() - s.in());
            }
        }
        assertThat(lengths).containsExactly(4 * 4_000L + 20_000);
    }

    private static String times(KernelMode mode, PayloadMode payload) {
        PeerRig r = new PeerRig(PeerRig.hardware(), mode, payload);
        StringBuilder all = new StringBuilder();
        long io = r.nearMemory.address();
        for (int n : new int[] {512, 4096, 20_000}) {
            r.lab.a().host().memory().fill(io, n, 7, n);
            all.append(r.run(WrOpcode.RDMA_WRITE, io, n, 3L * n, r.cmb.rkey()))
                    .append(r.lab.sim().now())
                    .append(' ');
            all.append(r.run(WrOpcode.RDMA_READ, io + BYTES, n, 3L * n, r.cmb.rkey()))
                    .append(r.lab.sim().now())
                    .append(' ');
        }
        return all.append(r.lab.sim().traceHash()).toString();
    }

    @Test
    void allModesTakeTheSameTimes() {
        String quick = times(KernelMode.ACTIVITY, PayloadMode.BYTES);
        assertThat(times(KernelMode.EXHAUSTIVE, PayloadMode.BYTES)).isEqualTo(quick);
        assertThat(times(KernelMode.ACTIVITY, PayloadMode.SIZES)).isEqualTo(quick);
    }

    /**
     * With an IOMMU, and with translations of the NIC's own, the host knows nothing of the peer: requests leave untranslated, and arrive. Caches of
     * translation entries treat the region as any other.
     */
    @ParameterizedTest
    @CsvSource({
        "host.iommu.enabled, pcie.ats, false",
        "host.iommu.enabled, pcie.ats, true",
        "nic.cache.mtt_entries, nic.cache.mpt_entries, 16"
    })
    void whatTranslatesIsNotInTheWay(String first, String second, String value) {
        Profile p = PeerRig.hardware().with(second, value).with(first, value.equals("false") ? "true" : value);
        PeerRig r = new PeerRig(p, KernelMode.ACTIVITY, PayloadMode.BYTES);
        assertThat(thereAndBack(r, 200_000)).hasSize(200_000);
    }

    private static void refused(PeerRig r, DmaBuf memory, long offset, long length, Errno why, String text) {
        assertThatThrownBy(() -> r.lab.await(r.farPd.regDmabufMr(memory, offset, length, 0, ALL)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining(why + ": ")
                .hasMessageContaining(text);
    }

    @Test
    void whatCannotBeRegisteredIsRefused() {
        PeerRig r = new PeerRig();
        DmaBuf cmb = new DmaBuf("ssd0.cmb", r.window, BYTES);
        refused(r, cmb, 1, BYTES, Errno.EINVAL, "length");
        refused(r, cmb, BYTES + 1, 1, Errno.EINVAL, "offset");
        refused(
                r,
                new DmaBuf("longer", r.window, 2 * BYTES),
                0,
                2 * BYTES,
                Errno.EOPNOTSUPP,
                "mlx5_0 has no way to longer");
        long own = r.lab.b().nic().endpoint().barAddress(0);
        refused(r, new DmaBuf("itself", own, 4096), 0, 4096, Errno.EOPNOTSUPP, "behind one PCIe switch");
        assertThatThrownBy(() -> r.farPd.regDmabufMr(cmb, 0, 64, 0, EnumSet.of(AccessFlag.REMOTE_WRITE)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("need LOCAL_WRITE");
        assertThatThrownBy(() -> new DmaBuf("none", 0, 0)).hasMessageContaining("0 bytes");
        // what failed holds nothing
        r.lab.await(r.farPd.regDmabufMr(cmb, 64, 64, 0x1000, ALL)).close();
    }

    /** The first host's NIC is at a root port, and root ports pass nothing on; a software device has no DMA at all. */
    @Test
    void otherDevicesSayWhyNot() {
        DmaBuf cmb = new DmaBuf("ssd0.cmb", 0x2000_0000_0000L, BYTES);
        Lab direct = Lab.twoHosts(PeerRig.hardware().with("pcie.switch", "none"), LabSpec.of(1));
        Lab soft = Lab.twoHosts(PeerRig.hardware(), LabSpec.of(1).withSoft(SoftSpec.usual()));
        for (Lab lab : List.of(direct, soft)) {
            ProtectionDomain pd = lab.await(lab.a().context().allocPd());
            Completion<MemoryRegion> done = pd.regDmabufMr(cmb, 0, BYTES, 0, ALL);
            String why =
                    lab == soft ? "moves data with its host's core" : "behind one PCIe switch, or host.peer_ns above 0";
            assertThatThrownBy(() -> lab.await(done))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("reg_dmabuf_mr: EOPNOTSUPP: ")
                    .hasMessageContaining(why);
            assertThat(lab.await(pd.dealloc())).isSameAs(pd);
        }
    }

    /** The region's rights and bounds are checked as those of any other; a window that is shut answers reads with an error. */
    @Test
    void wrongAccessesEndAsErrors() {
        PeerRig r = new PeerRig();
        long io = r.nearMemory.address();
        assertThat(r.run(WrOpcode.RDMA_WRITE, io, 64, BYTES - 63, r.cmb.rkey())).isEqualTo(WcStatus.REM_ACCESS_ERR);
        PeerRig other = new PeerRig();
        long pmr = other.ssds.get(0).endpoint().barAddress(4);
        MemoryRegion region =
                other.lab.await(other.farPd.regDmabufMr(new DmaBuf("ssd0.pmr", pmr, BYTES), 0, BYTES, 0, ALL));
        assertThat(other.run(WrOpcode.RDMA_READ, other.nearMemory.address(), 64, 0, region.rkey()))
                .isEqualTo(WcStatus.REM_OP_ERR);
    }

    /** The persistent memory region is a target too, once it is open: what a remote host has put there is there after a reset. */
    @Test
    void remoteDataSurviveAReset() {
        PeerRig r = new PeerRig();
        long bar = r.ssds.get(0).endpoint().barAddress(0);
        r.setup().mmioWrite(bar + 0xE04, 1, 4);
        r.lab.sim().run(r.lab.sim().now() + 2000 * US);
        DmaBuf pmr = new DmaBuf("ssd0.pmr", r.ssds.get(0).endpoint().barAddress(4), BYTES);
        MemoryRegion region = r.lab.await(r.farPd.regDmabufMr(pmr, 0, BYTES, 0, ALL));
        long io = r.nearMemory.address();
        byte[] data = random(3000, 9);
        r.lab.a().host().memory().putBytes(io, data, 0, data.length);
        assertThat(r.run(WrOpcode.RDMA_WRITE, io, data.length, 100, region.rkey()))
                .isEqualTo(WcStatus.SUCCESS);
        // a read of the region pushes what was written into it: PMRCAP.PMRWBM
        assertThat(r.run(WrOpcode.RDMA_READ, io + BYTES, 1, 100, region.rkey())).isEqualTo(WcStatus.SUCCESS);
        r.setup().mmioWrite(bar + 0x20, 0x4E56_4D65, 4);
        r.lab.sim().run(r.lab.sim().now() + 2000 * US);
        r.setup().mmioWrite(bar + 0xE04, 1, 4);
        r.lab.sim().run(r.lab.sim().now() + 2000 * US);
        assertThat(r.run(WrOpcode.RDMA_READ, io + BYTES, data.length, 100, region.rkey()))
                .isEqualTo(WcStatus.SUCCESS);
        assertThat(read(r, io + BYTES, data.length)).isEqualTo(data);
    }
}
