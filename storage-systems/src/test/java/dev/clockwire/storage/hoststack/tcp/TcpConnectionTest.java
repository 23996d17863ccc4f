package dev.clockwire.storage.hoststack.tcp;

import static dev.clockwire.storage.hoststack.tcp.TcpPair.MS;
import static dev.clockwire.storage.hoststack.tcp.TcpPair.US;
import static dev.clockwire.storage.hoststack.tcp.TcpPair.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The state machine, its timers and its windows against what RFCs say in numbers. */
class TcpConnectionTest {
    private static final TcpSpec LINUX = TcpSpec.linux();
    private static final int MSS = 1460;

    private static TcpPair connected(TcpPair p) {
        p.a.tcp.connect(1000, p.now);
        p.run(p.now + 50 * MS);
        assertThat(p.a.tcp.phase()).isEqualTo(TcpPhase.ESTABLISHED);
        assertThat(p.b.tcp.phase()).isEqualTo(TcpPhase.ESTABLISHED);
        return p;
    }

    @Test
    void threeSegmentsOpenAConnection() {
        TcpPair p = TcpPair.lossless(LINUX, 10 * US);
        p.a.tcp.connect(-2, 0);
        p.run(MS);
        assertThat(p.frames).hasSize(3);
        TcpSegment s = new TcpSegment();
        s.read(p.frames.get(0), 66, false);
        assertThat(s.flags).isEqualTo(TcpSegment.SYN);
        assertThat(s.mss).isEqualTo(MSS);
        assertThat(s.scale).as("1 MiB >> 5 fits into 16 bits").isEqualTo(5);
        s.read(p.frames.get(1), 66, false);
        assertThat(s.flags).isEqualTo(TcpSegment.SYN | TcpSegment.ACK);
        assertThat(s.ack).isEqualTo(-1);
        assertThat(p.sentAt).containsExactly(0L, 10 * US, 20 * US);
        assertThat(p.a.tcp.roundTrip()).isEqualTo(20 * US);
        assertThat(p.a.tcp.segmentBytes()).isEqualTo(MSS);
    }

    /** Slow start: 10 segments, then twice as many in each round trip. */
    @Test
    void slowStartDoublesEachRoundTrip() {
        TcpPair p = connected(TcpPair.lossless(LINUX.withOffloads(0, false), MS));
        int n = (10 + 20 + 40 + 80) * MSS;
        int before = p.frames.size();
        long start = p.now;
        p.a.send(bytes(n, 1));
        p.run(start + 100 * MS);
        assertThat(p.b.gotBytes).isEqualTo(n);
        int[] rounds = new int[5];
        for (int i = before; i < p.frames.size(); i++) {
            if (p.fromA.get(i)) {
                rounds[(int) ((p.sentAt.get(i) - start) / (2 * MS))]++;
            }
        }
        assertThat(rounds).containsExactly(10, 20, 40, 80, 0);
    }

    /** One of many is lost: three duplicates bring it back a round trip later, nobody waits for a timeout, the window is halved. */
    @Test
    void fastRetransmitRepairsASingleLoss() {
        AtomicInteger lost = new AtomicInteger();
        TcpPair p = connected(new TcpPair(
                LINUX.withOffloads(0, false),
                LINUX.withOffloads(0, false),
                (n, a, f) ->
                        f.length > 1000 && n > 20 && a && lost.getAndIncrement() == 0 ? new long[0] : new long[] {MS}));
        byte[] data = bytes(60 * MSS, 2);
        long start = p.now;
        p.a.send(data);
        p.run(start + 150 * MS);
        assertThat(p.b.received()).isEqualTo(data);
        assertThat(p.a.tcp.timeouts()).isZero();
        assertThat(p.a.tcp.fastResent()).isEqualTo(1);
        assertThat(p.a.tcp.resent()).isEqualTo(1);
    }

