package dev.clockwire.pcie.tlp;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class TlpCodecProperties {
    @Provide
    Arbitrary<TlpHeader> headers() {
        return Arbitraries.randomValue(random -> {
            TlpHeader h = new TlpHeader();
            TlpType[] types = TlpType.values();
            h.type = types[random.nextInt(types.length)];
            h.fourDw = h.type.isMessage() || (h.type.isMemory() && random.nextBoolean());
            h.trafficClass = random.nextInt(8);
            h.attributes = random.nextInt(8);
            h.ln = random.nextBoolean();
            h.th = random.nextBoolean();
            h.digest = random.nextBoolean();
            h.poisoned = random.nextBoolean();
            h.addressType = random.nextInt(4);
            h.lengthDw = 1 + random.nextInt(1024);
            h.requesterId = random.nextInt(1 << 16);
            h.tag = random.nextInt(1 << 10);
            long address = random.nextLong();
            if (h.type.isCompletion()) {
                h.completerId = random.nextInt(1 << 16);
                h.status = CompletionStatus.of(random.nextInt(3));
                h.byteCountModified = random.nextBoolean();
                h.byteCount = 1 + random.nextInt(4096);
                h.lowerAddress = random.nextInt(128);
            } else if (h.type.isMessage()) {
                h.routing = random.nextInt(8);
                h.messageCode = random.nextInt(256);
                h.address = address;
            } else {
                h.firstBe = random.nextInt(16);
                h.lastBe = random.nextInt(16);
                if (h.type.isConfiguration()) {
                    h.completerId = random.nextInt(1 << 16);
                    h.address = address & 0xffc;
                } else {
                    h.address = h.fourDw ? address & ~3L : address & 0xffff_fffcL;
                    h.processingHint = h.th && h.type.isMemory() ? random.nextInt(4) : 0;
                }
            }
            return h;
        });
    }

    @Property(tries = 500)
    void everyHeaderSurvivesTheRoundTrip(@ForAll("headers") TlpHeader h) {
        byte[] wire = new byte[20];
        int n = TlpCodec.encode(h, wire, 2);
        assertThat(n).isEqualTo(h.headerBytes());
        TlpHeader back = new TlpHeader();
        assertThat(TlpCodec.decodeHeader(wire, 2, n, back)).isEqualTo(DecodeResult.OK);
        assertThat(back).usingRecursiveComparison().isEqualTo(h);
        assertThat(back).isEqualTo(h).hasSameHashCodeAs(h);
        assertThat(back.toString()).isEqualTo(h.toString()).startsWith(h.type.label());
    }

    @Property(tries = 3000)
    void garbageNeverThrows(@ForAll @Size(max = 40) byte[] bytes, @ForAll @IntRange(max = 40) int length) {
        TlpHeader h = new TlpHeader();
        DecodeResult whole = TlpCodec.decode(bytes, 0, length, h);
        if (length > bytes.length) {
            assertThat(whole).isEqualTo(DecodeResult.TRUNCATED);
        }
        if (whole == DecodeResult.OK) {
            assertThat(h.totalBytes()).isEqualTo(length);
            TlpRule.broken(h, 256);
            byte[] again = new byte[16];
            int n = TlpCodec.encode(h, again, 0);
            TlpHeader back = new TlpHeader();
            assertThat(TlpCodec.decodeHeader(again, 0, n, back)).isEqualTo(DecodeResult.OK);
            assertThat(back).isEqualTo(h);
        }
    }

    @Property(tries = 2000)
    void theShortCutsGiveTheSameWords(
            @ForAll @LongRange(min = 0, max = 1L << 45) long address,
            @ForAll @IntRange(min = 1, max = 4096) int length,
            @ForAll @IntRange(max = 1023) int tag,
            @ForAll @IntRange(max = 65535) int id) {
        int n = (int) Math.min(length, 4096 - (address & 4095));
        TlpHeader h = new TlpHeader().memory(TlpType.MRD, address, n, id, tag);
        assertThat(TlpWords.read01(address, n, id, tag)).isEqualTo(TlpCodec.word01(h));
        assertThat(TlpWords.address23(address)).isEqualTo(TlpCodec.word23(h));
        h.memory(TlpType.MWR, address, n, id, 0);
        assertThat(TlpWords.write01(address, n, id, false)).isEqualTo(TlpCodec.word01(h));
        h.attributes = TlpHeader.ATTR_RELAXED;
        assertThat(TlpWords.write01(address, n, id, true)).isEqualTo(TlpCodec.word01(h));
        h.completion(address, n, length, 7, id, tag);
        assertThat(TlpWords.completion01(address, n, length, 7, tag)).isEqualTo(TlpCodec.word01(h));
        assertThat(TlpWords.completion23(address, id, tag)).isEqualTo(TlpCodec.word23(h));
        h.clear();
        h.type = TlpType.CPL;
        h.status = CompletionStatus.UR;
        h.byteCount = length;
        h.completerId = 7;
        h.requesterId = id;
        h.tag = tag;
        assertThat(TlpWords.error01(CompletionStatus.UR, length, 7, tag)).isEqualTo(TlpCodec.word01(h));
    }

    /** Byte enables against the definition: one bit for each byte that is written. */
    @Property
    void enablesMarkExactlyTheBytes(
            @ForAll @LongRange(min = 0, max = 1 << 20) long address, @ForAll @IntRange(min = 1, max = 64) int bytes) {
        int dw = ByteEnables.lengthDw(address, bytes);
        int first = ByteEnables.first(address, bytes);
        int last = ByteEnables.last(address, bytes);
        int marked = 0;
        for (int i = 0; i < dw; i++) {
            int enables = i == 0 ? first : i == dw - 1 ? last : 0xf;
            for (int k = 0; k < 4; k++) {
                long byteAddress = (address & ~3L) + 4L * i + k;
                boolean inside = byteAddress >= address && byteAddress < address + bytes;
                assertThat((enables >> k & 1) == 1).isEqualTo(inside);
                marked += inside ? 1 : 0;
            }
        }
        assertThat(marked).isEqualTo(bytes);
        assertThat(ByteEnables.span(dw, first, last)).isEqualTo(bytes);
        assertThat(ByteEnables.offset(first)).isEqualTo((int) (address & 3));
    }
}
