package dev.clockwire.pcie.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.pcie.tlp.ByteEnables;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.pcie.tlp.TlpCodec;
import dev.clockwire.pcie.tlp.TlpHeader;
import dev.clockwire.pcie.tlp.TlpRule;
import dev.clockwire.pcie.tlp.TlpSplit;
import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.sim.state.Snapshot;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class TlpTrainProperties {
    private final TlpHeader h = new TlpHeader();

    /** The digest is that of the header words, the data are those of the header, and no rule is broken. */
    private void checkPackets(TlpTrain t, int maxPayload) {
        Set<Long> digests = new HashSet<>();
        for (int i = 0; i < t.count; i++) {
            t.header(i, h);
            assertThat(h.type).isEqualTo(t.type);
            assertThat(t.digest(i)).isEqualTo(TlpCodec.word01(h) * 0x9E3779B97F4A7C15L + TlpCodec.word23(h));
            assertThat(digests.add(t.digest(i))).isTrue();
            assertThat(TlpRule.broken(h, maxPayload)).isNull();
            assertThat(t.dataDw(i)).isEqualTo(h.type.hasData() ? h.lengthDw : 0);
            assertThat(t.fourDw(i)).isEqualTo(h.headerBytes() == 16);
        }
    }

    @Property
    void writes(
            @ForAll @LongRange(min = 0, max = 1L << 33) long address,
            @ForAll @IntRange(min = 1, max = 20_000) int bytes,
            @ForAll boolean relaxed) {
        TlpTrain t = new TlpTrain().writes(address, bytes, 256, 0x1234);
        t.relaxed = relaxed;
        checkPackets(t, 256);
        long at = address;
        for (int i = 0; i < t.count; i++) {
            t.header(i, h);
            assertThat(h.address + ByteEnables.offset(h.firstBe)).isEqualTo(at);
            assertThat(h.attributes).isEqualTo(relaxed ? TlpHeader.ATTR_RELAXED : 0);
            assertThat(t.bytes(i)).isEqualTo(TlpSplit.write(at, bytes - (at - address), 256));
            at += t.bytes(i);
        }
        assertThat(t.length()).isEqualTo(bytes);
        assertThat(at).isEqualTo(address + bytes);
    }

    @Property
    void completionsOfSeveralRequests(
            @ForAll @LongRange(min = 0, max = 1L << 40) long address,
            @ForAll @IntRange(min = 1, max = 40) int requests,
            @ForAll @IntRange(min = 1, max = 1500) int bytes) {
        TlpTrain t = new TlpTrain().completions(address, 3, 0x1234);
        for (int q = 0; q < requests; q++) {
            t.addCompletions(bytes, 256, q, 1000 + q);
        }
        checkPackets(t, 256);
        assertThat(t.length()).isEqualTo(requests * bytes);
        int ends = 0;
        int left = bytes;
        for (int i = 0; i < t.count; i++) {
            t.header(i, h);
            assertThat(h.byteCount).isEqualTo(left);
            assertThat(h.tag).isEqualTo(ends);
            assertThat(t.arrival[i]).isEqualTo(1000 + ends);
            assertThat(h.lowerAddress).isEqualTo((int) (address + t.offset[i] & 0x7f));
            left -= t.bytes(i);
            assertThat(t.endsRequest(i)).isEqualTo(left == 0);
            if (left == 0) {
                assertThat(t.requestEnd(i, t.count)).isEqualTo(i);
                left = bytes;
                ends++;
            } else {
                assertThat(t.requestEnd(i, t.count)).isGreaterThan(i);
                assertThat(t.requestEnd(i, i + 1)).isEqualTo(i + 1);
            }
        }
        assertThat(ends).isEqualTo(requests);
    }

    @Property
    void reads(
            @ForAll @IntRange(min = 1, max = 100) int requests, @ForAll @LongRange(min = 0, max = 1L << 33) long page) {
        TlpTrain t = new TlpTrain().reads(page & -4096, 9);
        for (int q = 0; q < requests; q++) {
            t.addRead(512, 700 + q, 5L * q);
        }
        checkPackets(t, 128);
        assertThat(t.count).isEqualTo(requests);
        for (int q = 0; q < requests; q++) {
            t.header(q, h);
            assertThat(h.address).isEqualTo((page & -4096) + 512L * q);
            assertThat(h.tag).isEqualTo(700 + q);
            assertThat(t.arrival[q]).isEqualTo(5L * q);
        }
    }

    @Test
    void emptyReadsAndRefusals() {
        TlpTrain t = new TlpTrain().completions(0x1003, 0, 256, 1, 2, 3);
        assertThat(t.count).isEqualTo(1);
        t.header(0, h);
        assertThat(h.byteCount).isEqualTo(1);
        assertThat(h.lengthDw).isEqualTo(1);
        assertThat(t.endsRequest(0)).isTrue();
        t.refusal(CompletionStatus.CA, 64, 1, 2, 3);
        checkPackets(t, 256);
        assertThat(h.type).isEqualTo(TlpType.CPL);
        assertThat(h.status).isEqualTo(CompletionStatus.CA);
        assertThat(h.byteCount).isEqualTo(64);
        assertThat(t.endsRequest(0)).isTrue();
    }

    @Test
    void aSnapshotHoldsACopy() {
        TlpTrain t = new TlpTrain().writes(1L << 33, 5000, 256, 0x1234);
        t.data.appendZeros(5000);
        t.relaxed = true;
        t.announced = true;
        t.timed = true;
        t.cookie = 77;
        t.stage = 3;
        t.journey = 5;
        t.arrival[19] = 123;
        Snapshot s = new Snapshot();
        s.putToken(t);
        long before = t.digest(3);
        TlpTrain copy = Objects.requireNonNull((TlpTrain) s.getToken());
        assertThat(copy)
                .isNotSameAs(t)
                .usingRecursiveComparison()
                .ignoringFields("data")
                .isEqualTo(t);
        assertThat(copy.data.sameContent(t.data)).isTrue();
        t.clear();
        assertThat(copy.digest(3)).isEqualTo(before);
        assertThat(t.data.length()).isZero();
        assertThat(t.journey).isZero();
    }
}