    /** The last segment has nobody behind it to tell of its loss: the timeout does, 200 ms at least. */
    @Test
    void theTimeoutRepairsTheLastSegment() {
        AtomicInteger lost = new AtomicInteger();
        TcpPair p = connected(new TcpPair(
                LINUX,
                LINUX,
                (n, a, f) -> a && f.length > 100 && lost.getAndIncrement() == 0 ? new long[0] : new long[] {MS}));
        long start = p.now;
        p.a.send(bytes(500, 3));
        p.run(start + 1000 * MS);
        assertThat(p.b.gotBytes).isEqualTo(500);
        assertThat(p.a.tcp.timeouts()).isEqualTo(1);
        assertThat(p.sentAt.get(p.frames.size() - 2)).isEqualTo(start + 200 * MS);
        assertThat(p.a.tcp.congestionWindow())
                .as("one segment, and slow start again")
                .isEqualTo(MSS + 500);
    }

    /** Nobody answers: the timeouts double, and after the last retry it is given up. 1 + 2 + 4 + 8 s with three retries. */
    @Test
    void aSilentPeerIsGivenUpAfterAllRetries() {
        TcpSpec three = new TcpSpec(1500, 4096, 4096, 10, 0, false, 0, 1000 * MS, 200 * MS, 120_000 * MS, 3, 0);
        TcpPair p = new TcpPair(three, three, (n, a, f) -> new long[0]);
        p.a.tcp.connect(1, 0);
        p.run(14_999 * MS);
        assertThat(p.a.failure).isEmpty();
        p.run(15_000 * MS);
        assertThat(p.a.failure).contains("timed out after 3 retries");
        assertThat(p.sentAt).containsExactly(0L, 1000 * MS, 3000 * MS, 7000 * MS);
        assertThat(p.a.tcp.phase()).isEqualTo(TcpPhase.CLOSED);
        assertThat(p.a.tcp.deadline()).isEqualTo(Long.MAX_VALUE);
    }

    /** RFC 6298: 100 ms first, then 60 ms: SRTT 95 ms, RTTVAR 47.5 ms. */
    @Test
    void theTimeoutFollowsTheRoundTrips() {
        RoundTrip r = new RoundTrip(LINUX);
        assertThat(r.rto()).isEqualTo(1000 * MS);
        r.measured(100 * MS);
        assertThat(r.rto()).isEqualTo(300 * MS);
        r.measured(60 * MS);
        assertThat(r.smoothed()).isEqualTo(95 * MS);
        assertThat(r.rto()).isEqualTo(95 * MS + 4 * 47_500 * US);
        for (int i = 0; i < 100; i++) {
            r.measured(MS);
        }
        assertThat(r.rto()).as("never below the least").isEqualTo(200 * MS);
        r.expired();
        assertThat(r.rto()).isEqualTo(400 * MS);
    }

    /** A single small segment is acknowledged 40 ms later; more than one full segment at once. */
    @Test
    void acknowledgementsOfSingleSegmentsWait() {
        TcpPair p = connected(TcpPair.lossless(LINUX, 10 * US));
        long start = p.now;
        p.a.send(bytes(100, 4));
        p.run(start + 100 * MS);
        assertThat(p.sentAt.get(p.frames.size() - 1)).isEqualTo(start + 10 * US + 40 * MS);
        assertThat(p.b.tcp.delayedAcks()).isEqualTo(1);
        long again = p.now;
        p.a.send(bytes(2 * MSS, 5));
        p.run(again + 100 * MS);
        assertThat(p.sentAt.get(p.frames.size() - 1)).isEqualTo(again + 10 * US);
        assertThat(p.b.tcp.delayedAcks()).isEqualTo(1);
    }

    /** An answer carries the acknowledgement. */
    @Test
    void answersCarryAcknowledgements() {
        TcpPair p = connected(TcpPair.lossless(LINUX, 10 * US));
        int before = p.frames.size();
        p.a.send(bytes(72, 6));
        p.run(p.now + 15 * US);
        p.b.send(bytes(24, 7));
        p.run(p.now + 15 * US);
        assertThat(p.frames).hasSize(before + 2);
        assertThat(p.b.tcp.pureAcks()).isZero();
    }

    /** Who does not read shuts the window; probes find out that it opened, even if the announcement is lost. */
    @Test
    void aShutWindowIsProbed() {
        TcpSpec small = LINUX.withBuffers(1 << 16, 4096);
        boolean[] deaf = {false};
        TcpPair p =
                connected(new TcpPair(small, small, (n, a, f) -> deaf[0] && !a ? new long[0] : new long[] {10 * US}));
        p.b.reads = false;
        byte[] data = bytes(10_000, 8);
        p.a.send(data);
        p.run(p.now + 100 * MS);
        assertThat(p.b.tcp.readable()).isEqualTo(4096);
        deaf[0] = true;
        p.b.read();
        p.b.reads = true;
        deaf[0] = false;
        long shut = p.now;
        p.run(p.now + 2000 * MS);
        assertThat(p.b.received()).isEqualTo(data);
        assertThat(p.now).as("a probe was due").isGreaterThan(shut);
    }

