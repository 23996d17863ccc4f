package dev.clockwire.storage.offload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.random.RandomStream;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class OffloadErrorsTest {
    /** Offset in the capsule, a wrong value there, the status that NVMe Base 2.0 has for it. */
    private static final int[][] WRONG = {
        {0, 0x99, 0x01},
        {4, 2, 0x0B},
        {41, 0x10, 0x80},
        {33, 0x0E, 0x0F},
        {39, 0x00, 0x11},
        {39, 0x41, 0x11},
        {1, 0x41, 0x02}
    };

    /** Invalid opcode, namespace, range, SGL length and type, fused. The SSD never hears of them, the command behind each works. */
    @Test
    void wrongCommandsGetTheirStatus() {
        OffloadRig r = new OffloadRig(true).byNic();
        Initiator i = r.run(1, 2 * WRONG.length, (c, n, va, key) -> {
            OffloadTest.read(c, 16, 8, va, key);
            int[] wrong = WRONG[n / 2];
            c[wrong[0]] = n % 2 == 0 ? (byte) wrong[1] : c[wrong[0]];
        });
        assertThat(i.failures).isEmpty();
        for (int n = 0; n < 2 * WRONG.length; n++) {
            assertThat(i.responses.get(n).status()).as("command " + n).isEqualTo(n % 2 == 0 ? WRONG[n / 2][2] : 0);
        }
        assertThat(OffloadTest.block(r).refused()).isEqualTo(WRONG.length);
        OffloadTest.check(r, i, 0, 16, 8);
    }

    /** Bytes of commands flipped at random, all but address, key and length of the data: each is answered once, and a right one works. */
    @Test
    void anyCommandIsAnswered() {
        OffloadRig r = new OffloadRig(true).byNic();
        RandomStream random = RandomStream.named(5, "capsules");
        Initiator i = r.run(8, 400, (c, n, va, key) -> {
            OffloadTest.read(c, 16, 8, va, key);
            for (int k = n == 399 ? 3 : random.below(3); k < 3; k++) {
                int at = random.below(64);
                c[at] = at >= 24 && at < 39 ? c[at] : (byte) random.below(256);
            }
        });
        assertThat(i.failures).isEmpty();
        assertThat(i.responses).hasSize(400);
        assertThat(i.responses.stream().filter(a -> a.status() == 0).count()).isBetween(50L, 350L);
        assertThat(OffloadTest.block(r).taken()).isEqualTo(400);
        assertThat(OffloadTest.block(r).failures()).isZero();
        Initiator after = r.run(1, 1, (c, n, va, key) -> OffloadTest.read(c, 32, 8, va, key));
        OffloadTest.check(r, after, 0, 32, 8);
    }

    /** The key in a capsule is the host's: its NIC refuses the data, no response follows, and the target's core learns why. */
    @Test
    void aWrongKeyIsFoundByTheHost() {
        OffloadRig r = new OffloadRig(true).byNic();
        Initiator i = new Initiator(
                r.lab.a(),
                r.near,
                r.nearCq,
                r.nearMemory,
                1,
                1,
                (c, n, va, key) -> OffloadTest.read(c, 16, 8, va, key ^ 0x100));
        r.lab.a().core().run(i);
        r.lab.sim().run(r.lab.sim().now() + 20 * OffloadRig.MS);
        assertThat(i.responses).isEmpty();
        assertThat(r.bytes(i.data(0), 4096)).containsOnly(0);
        assertThat(OffloadTest.block(r).failures()).isEqualTo(1);
        assertThat(r.far.state()).isEqualTo(QpState.ERR);
        WorkCompletion[] wc = WorkCompletion.array(4);
        assertThat(r.farCq.poll(wc)).isPositive();
        assertThat(wc[0].status).isEqualTo(WcStatus.REM_ACCESS_ERR);
    }

    /** The data of a write are fetched with the host's key: a wrong one is refused, and nothing is written. */
    @Test
    void aWrongKeyOfAWriteIsFoundByTheHost() {
        OffloadRig r = new OffloadRig(true).byNic();
        Initiator i = new Initiator(r.lab.a(), r.near, r.nearCq, r.nearMemory, 1, 1, (c, n, va, key) -> {
            OffloadTest.read(c, 16, 8, va, key ^ 0x100);
            c[0] = 1;
        });
        r.lab.a().core().run(i);
        r.lab.sim().run(r.lab.sim().now() + 20 * OffloadRig.MS);
        assertThat(i.responses).isEmpty();
        assertThat(OffloadTest.block(r).failures()).isEqualTo(1);
        Payload p = new Payload();
        r.stores.get(0).read(16, 1, p);
        assertThat(p.byteAt(9)).isEqualTo(OffloadRig.content(16, 9));
    }

    @Test
    void anUnmarkedQueuePairBelongsToTheCoreAgain() {
        OffloadRig r = new OffloadRig(true).byNic();
        r.run(1, 3, (c, n, va, key) -> OffloadTest.read(c, 16, 8, va, key));
        r.lab.await(Objects.requireNonNull(r.offload).unmark(r.far));
        Initiator i = new Initiator(
                r.lab.a(),
                r.near,
                r.nearCq,
                r.nearMemory,
                1,
                1,
                (c, n, va, key) -> OffloadTest.read(c, 16, 8, va, key));
        r.lab.a().core().run(i);
        r.lab.sim().run(r.lab.sim().now() + OffloadRig.MS);
        assertThat(i.responses).isEmpty();
        WorkCompletion[] wc = WorkCompletion.array(4);
        assertThat(r.farCq.poll(wc)).isEqualTo(1);
        assertThat(wc[0].byteLength).isEqualTo(64);
        assertThat(OffloadTest.block(r).taken()).isEqualTo(3);
    }
}
