package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.driver.EthernetSpec;
import dev.clockwire.nic.driver.NicEthernet;
import dev.clockwire.nic.ether.EthFrame;
import dev.clockwire.nic.ether.FlowRule;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.random.RandomStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Frames between two hosts, beside RDMA. */
class EthernetTest {
    private static final long US = 1_000_000;

    private Lab lab = lab(KernelMode.ACTIVITY);
    private NicEthernet a = open(lab.a(), 4);
    private NicEthernet b = open(lab.b(), 4);
    private final List<byte[]> found = new ArrayList<>();
    private final List<Integer> where = new ArrayList<>();
    private int freed;
    private long memory;

    private static Lab lab(KernelMode mode) {
        return Lab.twoHosts(
                Profiles.named("cx7-400g").with("nic.eth.queues", "4"),
                LabSpec.of(1).withMode(mode).withFullHash(true));
    }

    private NicEthernet open(LabHost host, int queues) {
        return lab.await(host.openEthernet(new EthernetSpec(queues, 5, 5, 1500), q -> events.add(q)));
    }

    private final List<Integer> events = new ArrayList<>();

    private void send(int queue, byte[] frame) {
        memory = lab.a()
                .host()
                .memory()
                .allocate("frame", 2048, Allocation.Kind.REAL, 64)
                .address();
        lab.a().host().memory().putBytes(memory, frame, 0, frame.length);
        assertThat(a.send(queue, memory, frame.length)).isTrue();
        a.ring(queue);
    }

    private void poll() {
        for (int q = 0; q < 4; q++) {
            poll(a, lab.a(), q);
            poll(b, lab.b(), q);
        }
    }

    private void poll(NicEthernet nic, LabHost host, int queue) {
        nic.poll(queue, 64, new NicEthernet.Sink() {
            @Override
            public void received(int q, long address, int bytes, int hash) {
                byte[] frame = new byte[bytes];
                host.host().memory().getBytes(address, frame, 0, bytes);
                found.add(frame);
                where.add(q);
            }

            @Override
            public void sent(int q) {
                freed++;
            }
        });
    }

    private void run(long ps) {
        lab.sim().run(lab.sim().now() + ps);
    }

    private static byte[] frame(long dst, int type, int bytes, RandomStream random) {
        ByteBuffer f = ByteBuffer.allocate(bytes);
        f.putShort((short) (dst >>> 32))
                .putInt((int) dst)
                .putShort((short) 0x0200)
                .putInt(1)
                .putShort((short) type);
        while (f.hasRemaining()) {
            f.put((byte) random.below(256));
        }
        return f.array();
    }

    private static byte[] udp(int srcPort, int dstPort, int bytes) {
        ByteBuffer f = ByteBuffer.allocate(bytes);
        f.putShort((short) 0x0200).putInt(2).putShort((short) 0x0200).putInt(1).putShort((short) 0x0800);
        f.put((byte) 0x45)
                .put((byte) 0)
                .putShort((short) (bytes - 14))
                .putInt(0)
                .put((byte) 64)
                .put((byte) 17);
        f.putShort((short) 0).putInt(0x0A00_0001).putInt(0x0A00_0002);
        f.putShort((short) srcPort).putShort((short) dstPort);
        return f.array();
    }

    private static final long MAC_B = 0x0200_0000_0002L;