    /** Both ways end by themselves; who closes first keeps the numbers for a while. */
    @Test
    void bothEndsClose() {
        TcpPair p = connected(TcpPair.lossless(LINUX, 10 * US));
        p.a.closes = true;
        p.a.send(bytes(5000, 9));
        p.run(p.now + MS);
        assertThat(p.b.gotBytes).isEqualTo(5000);
        assertThat(p.b.tcp.isAtEnd()).isTrue();
        assertThat(p.a.tcp.phase()).isEqualTo(TcpPhase.FIN_WAIT_2);
        assertThat(p.b.tcp.phase()).isEqualTo(TcpPhase.CLOSE_WAIT);
        p.b.send(bytes(3000, 10));
        p.b.tcp.close(p.now);
        p.run(p.now + MS);
        assertThat(p.a.gotBytes).isEqualTo(3000);
        assertThat(p.a.tcp.phase()).isEqualTo(TcpPhase.TIME_WAIT);
        assertThat(p.b.tcp.phase()).isEqualTo(TcpPhase.CLOSED);
        p.run(p.now + 60_001 * MS);
        assertThat(p.a.tcp.phase()).isEqualTo(TcpPhase.CLOSED);
    }

    @Test
    void aResetEndsTheConnectionAtOnce() {
        TcpPair p = connected(TcpPair.lossless(LINUX, 10 * US));
        p.a.tcp.abort();
        p.run(p.now + MS);
        assertThat(p.b.failure).isEqualTo("reset by peer");
        assertThat(p.b.tcp.phase()).isEqualTo(TcpPhase.CLOSED);
    }

    /** A reset from outside of the window does nothing (RFC 5961), nor does a SYN in the middle. */
    @Test
    void strayResetsAndSynsDoNothing() {
        TcpPair p = connected(TcpPair.lossless(LINUX, 10 * US));
        TcpSegment stray = new TcpSegment().flow(p.a.tcp.flow());
        stray.seq = 1000 - 77;
        stray.flags = TcpSegment.RST;
        p.b.tcp.arrived(stray, new byte[0], p.now);
        assertThat(p.b.tcp.phase()).isEqualTo(TcpPhase.ESTABLISHED);
        stray.seq = 1001;
        stray.ack = 7001;
        stray.flags = TcpSegment.SYN | TcpSegment.ACK;
        int before = p.frames.size();
        p.b.tcp.arrived(stray, new byte[0], p.now);
        assertThat(p.b.tcp.phase()).isEqualTo(TcpPhase.ESTABLISHED);
        assertThat(p.frames).hasSize(before + 1);
    }

    /** Nobody listens: the answer is a reset, and no second try. */
    @Test
    void aClosedPortRefuses() {
        TcpPair p = TcpPair.lossless(LINUX, 10 * US);
        p.listening = false;
        p.a.tcp.connect(1, 0);
        p.run(10_000 * MS);
        assertThat(p.a.failure).isEqualTo("connection refused");
        assertThat(p.frames).hasSize(2);
    }

    /** Large segments are cut into the same frames as small ones; joined again they are few. */
    @Test
    void lateCuttingChangesNoByteOnTheWire() {
        byte[] data = bytes(10 * MSS, 11);
        TcpPair plain = connected(TcpPair.lossless(LINUX.withOffloads(0, true), 10 * US));
        TcpPair late = connected(TcpPair.lossless(LINUX.withOffloads(65_535, true), 10 * US));
        plain.a.send(data);
        late.a.send(data);
        plain.run(plain.now + MS);
        late.run(late.now + MS);
        assertThat(late.b.received()).isEqualTo(data);
        for (int i = 3; i < 13; i++) {
            byte[] x = plain.frames.get(i);
            byte[] y = late.frames.get(i);
            assertThat(y).isEqualTo(x);
        }
        assertThat(late.b.tcp.pureAcks()).as("one joined segment").isEqualTo(1);
    }
}
