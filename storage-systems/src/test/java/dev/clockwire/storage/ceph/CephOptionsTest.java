package dev.clockwire.storage.ceph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.pcie.host.CpuSpec;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.storage.ceph.osd.OsdTap;
import dev.clockwire.storage.ceph.stream.StreamSpec;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.load.Load;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.LoadSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Switches of the transport as a whole Ceph sees them. */
class CephOptionsTest {
    private static final int KIB = 1024;
    /** Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4, FCS 4. */
    private static final int FRAME = 62;
    /** Preamble 32, header 41 with its checksum, epilogue 13. */
    private static final int MESSAGE = 32 + 41 + 4 + 13;

    private static CephSpec streams(CephSpec of, UnaryOperator<StreamSpec> change) {
        return of.withOsd(of.osd().withStreams(change.apply(of.osd().streams())));
    }

    private static long frames(int bytes, int mtu) {
        return (bytes + 3L) / 4 * 4 + (long) FRAME * ((bytes + mtu - 1) / mtu);
    }

    /** Fewer packets, the same messages. */
    @ParameterizedTest
    @CsvSource({"MTU_4096,4096,4", "MTU_4096,4096,64"})
    void theMtuOfThePathCutsMessagesIntoPackets(Mtu mtu, int bytes, int kib) {
        CephRig rig = new CephRig(streams(CephRig.slow(), s -> s.with(true, mtu, false)), true, 1).start();
        rig.cluster.wire().restart();
        rig.write(5, kib * KIB, 1);
        rig.cluster.sim().run(rig.cluster.sim().now() + 20 * CephRig.US);
        assertThat(rig.cluster.wire().sends()).isEqualTo(6);
        long ack = FRAME + 4;
        assertThat(rig.cluster.wire().txBytes(rig.client().number()))
                .isEqualTo(frames(MESSAGE + 260 + kib * KIB, bytes) + ack);
    }

    /** Sends from where the bytes are save the client's copy, and nothing else of the client. */
    @Test
    void zeroCopySavesTheCopyIntoChunks() {
        long[] busy = new long[2];
        long[] ps = new long[2];
        int n = 1024 * KIB;
        for (int zero = 0; zero < 2; zero++) {
            boolean noCopy = zero == 1;
            CephRig rig =
                    new CephRig(streams(CephRig.slow(), s -> s.with(true, Mtu.MTU_1024, noCopy)), true, 1).start();
            long before = rig.client().worker(0).core().busyPs();
            long at = rig.cluster.sim().now();
            rig.write(5, n, 1);
            ps[zero] = rig.cluster.sim().now() - at;
            busy[zero] = rig.client().worker(0).core().busyPs() - before;
        }
        long copy = n * CpuSpec.server().copyBytePs();
        assertThat(busy[0] - busy[1]).isBetween(copy, copy + copy / 100);
        assertThat(ps[0] - ps[1]).as("the copies of client and primary").isGreaterThan(copy);
    }

    /** Pools that hold less than one operation: parts are sent, receivers are waited for, and every chunk comes back. */
    @ParameterizedTest
    @CsvSource({"2,8,4", "1,4,2"})
    void tinyPoolsMakeItSlowAndNothingElse(int send, int receive, int queue) {
        CephSpec three = CephSpec.of(CephModel.CLASSIC, 3, 3);
        CephRig rig = new CephRig(
                streams(three, s -> s.withPools(send, receive, queue)), true, 4, FaultPlan.NONE, OsdTap.NONE, 9, 3);
        CephSystem system = new CephSystem("ceph", rig.ceph);
        system.start();
        LoadResult r = new Load(system, LoadSpec.of(LoadSpec.Op.MIX, 256 * KIB, 16, 4)).run();
        assertThat(r.isSafe()).as(r.differences() + " " + r.verdict().text()).isTrue();
        assertThat(r.ended()).isEqualTo(16);
        rig.cluster.settle();
        for (Node node : rig.cluster.nodes()) {
            var stack = rig.ceph.osd(node).stack();
            assertThat(stack.freeSends()).isEqualTo(send);
            assertThat(stack.backlog()).isZero();
            assertThat(stack.receiveChunks() - stack.freeReceives())
                    .as("posted")
                    .isEqualTo(queue);
        }
    }

    /** Operations of one client on one object are done in the order in which it asks, many under way at the same time (Ceph PR 44156). */
    @Test
    void operationsOfAnObjectKeepTheirOrder() {
        CephRig rig = new CephRig(CephRig.slow(), true, 1).start();
        Node n = rig.client();
        long va = n.allocate("w", 4 * KIB, dev.clockwire.sim.mem.Allocation.Kind.BULK);
        List<Long> versions = new ArrayList<>();
        List<Long> seen = new ArrayList<>();
        n.worker(0)
                .post(
                        (a, b) -> {
                            for (int i = 0; i < 12; i++) {
                                if (i % 3 == 2) {
                                    rig.ceph.client(n).read(7, va, 4 * KIB, (v, l) -> seen.add(v));
                                } else {
                                    rig.ceph.client(n).write(7, va, 4 * KIB, (v, l) -> versions.add(v));
                                }
                            }
                        },
                        0,
                        0);
        rig.cluster.await(() -> versions.size() == 8 && seen.size() == 4, "all");
        assertThat(versions).isSorted().doesNotHaveDuplicates();
        for (int i = 0; i < 4; i++) {
            assertThat(seen.get(i)).as("read " + i).isEqualTo(versions.get(2 * i + 1));
        }
    }
}
