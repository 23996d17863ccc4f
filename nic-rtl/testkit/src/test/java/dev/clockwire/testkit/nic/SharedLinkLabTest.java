package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.lab.SharedLinkLab;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nic.regs.NicRegisters;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.testkit.Modes;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two NICs behind one PCIe link: they share it, nobody sees the mode of the kernel, and they reach each other behind the host's back. */
class SharedLinkLabTest {
    private static final int BYTES = 65_536;
    private static final int DEPTH = 16;

    /** A PCIe link of 63 Gb/s for two lines of 100 Gb/s. */
    private static Profile narrow() {
        return Profiles.named("cx5-100g")
                .with("pcie.generation", "3")
                .with("pcie.lanes", "8")
                .with("pcie.switch", "gen5");
    }

    /** One NIC of the host and what it writes to its peer. */
    private static final class Flow {
        final SharedLinkLab lab;
        final Side sender;
        final Side receiver;
        private final SendBatch batch = new SendBatch(1, 1);
        private final WorkCompletion[] wc = WorkCompletion.array(1);
        int done;

        Flow(SharedLinkLab lab, LabHost from, LabHost to, Allocation.Kind kind) {
            this.lab = lab;
            sender = new Side(lab, from, kind);
            receiver = new Side(lab, to, kind);
            Connections.join(lab, sender.qp, to.gid(), receiver.qp.qpn(), 7, 9, Mtu.MTU_1024);
            Connections.join(lab, receiver.qp, from.gid(), sender.qp.qpn(), 9, 7, Mtu.MTU_1024);
        }

        void write() {
            batch.clear();
            SendEntry e = batch.add();
            e.opcode = WrOpcode.RDMA_WRITE;
            e.flags = SendFlag.SIGNALED.code();
            e.remoteAddress = receiver.memory.address();
            e.rkey = receiver.mr.rkey();
            e.sges().add(sender.memory.address(), BYTES, sender.mr.lkey());
            sender.qp.postSend(batch);
        }

        /** Takes what has completed, and posts as much. */
        void turn() {
            while (sender.cq.poll(wc) == 1) {
                assertThat(wc[0].status).isEqualTo(WcStatus.SUCCESS);
                done++;
                write();
            }
        }
    }

    private static final class Side {
        final Allocation memory;
        final ProtectionDomain pd;
        final CompletionQueue cq;
        final MemoryRegion mr;
        final QueuePair qp;

        Side(SharedLinkLab lab, LabHost host, Allocation.Kind kind) {
            memory = host.host().memory().allocate("data", BYTES, kind, 4096);
            pd = lab.await(host.context().allocPd());
            cq = lab.await(host.context().createCq(64));
            mr = lab.await(pd.regMr(memory.address(), BYTES, rights()));
            qp = lab.await(pd.createQp(QpInit.of(QpType.RC, cq, new QpCapabilities(64, 64, 4, 4, 0))));
        }
    }

