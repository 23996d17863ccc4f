package dev.clockwire.roce.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

class MadProperties {
    private static PrivateData data(Random random, int most) {
        byte[] bytes = new byte[random.nextInt(most + 1)];
        random.nextBytes(bytes);
        return PrivateData.of(bytes);
    }

    private static int bits(Random random, int width) {
        return width == 32 ? random.nextInt() : random.nextInt(1 << width);
    }

    private static CmPath path(Random r) {
        return new CmPath(
                bits(r, 16),
                bits(r, 16),
                new Gid(r.nextLong(), r.nextLong()),
                new Gid(r.nextLong(), r.nextLong()),
                bits(r, 20),
                bits(r, 6),
                bits(r, 8),
                bits(r, 8),
                bits(r, 4),
                r.nextBoolean(),
                bits(r, 5));
    }

    private static CmReq request(Random r) {
        return new CmReq(
                r.nextInt(),
                r.nextLong(),
                r.nextLong(),
                r.nextInt(),
                bits(r, 24),
                bits(r, 8),
                bits(r, 8),
                bits(r, 5),
                bits(r, 2),
                r.nextBoolean(),
                bits(r, 24),
                bits(r, 5),
                bits(r, 3),
                bits(r, 16),
                bits(r, 4),
                r.nextBoolean(),
                bits(r, 3),
                bits(r, 4),
                r.nextBoolean(),
                bits(r, 3),
                bits(r, 24),
                bits(r, 24),
                path(r),
                path(r),
                data(r, 92));
    }

    private static CmMessage message(Random r, CmAttribute attribute) {
        int a = r.nextInt();
        int b = r.nextInt();
        PrivateData data = data(r, attribute.privateBytes());
        return switch (attribute) {
            case REQ -> request(r);
            case REP ->
                new CmRep(
                        a,
                        b,
                        r.nextInt(),
                        bits(r, 24),
                        bits(r, 24),
                        bits(r, 8),
                        bits(r, 8),
                        bits(r, 5),
                        bits(r, 2),
                        r.nextBoolean(),
                        bits(r, 3),
                        r.nextBoolean(),
                        bits(r, 24),
                        r.nextLong(),
                        data);
            case RTU -> new CmRtu(a, b, data);
            case REJ -> new CmRej(a, b, bits(r, 2), bits(r, 16), data(r, 72), data);
            case MRA -> new CmMra(a, b, bits(r, 2), bits(r, 5), data);
            case DREQ -> new CmDreq(a, b, bits(r, 24), data);
            case DREP -> new CmDrep(a, b, data);
            case SIDR_REQ -> new CmSidrReq(a, bits(r, 16), r.nextLong(), data);
            case SIDR_REP -> new CmSidrRep(a, bits(r, 8), bits(r, 24), r.nextLong(), b, data(r, 72), data);
        };
    }

    @Property
    void whatIsWrittenIsRead(@ForAll Random random, @ForAll CmAttribute attribute) {
        Mad mad = new Mad(random.nextLong(), message(random, attribute));
        byte[] bytes = new byte[7 + Mad.BYTES];
        random.nextBytes(bytes);
        mad.encode(bytes, 7);
        assertThat(Mad.decode(bytes, 7, Mad.BYTES)).isEqualTo(mad);
    }

    @Property
    void nothingMakesTheReaderStumble(@ForAll @Size(max = 300) byte[] bytes, @ForAll CmAttribute attribute) {
        if (bytes.length >= 24) {
            byte[] head = {1, 7, 2, 3};
            System.arraycopy(head, 0, bytes, 0, 4);
            bytes[16] = 0;
            bytes[17] = (byte) attribute.id();
        }
        Mad mad = Mad.decode(bytes, 0, bytes.length);
        assertThat(mad == null).isEqualTo(bytes.length < Mad.BYTES);
    }

    @Property
    void ipHeadersStandInFrontOfThePrivateData(@ForAll Random random, @ForAll boolean ipv4) {
        Gid from = ipv4 ? Gid.ofIpv4(random.nextInt()) : new Gid(random.nextLong() | 1, random.nextLong());
        Gid to = ipv4 ? Gid.ofIpv4(random.nextInt()) : new Gid(random.nextLong() | 1, random.nextLong());
        IpCmHeader header = new IpCmHeader(bits(random, 16), from, to);
        PrivateData application = data(random, 56);
        PrivateData all = header.with(application);
        assertThat(IpCmHeader.read(all)).isEqualTo(header);
        assertThat(IpCmHeader.application(all)).isEqualTo(application);
    }

    @Example
    void otherDatagramsAreNone() {
        byte[] bytes = new byte[Mad.BYTES];
        new Mad(1, new CmRtu(1, 2, PrivateData.NONE)).encode(bytes, 0);
        for (int at : new int[] {0, 1, 2, 3, 16, 17}) {
            byte[] other = bytes.clone();
            other[at] ^= 0x40;
            assertThat(Mad.decode(other, 0, other.length)).as("byte %d", at).isNull();
        }
    }

    @Example
    void privateDataHasItsRoom() {
        byte[] much = new byte[225];
        much[224] = 1;
        assertThatThrownBy(() -> new Mad(1, new CmRtu(1, 2, PrivateData.of(much))).encode(new byte[256], 0))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("225 bytes of private data: a RTU carries at most 224");
    }

    @Example
    void headersOfAnotherVersionAreRefused() {
        IpCmHeader header = new IpCmHeader(1, Gid.ofIpv4(1), Gid.ofIpv4(2));
        byte[] bytes = header.with(PrivateData.NONE).bytes(36);
        bytes[0] = 0x10;
        assertThat(IpCmHeader.read(PrivateData.of(bytes))).isNull();
        assertThat(IpCmHeader.read(PrivateData.NONE)).isNull();
    }
}
