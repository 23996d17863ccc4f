package dev.clockwire.sim.mem;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who posted what lands at one end of a connection, and when nobody can know. */
class WritesUnderWayTest {
    private static final int KEY = 0x111;
    private static final int OTHER_KEY = 0x222;
    /** By how much memory lies above what peers call it. */
    private static final long SHIFT = 0x7000;

    private final MemorySanitizer host = new MemorySanitizer("peer", () -> 0, () -> {}, () -> "core");
    private final RemoteMemory peer = new RemoteMemory(host, 0);
    private final WritesUnderWay queue = new WritesUnderWay(peer, 5);
    private long ids;

    private PostedWrite post(long address, long length, int rkey) {
        Ownership work = host.post(Hold.DEVICE_READS, 0, 5, false, "RDMA_WRITE", ++ids);
        PostedWrite w = new PostedWrite(work, peer, address, length, rkey, 0);
        queue.add(w);
        return w;
    }

    private @Nullable PostedWrite land(long address, long length) {
        PostedWrite w = queue.landing(KEY, address + SHIFT);
        if (w != null) {
            queue.landed(length);
        }
        return w;
    }

    @Test
    void piecesOfAWriteLandInOrder() {
        PostedWrite a = post(0x1000, 100, KEY);
        PostedWrite b = post(0x1000, 100, KEY);
        assertThat(land(0x1000, 60)).isSameAs(a);
        assertThat(land(0x103C, 40)).isSameAs(a);
        assertThat(land(0x1000, 100)).isSameAs(b);
        assertThat(land(0x1000, 100)).isNull();
    }

    /** What went to memory of a device is not seen to land. */
    @Test
    void whatWentElsewhereIsPassedOver() {
        post(0x1000, 100, OTHER_KEY);
        PostedWrite b = post(0x1000, 100, KEY);
        assertThat(land(0x1000, 100)).isSameAs(b);
    }

    /** If one that is acknowledged has not been seen to land when the next is posted, what lands is the next. */
    @Test
    void whatIsAcknowledgedIsNotWaitedFor() {
        PostedWrite a = post(0x1000, 100, KEY);
        host.release(a.work, Release.COMPLETED);
        PostedWrite b = post(0x1000, 100, KEY);
        assertThat(land(0x1000, 100)).isSameAs(b);
    }

    @Test
    void whatDoesNotFitIsNotGuessedAt() {
        PostedWrite a = post(0x1000, 100, KEY);
        post(0x2000, 100, KEY);
        post(0x3000, 100, KEY);
        assertThat(land(0x1000, 100)).isSameAs(a);
        assertThat(land(0x3000, 100)).as("not the next").isNull();
        PostedWrite d = post(0x4000, 100, KEY);
        assertThat(land(0x4000, 100)).isSameAs(d);
    }

    @Test
    void onlyItsPeerIsHeard() {
        assertThat(queue.isFrom(new RemoteMemory(host, 0), 5)).isTrue();
        assertThat(queue.isFrom(new RemoteMemory(host, 1), 5))
                .as("another device")
                .isFalse();
        assertThat(queue.isFrom(peer, 6)).as("another queue pair").isFalse();
        RemoteMemory stranger = new RemoteMemory(new MemorySanitizer("peer", () -> 0, () -> {}, () -> "core"), 0);
        assertThat(queue.isFrom(stranger, 5)).as("another host").isFalse();
    }
}
