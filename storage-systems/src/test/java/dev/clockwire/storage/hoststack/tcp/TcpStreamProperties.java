package dev.clockwire.storage.hoststack.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Whatever happens to frames, bytes arrive once and in order, and both ends close. */
class TcpStreamProperties {
    private static final long US = TcpPair.US;

    @Property(tries = 60)
    void bytesArriveOnceAndInOrder(
            @ForAll long seed,
            @ForAll @IntRange(min = 0, max = 60_000) int there,
            @ForAll @IntRange(min = 0, max = 60_000) int back,
            @ForAll @IntRange(min = 0, max = 15) int loss,
            @ForAll @IntRange(min = 0, max = 20) int disorder,
            @ForAll @IntRange(min = 576, max = 9000) int mtu,
            @ForAll boolean large) {
        RandomStream random = RandomStream.named(seed, "wire");
        TcpSpec a = TcpSpec.linux().withMtu(mtu).withBuffers(1 << 14, 1 << 13).withOffloads(large ? 65_535 : 0, large);
        TcpSpec b = TcpSpec.linux().withBuffers(1 << 12, 1 << 14).withOffloads(large ? 0 : 20_000, !large);
        TcpPair p = new TcpPair(a, b, (n, from, frame) -> fate(random, frame, loss, disorder));
        byte[] first = TcpPair.bytes(there, (int) seed);
        byte[] second = TcpPair.bytes(back, (int) seed + 1);
        p.a.closes = true;
        p.b.closes = true;
        p.a.send(first);
        p.b.send(second);
        p.a.tcp.connect(random.nextInt(), 0);
        p.run(36_000_000L * TcpPair.MS);
        assertThat(p.a.failure + p.b.failure).isEmpty();
        assertThat(p.b.received()).isEqualTo(first);
        assertThat(p.a.received()).isEqualTo(second);
        assertThat(p.a.tcp.isAtEnd() && p.b.tcp.isAtEnd()).isTrue();
        assertThat(p.a.tcp.phase()).isEqualTo(TcpPhase.CLOSED);
        assertThat(p.b.tcp.phase()).isEqualTo(TcpPhase.CLOSED);
    }

    private static long[] fate(RandomStream random, byte[] frame, int loss, int disorder) {
        int x = random.below(100);
        if (x < loss) {
            return new long[0];
        }
        long delay = random.below(100) < disorder ? (1 + random.below(200)) * US : 10 * US;
        if (x < loss + 2) {
            int at = 34 + random.below(20);
            frame[at] = (byte) (frame[at] ^ 1 << random.below(8)); // a checksum finds each single bit
        }
        return x < loss + 6 ? new long[] {delay, delay + random.below(50) * US} : new long[] {delay};
    }

    /** Half a run, a snapshot into another pair of ends, the rest: the same frames. */
    @Property(tries = 15)
    void aSnapshotGoesOnWhereItWasTaken(@ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int when) {
        Snapshot kept = new Snapshot();
        int n = 40_000;
        TcpPair p = TcpPair.lossless(TcpSpec.linux().withBuffers(1 << 16, 1 << 14), 10 * US);
        p.a.tcp.connect((int) seed, 0);
        p.run(20 * US);
        p.a.send(TcpPair.bytes(n, 3));
        p.run(p.now + when * US);
        p.a.tcp.save(kept);
        kept.rewind();
        TcpPair q = TcpPair.lossless(TcpSpec.linux().withBuffers(1 << 16, 1 << 14), 10 * US);
        q.a.tcp.load(kept);
        Snapshot again = new Snapshot();
        q.a.tcp.save(again);
        Snapshot before = new Snapshot();
        p.a.tcp.save(before);
        assertThat(again.digest()).isEqualTo(before.digest());
        assertThat(q.a.tcp.phase()).isEqualTo(p.a.tcp.phase());
        assertThat(q.a.tcp.deadline()).isEqualTo(p.a.tcp.deadline());
    }
}
