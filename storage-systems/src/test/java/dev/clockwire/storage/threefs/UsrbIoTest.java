package dev.clockwire.storage.threefs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.threefs.meta.FileClient;
import dev.clockwire.storage.threefs.meta.Inode;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.server.ProtocolTap;
import dev.clockwire.storage.threefs.usrbio.Ior;
import dev.clockwire.storage.threefs.usrbio.RingDaemon;
import dev.clockwire.storage.threefs.usrbio.RingLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rings between an application and the daemon. */
class UsrbIoTest {
    private static final int ENTRIES = 8;
    private final Rig rig =
            new Rig(Rig.service(DataPath.PULL), true, DiskKind.MEDIA, 3, 1, FaultPlan.NONE, ProtocolTap.NONE);
    private final Node node = rig.cluster.clients().get(0);
    private final Inode file = new Inode(9, 0, 16_384, 1, 1);
    private final List<Long> results = new ArrayList<>();
    private final TreeSet<Long> ended = new TreeSet<>();

    private RingDaemon serve(Ior ring, int depth) {
        return new RingDaemon(
                node,
                new FileClient(rig.fs.client(node)),
                ring,
                rig.buffers.get(0),
                id -> id == 9 ? file : null,
                depth,
                50_000_000L,
                () -> {});
    }

    private void reap(Ior ring, int upTo) {
        rig.cluster.await(
                () -> {
                    ring.reap(ENTRIES, (result, userdata) -> {
                        results.add(result);
                        ended.add(userdata);
                    });
                    return results.size() >= upTo;
                },
                "completions");
    }

    /** Sizes of the header file. */
    @Test
    void theLayoutIsThatOfTheHeader() {
        RingLayout l = new RingLayout(8);
        assertThat(l.args(1) - l.args(0)).isEqualTo(56);
        assertThat(l.cqe(0)).isEqualTo(16 + 9 * 56);
        assertThat(l.sqe(0)).isEqualTo(16 + 9 * (56 + 24));
        assertThat(l.bytes()).isEqualTo(9 * 96 + 4 * 4 + 32 + 4096);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, -4})
    void everySubmissionGetsOneCompletion(int depth) {
        Ior ring = new Ior(node, node.host().host().core(0), ENTRIES, false);
        RingDaemon daemon = serve(ring, depth);
        int done = 0;
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < ENTRIES; i++) {
                assertThat(ring.prep(512L * i, 9, 4096L * i, 512, 100 * round + i))
                        .isTrue();
            }
            assertThat(ring.prep(0, 9, 0, 512, 1)).as("full").isFalse();
            ring.submit();
            done += ENTRIES;
            reap(ring, done);
        }
        assertThat(ended).hasSize(3 * ENTRIES);
        assertThat(results).containsOnly(512L);
        assertThat(ring.room()).isEqualTo(ENTRIES);
        assertThat(daemon.batches()).isGreaterThan(2);
    }

    /** A batch that is not full waits: for ever, or for the time that was given. */
    @Test
    void aDepthWaitsForAFullBatch() {
        Ior ring = new Ior(node, node.host().host().core(0), ENTRIES, false);
        serve(ring, 4);
        for (int i = 0; i < 3; i++) {
            ring.prep(0, 9, 0, 512, i);
        }
        ring.submit();
        rig.cluster.settle();
        assertThat(ring.reap(ENTRIES, (r, u) -> {})).isZero();
        ring.prep(0, 9, 0, 512, 3);
        ring.submit();
        reap(ring, 4);
    }

    @Test
    void wrongArgumentsEndThatIo() {
        Ior ring = new Ior(node, node.host().host().core(0), ENTRIES, true);
        serve(ring, 0);
        ring.prep(-1, 9, 0, 512, 1);
        ring.prep(rig.buffers.get(0).length() - 511, 9, 0, 512, 2);
        ring.prep(0, 8, 0, 512, 3);
        ring.prep(0, 9, -512, 512, 4);
        ring.submit();
        reap(ring, 4);
        assertThat(results).containsOnly(-1L);
        assertThatThrownBy(() -> serve(ring, 9)).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> new RingLayout(0)).hasMessageContaining("must be 1 to");
    }
}