    /** Frames of all sizes arrive as they were sent, short ones padded to 60 bytes, in order. */
    @Test
    void framesArriveAsTheyWereSent() {
        long[] hashes = new long[2];
        for (int mode = 0; mode < 2; mode++) {
            lab = lab(mode == 0 ? KernelMode.ACTIVITY : KernelMode.EXHAUSTIVE);
            a = open(lab.a(), 4);
            b = open(lab.b(), 4);
            found.clear();
            freed = 0;
            RandomStream random = RandomStream.named(7, "frames");
            List<byte[]> sent = new ArrayList<>();
            int[] sizes = {14, 15, 18, 19, 59, 60, 61, 64, 1000, 1514, 1518};
            for (int i = 0; i < 120; i++) {
                byte[] frame = frame(MAC_B, 0x0600 + 0x88B5, sizes[i % sizes.length], random);
                sent.add(frame);
                send(0, frame);
                if (i % 7 == 6) {
                    run((1 + random.below(9)) * US);
                    poll();
                }
            }
            run(50 * US);
            poll();
            assertThat(freed).isEqualTo(120);
            assertThat(found).hasSize(120);
            for (int i = 0; i < 120; i++) {
                byte[] wanted = java.util.Arrays.copyOf(sent.get(i), Math.max(60, sent.get(i).length));
                assertThat(found.get(i)).as("frame " + i).isEqualTo(wanted);
            }
            assertThat(a.counters()).containsEntry("tx0_packets", 120L);
            assertThat(b.counters()).containsEntry("rx_packets", 120L).containsEntry("rx0_packets", 120L);
            hashes[mode] = lab.sim().traceHash();
        }
        assertThat(hashes[1]).isEqualTo(hashes[0]);
    }

    @Test
    void framesForOthersAreNotReceivedAndGroupsAre() {
        RandomStream random = RandomStream.named(7, "frames");
        send(0, frame(MAC_B + 7, 0x88B5, 100, random));
        send(0, frame(0xFFFF_FFFF_FFFFL, 0x0806, 60, random));
        send(0, frame(0x0100_5E00_0001L, 0x0800, 60, random));
        run(20 * US);
        poll();
        assertThat(found).hasSize(2);
        assertThat(b.counters()).containsEntry("rx_steer_missed_packets", 1L);
    }

    /** The hash spreads flows over queues, each flow to one; rules go before it. */
    @Test
    void hashAndRulesChooseTheQueue() {
        for (int port = 1; port <= 24; port++) {
            send(port % 4, udp(port, 99, 100));
            send(port % 4, udp(port, 99, 200));
            run(2 * US);
            poll();
        }
        run(20 * US);
        poll();
        assertThat(found).hasSize(48);
        assertThat(where.stream().distinct().count()).as("24 flows on 4 queues").isEqualTo(4);
        int[] queueOf = new int[25];
        java.util.Arrays.fill(queueOf, -1);
        for (int i = 0; i < 48; i++) {
            int port = found.get(i)[35];
            assertThat(queueOf[port] < 0 || queueOf[port] == where.get(i))
                    .as("flow " + port + " stays")
                    .isTrue();
            queueOf[port] = where.get(i);
        }
        lab.await(b.addRule(FlowRule.parse("flow-type udp4 src-ip 10.0.0.1 dst-port 99 action 3 loc 5")));
        lab.await(b.addRule(FlowRule.parse("flow-type udp4 src-port 7 action -1 loc 4")));
        found.clear();
        where.clear();
        for (int port = 1; port <= 12; port++) {
            send(0, udp(port, 99, 100));
        }
        run(20 * US);
        poll();
        assertThat(where).hasSize(11).containsOnly(3);
        assertThat(b.counters()).containsEntry("rx_flow_rule_drops", 1L);
        lab.await(b.deleteRule(4));
        send(0, udp(7, 99, 100));
        run(20 * US);
        poll();
        assertThat(where).hasSize(12);
    }

    /** RDMA goes on beside frames; a rule about UDP port 4791 takes it away, and without the rule it comes back. */
    @Test
    void roceIsRdmasUnlessARuleSaysOtherwise() {
        Pair p = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
        Posts posts = new Posts(p.a, p.b);
        for (int i = 0; i < 10; i++) {
            posts.post(WrOpcode.RDMA_WRITE, 5000);
            send(1, udp(i, 1000, 1000));
        }
        for (int i = 0; i < 10; i++) {
            assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
        }
        run(20 * US);
        poll();
        assertThat(found).hasSize(10);
        found.clear();
        lab.await(b.addRule(FlowRule.parse("flow-type udp4 dst-port 4791 action 2 loc 0")));
        posts.post(WrOpcode.RDMA_WRITE, 100);
        run(20 * US);
        poll();
        assertThat(where.get(where.size() - 1)).isEqualTo(2);
        assertThat(found.get(0))
                .as("Ethernet, IPv4, UDP, BTH, RETH, 100 bytes, ICRC")
                .hasSize(14 + 20 + 8 + 12 + 16 + 100 + 4);
        assertThat(p.a.cq.hasCompletion()).isFalse();
        lab.await(b.deleteRule(0));
        assertThat(p.next(p.a, 1_000_000 * US).status).as("sent again").isEqualTo(WcStatus.SUCCESS);
    }