    private static EnumSet<AccessFlag> rights() {
        return EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);
    }

    private static List<Flow> flows(SharedLinkLab lab, Allocation.Kind kind) {
        return List.of(
                new Flow(lab, lab.function(0), lab.peer(0), kind), new Flow(lab, lab.function(1), lab.peer(1), kind));
    }

    /** Both write all the time; returns what each has done in the second half of a time. */
    private static int[] share(List<Flow> flows, long ps) {
        SharedLinkLab lab = flows.get(0).lab;
        for (Flow f : flows) {
            for (int i = 0; i < DEPTH; i++) {
                f.write();
            }
        }
        long from = lab.sim().now() + ps;
        int[] before = new int[flows.size()];
        for (long at = lab.sim().now(); at < from + ps; at += 500_000) {
            lab.sim().run(at);
            flows.forEach(Flow::turn);
            for (int i = 0; i < before.length && at < from; i++) {
                before[i] = flows.get(i).done;
            }
        }
        int[] done = new int[before.length];
        for (int i = 0; i < done.length; i++) {
            done[i] = flows.get(i).done - before[i];
        }
        return done;
    }

    /** Read of a Gen3 x8 link at MPS 256: 57.72 Gb/s of payload by formula (pcie-bench's model with exact DLLP cost). */
    @Test
    void twoNicsShareTheLinkInHalves() {
        long ps = 400_000_000L;
        SharedLinkLab both = SharedLinkLab.of(narrow(), LabSpec.of(1));
        int[] shares = share(flows(both, Allocation.Kind.REAL), ps);
        SharedLinkLab one = SharedLinkLab.of(narrow(), LabSpec.of(1));
        int[] alone = share(flows(one, Allocation.Kind.REAL).subList(0, 1), ps);
        double gbps = 8e3 * BYTES / ps;
        assertThat(alone[0] * gbps).isEqualTo(57.0, within(1.5));
        assertThat((shares[0] + shares[1]) * gbps).isEqualTo(57.0, within(1.5));
        assertThat(shares[0]).isBetween(shares[1] - 1, shares[1] + 1);
    }

    @Test
    void theModeOfTheKernelAndThePayloadAreInvisible() {
        String expected = null;
        for (Map.Entry<String, SimSpec> mode : Modes.all(5).entrySet()) {
            String found = trace(LabSpec.of(5).withKernel(mode.getValue()));
            expected = expected == null ? found : expected;
            assertThat(found).as(mode.getKey()).isEqualTo(expected);
        }
        LabSpec full = LabSpec.of(5).withFullHash(true);
        assertThat(trace(full.withPayload(PayloadMode.SIZES))).isEqualTo(trace(full));
        assertThat(trace(full.withJourneys(1 << 16))).isEqualTo(trace(full));
    }

    private static String trace(LabSpec spec) {
        SharedLinkLab lab = SharedLinkLab.of(narrow(), spec);
        int[] done = share(flows(lab, Allocation.Kind.BULK), 60_000_000L);
        assertThat(done[0]).isPositive();
        return done[0] + " " + done[1] + " " + lab.sim().traceHash() + " "
                + lab.pcieSwitch().forwarded();
    }

    /** One NIC writes a register of the other: the host's link sees none of it, and the time is that of two links and the hop. */
    @Test
    void oneNicReachesTheOthersRegistersBehindTheHostsBack() {
        SharedLinkLab lab = SharedLinkLab.of(narrow(), LabSpec.of(1));
        flows(lab, Allocation.Kind.REAL); // the driver has set both up
        lab.sim().run(lab.sim().now() + 10_000_000L);
        long host = lab.pcieSwitch().transmitter().packets();
        DmaWrite w = new DmaWrite();
        w.address = lab.function(1).nic().endpoint().barAddress(NicRegisters.BAR) + NicRegisters.TB_RATE_REG;
        w.length = 4;
        w.data.appendBytes(new byte[] {0x12, 0x34, 0x05, 0}, 0, 4);
        long at = lab.sim().now() + 1;
        lab.function(0).nic().endpoint().writePort().send(at, 0, 0, 0, w);

        NicRegisters seen = lab.function(1).nic().registers();
        assertThat(lab.sim()
                        .runUntil(
                                () -> seen.read(NicRegisters.BAR, NicRegisters.TB_RATE_REG, 4) == 0x053412,
                                at + 1_000_000))
                .isTrue();
        double line = 28.0 / 7.877; // 4 DW header, 4 bytes, framing and LCRC at 8 lanes of 0.9846 GB/s
        assertThat((lab.sim().now() - at) / 1e3).isEqualTo(70 + 115 + 2 * line, within(2.0));
        assertThat(lab.pcieSwitch().peerToPeer()).isEqualTo(1);
        assertThat(lab.pcieSwitch().transmitter().packets()).isEqualTo(host);
    }

    /** As firmware would number them: the switch on bus 39h, its ports on 3Ah, the NICs on 3Bh and 3Ch. */
    @Test
    void everyPortIsABridgeWithTheWindowsOfItsDevice() {
        SharedLinkLab lab = SharedLinkLab.of(narrow(), LabSpec.of(1));
        assertThat(lab.pcieSwitch().config(0).read(0x18)).isEqualTo(0x003C3A39);
        assertThat(lab.pcieSwitch().config(1).read(0x18)).isEqualTo(0x003B3B3A);
        assertThat(lab.pcieSwitch().config(2).read(0x18)).isEqualTo(0x003C3C3A);
        for (int i = 0; i < 2; i++) {
            long csr = lab.function(i).nic().endpoint().barAddress(NicRegisters.BAR);
            int window = lab.pcieSwitch().config(i + 1).read(0x24);
            long low = (long) lab.pcieSwitch().config(i + 1).read(0x28) << 32 | (window & 0xFFF0L) << 16;
            long high = (long) lab.pcieSwitch().config(i + 1).read(0x2C) << 32 | (window & 0xFFF0_0000L) | 0xFFFFF;
            long other = lab.function(1 - i).nic().endpoint().barAddress(NicRegisters.BAR);
            assertThat(csr).isBetween(low, high);
            assertThat(other < low || other > high).isTrue();
        }
    }

    @Test
    void whatCannotShareALinkIsRefused() {
        assertThatThrownBy(() -> SharedLinkLab.of(Profiles.named("cx7-400g"), LabSpec.of(1)))
                .hasMessageContaining("pcie.switch=none");
        assertThatThrownBy(() -> SharedLinkLab.of(narrow().with("link.switch", "cut-through"), LabSpec.of(1)))
                .hasMessageContaining("link.switch=cut-through");
    }
}
