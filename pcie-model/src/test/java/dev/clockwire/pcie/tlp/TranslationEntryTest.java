package dev.clockwire.pcie.tlp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.pcie.link.TlpTrain;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** Packets of address translation, written down by hand from the layouts of Address Translation Services 1.1. */
class TranslationEntryTest {
    private static String hex(byte[] bytes, int n) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < n; i++) {
            text.append(String.format(java.util.Locale.ROOT, "%02x", bytes[i]));
        }
        return text.toString();
    }

    private static String entry(long address, int shift, long rights) {
        byte[] bytes = new byte[8];
        TranslationEntry.put(TranslationEntry.of(address, shift, rights), bytes, 0);
        return hex(bytes, 8);
    }

    /** S is bit 11, W bit 1, R bit 0; 8 KB has bit 12 clear, 2 MB has ones in 19:12 and bit 20 clear, 1 GB ones in 28:12. */
    @Test
    void entriesAreThoseOfTheSpecification() {
        assertThat(entry(0x1234_5678_9000L, 12, 3)).isEqualTo("0000123456789003");
        assertThat(entry(0x1234_5678_8000L, 13, 3)).isEqualTo("0000123456788803");
        assertThat(entry(0x1234_5678_9000L, 21, 3)).isEqualTo("00001234566ff803");
        assertThat(entry(0x1234_5678_9000L, 30, 1)).isEqualTo("000012345ffff801");
        assertThat(entry(0, 12, 0)).isEqualTo("0000000000000000");
    }

    private static String header(TlpTrain train) {
        TlpHeader h = new TlpHeader();
        train.header(0, h);
        byte[] bytes = new byte[16];
        return hex(bytes, TlpCodec.encode(h, bytes, 0));
    }

    /** AT is bits 11:10 of DW 0; the length of a request for one translation is 2 DW; invalidation is routed by ID, codes 1 and 2. */
    @Test
    void headersAreThoseOfTheSpecification() {
        TlpTrain request = new TlpTrain().reads(0x1_2345_6000L, 0x0100);
        request.addRead(8, 0x2A);
        request.addressType = TlpHeader.AT_REQUEST;
        assertThat(header(request)).isEqualTo("2000040201002aff0000000123456000");
        TlpTrain write = new TlpTrain().writes(0x9876_5000L, 64, 256, 0x0100);
        write.addressType = TlpHeader.AT_TRANSLATED;
        assertThat(header(write)).isEqualTo("40000810010000ff98765000");
        TlpTrain invalidate = new TlpTrain().invalidate(TranslationEntry.of(0x5000, 12, 0), 7, 0, 0x0100);
        assertThat(header(invalidate)).isEqualTo("72000002000007010100000000000000");
        assertThat(invalidate.dataDw(0)).isEqualTo(2);
        TlpTrain done = new TlpTrain().invalidated(1 << 7, 0x0100, 0);
        assertThat(header(done)).isEqualTo("32000000010000020000000100000080");
        for (TlpTrain t : new TlpTrain[] {request, write, invalidate, done}) {
            TlpHeader h = new TlpHeader();
            t.header(0, h);
            assertThat(t.digest(0)).isEqualTo(TlpCodec.word01(h) * 0x9E3779B97F4A7C15L + TlpCodec.word23(h));
        }
    }

    @Property
    void whatIsWrittenIsRead(
            @ForAll long address,
            @ForAll @IntRange(min = 12, max = 62) int shift,
            @ForAll @LongRange(min = 0, max = 3) long rights) {
        byte[] bytes = new byte[8];
        TranslationEntry.put(TranslationEntry.of(address, shift, rights), bytes, 0);
        long entry = TranslationEntry.get(bytes, 0);
        assertThat(TranslationEntry.shift(entry)).isEqualTo(shift);
        assertThat(TranslationEntry.address(entry)).isEqualTo(address & -1L << shift);
        assertThat(entry & 3).isEqualTo(rights);
        assertThat(TranslationEntry.isMapped(entry)).isEqualTo(rights == 3);
    }
}