    /** A RoCE packet that a program sends as a frame of its own is RDMA's at the other end: what was caught is played again. */
    @Test
    void aRoceFrameFromAProgramIsRdmas() {
        Pair p = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
        lab.await(b.addRule(FlowRule.parse("flow-type udp4 dst-port 4791 action 0 loc 0")));
        p.a.write(0, new byte[] {1, 2, 3, 4});
        new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 4);
        run(20 * US);
        poll();
        byte[] caught = found.get(0);
        lab.await(b.deleteRule(0));
        send(3, caught);
        run(20 * US);
        assertThat(p.b.read(0, 4)).containsExactly(1, 2, 3, 4);
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
    }

    /** With rx-fcs the four bytes behind a frame are those that were on the line; a damaged frame comes with rx-all only. */
    @Test
    void checkSequencesOnDemand() {
        lab.await(b.features(true, false));
        RandomStream random = RandomStream.named(7, "frames");
        byte[] frame = frame(MAC_B, 0x88B5, 100, random);
        send(0, frame);
        run(20 * US);
        poll();
        assertThat(found.get(0)).hasSize(104);
        java.util.zip.CRC32 whole = new java.util.zip.CRC32();
        whole.update(found.get(0));
        assertThat((int) whole.getValue())
                .as("the CRC over frame and sequence is a constant")
                .isEqualTo(0x2144DF1C);
        lab.tapFrames((ps, end, token) -> {
            if (token instanceof EthFrame f) {
                f.bytes[50] ^= 4;
            }
        });
        send(0, frame);
        run(20 * US);
        poll();
        assertThat(found).hasSize(1);
        assertThat(b.counters()).containsEntry("rx_crc_errors_phy", 1L);
        lab.await(b.features(true, true));
        send(0, frame);
        run(20 * US);
        poll();
        assertThat(found).hasSize(2);
        whole.reset();
        whole.update(found.get(1));
        assertThat((int) whole.getValue()).isNotEqualTo(0x2144DF1C);
    }

    /** Nobody polls: as many frames as there are receives are here, the rest is dropped and counted. */
    @Test
    void withoutReceivesFramesAreDropped() {
        for (int i = 0; i < 40; i++) {
            if (a.sendSpace(0) == 0) {
                run(20 * US);
                poll(a, lab.a(), 0);
            }
            send(0, frame(MAC_B, 0x88B5, 80, RandomStream.named(i, "x")));
        }
        run(50 * US);
        assertThat(b.counters()).containsEntry("rx_out_of_buffer", 8L).containsEntry("rx_packets", 32L);
        poll();
        send(0, frame(MAC_B, 0x88B5, 80, RandomStream.named(1, "x")));
        run(50 * US);
        poll();
        assertThat(found).hasSize(33);
    }

    @Test
    void anArmedQueueInterrupts() {
        b.arm(0);
        run(5 * US);
        events.clear();
        send(0, frame(MAC_B, 0x88B5, 80, RandomStream.named(1, "x")));
        run(20 * US);
        assertThat(events).containsExactly(0);
    }

    @Test
    void whatCannotBeSaysSo() {
        assertThatThrownBy(() -> a.send(0, 0, 1519)).hasMessageContaining("1519 bytes are not in 14..1518");
        assertThatThrownBy(() -> lab.await(b.addRule(FlowRule.parse("flow-type udp4 action 4"))))
                .hasMessageContaining("there are 0..3");
        assertThatThrownBy(() -> lab.a().openEthernet(EthernetSpec.of(1), q -> {}))
                .hasMessageContaining("open already");
        Lab none = Lab.twoHosts(Profiles.named("cx7-400g"), LabSpec.of(1));
        assertThatThrownBy(() -> none.a().openEthernet(EthernetSpec.of(1), q -> {}))
                .hasMessageContaining("nic.eth.queues=0");
    }
}
