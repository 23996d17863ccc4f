package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.doorbell.ArmWord;
import dev.clockwire.nic.doorbell.Uar;
import dev.clockwire.nic.format.Cqe;
import dev.clockwire.nic.format.CqeSyndrome;
import dev.clockwire.nic.format.Eqe;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.format.WqeOpcode;
import dev.clockwire.nic.format.WqeWriter;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.wire.Encapsulation;
import dev.clockwire.roce.wire.FlowAddress;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/** Every row of docs/formats.md against the code. */
class FormatsDocumentTest {
    private static final String CONTROL = "### Control segment";
    private static final String DATAGRAM = "### Datagram segment";
    private static final String CQE = "## CQE";

    private static List<DocumentedField> fields(String heading) {
        return MarkdownTable.under(heading, 0).stream().map(DocumentedField::of).toList();
    }

    private static Map<String, Long> values(String heading, byte[] bytes, int at) {
        Map<String, Long> values = new TreeMap<>();
        fields(heading).forEach(f -> values.put(f.name(), f.value(bytes, at)));
        return values;
    }

    /** With only this field's bits set the reader sees all ones, with only its bits clear it sees 0. */
    private static void readerAgrees(
            String heading, int at, Map<String, ToLongFunction<Wqe>> readers, Consumer<Wqe> needed, boolean datagram) {
        for (DocumentedField f : fields(heading)) {
            ToLongFunction<Wqe> reader = readers.get(f.name());
            if (reader == null) {
                continue;
            }
            for (boolean one : new boolean[] {true, false}) {
                Wqe wqe = new Wqe();
                Arrays.fill(wqe.raw, at, at + length(heading), (byte) (one ? 0 : 0xFF));
                needed.accept(wqe);
                f.fill(wqe.raw, at, one);
                wqe.parse(datagram);
                assertThat(reader.applyAsLong(wqe)).as("%s %s", heading, f).isEqualTo(one ? f.ones() : 0);
            }
        }
    }

    private static int length(String heading) {
        return fields(heading).stream().mapToInt(f -> f.last() + 1).max().orElseThrow();
    }

    @Test
    void theParserReadsTheControlSegmentAsDocumented() {
        Map<String, ToLongFunction<Wqe>> readers = Map.of(
                "index", w -> w.index,
                "opcode", w -> w.opcode,
                "qpn", w -> w.qpn & 0xFFFFFFL,
                "fence", w -> w.fence ? 7 : 0,
                "ce", w -> w.signaled ? 3 : 0,
                "se", w -> w.solicited ? 1 : 0,
                "imm", w -> w.imm & 0xFFFFFFFFL);
        readerAgrees(CONTROL, 0, readers, w -> {}, false);
        Wqe wqe = new Wqe();
        DocumentedField ds = fields(CONTROL).stream()
                .filter(f -> f.name().equals("ds"))
                .findFirst()
                .orElseThrow();
        ds.fill(wqe.raw, 0, true);
        wqe.parse(false);
        assertThat(wqe.blocks).isEqualTo((int) (ds.ones() * 16 + 63) / 64);
    }

    @Test
    void theParserReadsTheDatagramSegmentAsDocumented() {
        Map<String, ToLongFunction<Wqe>> readers = Map.of(
                "qkey", w -> w.qkey & 0xFFFFFFFFL,
                "dqpn", w -> w.destQp,
                "sport", w -> w.flow.udpSourcePort,
                "dmac", w -> w.flow.dstMac,
                "tclass", w -> w.flow.trafficClass(),
                "hop", w -> w.flow.hopLimit,
                "gid", w -> w.flow.encapsulation == Encapsulation.IPV6 ? 1 : 0,
                "label", w -> w.flow.flowLabel,
                "dgidhi", w -> w.flow.dstHi,
                "dgidlo", w -> w.flow.dstLo);
        readerAgrees(DATAGRAM, 16, readers, w -> w.raw[3] = WqeOpcode.SEND, true);
    }

    @Test
    void theParserReadsAddressesAsDocumented() {
        readerAgrees(
                "### Remote address segment",
                16,
                Map.of("va", w -> w.remoteVa, "rkey", w -> w.rkey & 0xFFFFFFFFL),
                w -> w.raw[3] = WqeOpcode.RDMA_WRITE,
                false);
        readerAgrees(
                "### Atomic segment",
                32,
                Map.of("swap", w -> w.swapAdd, "compare", w -> w.compare),
                w -> w.raw[3] = WqeOpcode.ATOMIC_CS,
                false);
        readerAgrees(
                "### Data segment",
                16,
                Map.of(
                        "count", w -> Wqe.count(Wqe.bytes(w.sgeLength[0])),
                        "lkey", w -> w.sgeLkey[0] & 0xFFFFFFFFL,
                        "addr", w -> w.sgeVa[0]),
                w -> {
                    w.raw[3] = WqeOpcode.SEND;
                    w.raw[7] = 2;
                    w.raw[16] &= 0x7F;
                },
                false);
    }

    @Test
    void theParserReadsTheWindowSegmentAsDocumented() {
        readerAgrees(
                "### Window segment",
                16,
                Map.of(
                        "key", w -> w.rkey & 0xFFFFFFFFL,
                        "lkey", w -> w.windowLkey & 0xFFFFFFFFL,
                        "va", w -> w.remoteVa,
                        "length", w -> w.windowLength,
                        "access", w -> w.windowAccess & 0xFFFFFFFFL),
                w -> w.raw[3] = WqeOpcode.UMR,
                false);
        WqeWriter w = new WqeWriter();
        w.begin(WqeOpcode.UMR, 0, 1, false, false, false, 0);
        w.window(0x11121314, 0x21222324, 0x3132333435363738L, 0x4142434445464748L, 0x51525354);
        w.finish();
        assertThat(values("### Window segment", w.bytes(), 16))
                .isEqualTo(Map.of(
                        "key", 0x11121314L,
                        "lkey", 0x21222324L,
                        "va", 0x3132333435363738L,
                        "length", 0x4142434445464748L,
                        "access", 0x51525354L));
    }

    @Test
    void theWaitSegmentIsAsDocumented() {
        readerAgrees(
                "### Wait segment",
                16,
                Map.of("pi", w -> w.waitIndex & 0xFFFFFFFFL, "number", w -> w.waitNumber & 0xFFFFFFFFL),
                w -> w.raw[3] = WqeOpcode.WAIT,
                false);
        WqeWriter w = new WqeWriter();
        w.begin(WqeOpcode.WAIT, 0, 1, false, false, false, 0);
        w.waitFor(0x11121314, 0x7_2122_2324L);
        assertThat(w.finish()).isEqualTo(32);
        assertThat(values("### Wait segment", w.bytes(), 16))
                .isEqualTo(Map.of("pi", 0x21222324L, "number", 0x11121314L));
    }

    @Test
    void eventsAreAsDocumented() throws IllegalAccessException {
        Map<String, Integer> types = constants(Eqe.class, 0);
        types.remove("BYTES");
        assertThat(numbers(MarkdownTable.under("## EQE", 1))).isEqualTo(types);
        byte[] eqe = new byte[Eqe.BYTES];
        Eqe.write(eqe, Eqe.SRQ_LIMIT, 0xABCDEF, true);
        assertThat(values("## EQE", eqe, 0)).isEqualTo(Map.of("type", 0x14L, "number", 0xABCDEFL, "owner", 1L));
        long word = ArmWord.of(0x123456, 0xABCDEF, 2, true);
        assertThat(ArmWord.cqn(word)).isEqualTo(0x123456);
        assertThat(ArmWord.seen(word)).isEqualTo(0xABCDEF);
        assertThat(ArmWord.solicitedOnly(word)).isTrue();
        assertThat(ArmWord.sequence(word)).isEqualTo(2);
        assertThat(ArmWord.solicitedOnly(ArmWord.of(0xFFFFFF, 0xFFFFFF, 3, false)))
                .isFalse();
    }

    @Test
    void theWriterWritesControlAndDatagramAsDocumented() {
        WqeWriter w = new WqeWriter();
        FlowAddress to = new FlowAddress();
        to.setIpv6(0, 0, 0x1122334455667788L, 0x99AABBCCDDEEFF00L);
        to.dstMac = 0xA1A2A3A4A5A6L;
        to.udpSourcePort = 0xC123;
        to.setTrafficClass(0x6A);
        to.hopLimit = 63;
        to.flowLabel = 0xFEDCB;
        w.begin(WqeOpcode.SEND_IMM, 0x1_BEEF, 0xABCDEF, true, true, true, 0x01020304);
        w.datagram(0x80010000, 0x123456, to);
        w.finish();
        assertThat(values(CONTROL, w.bytes(), 0))
                .isEqualTo(Map.of(
                        "index",
                        0xBEEFL,
                        "opcode",
                        0x0BL,
                        "qpn",
                        0xABCDEFL,
                        "ds",
                        4L,
                        "fence",
                        4L,
                        "ce",
                        2L,
                        "se",
                        1L,
                        "imm",
                        0x01020304L));
        assertThat(values(DATAGRAM, w.bytes(), 16))
                .containsEntry("qkey", 0x80010000L)
                .containsEntry("ext", 1L)
                .containsEntry("dqpn", 0x123456L)
                .containsEntry("sport", 0xC123L)
                .containsEntry("dmac", 0xA1A2A3A4A5A6L)
                .containsEntry("tclass", 0x6AL)
                .containsEntry("hop", 63L)
                .containsEntry("grh", 1L)
                .containsEntry("gid", 1L)
                .containsEntry("label", 0xFEDCBL)
                .containsEntry("dgidhi", 0x1122334455667788L)
                .containsEntry("dgidlo", 0x99AABBCCDDEEFF00L);
    }

    @Test
    void theWriterWritesAddressesAndDataAsDocumented() {
        WqeWriter w = new WqeWriter();
        w.begin(WqeOpcode.ATOMIC_CS, 0, 1, false, false, false, 0);
        w.remoteAddress(0x1122334455667788L, 0x0A0B0C0D);
        w.atomic(5, 6);
        w.data(0x10_0000_1000L, 8, 0x125);
        assertThat(w.finish()).isEqualTo(64);
        assertThat(values("### Remote address segment", w.bytes(), 16))
                .isEqualTo(Map.of("va", 0x1122334455667788L, "rkey", 0x0A0B0C0DL));
        assertThat(values("### Atomic segment", w.bytes(), 32)).isEqualTo(Map.of("swap", 5L, "compare", 6L));
        assertThat(values("### Data segment", w.bytes(), 48))
                .isEqualTo(Map.of("count", 8L, "lkey", 0x125L, "addr", 0x10_0000_1000L));
        w.begin(WqeOpcode.SEND, 0, 1, false, false, false, 0);
        assertThat(w.inline(13)).isEqualTo(20);
        assertThat(w.finish()).isEqualTo(48);
        assertThat(values("### Inline segment", w.bytes(), 16)).isEqualTo(Map.of("inline", 1L, "count", 13L));
    }

    @Test
    void theCqeIsAsDocumented() {
        byte[] cqe = new byte[Cqe.BYTES];
        Cqe.write(cqe, Cqe.REQ_ERR, 0x12, 0xABCDEF, 0x123456, 0xBEEF, 77, 0x01020304, 0x13, true, true);
        assertThat(values(CQE, cqe, 0))
                .isEqualTo(Map.of(
                        "srcqp",
                        0x123456L,
                        "imm",
                        0x01020304L,
                        "count",
                        77L,
                        "syndrome",
                        0x13L,
                        "sendop",
                        0x12L,
                        "qpn",
                        0xABCDEFL,
                        "counter",
                        0xBEEFL,
                        "opcode",
                        13L,
                        "se",
                        1L,
                        "owner",
                        1L));
        byte[] none = new byte[Cqe.BYTES];
        for (DocumentedField f : fields(CQE)) {
            f.fill(cqe, 0, false);
        }
        assertThat(cqe)
                .as("nothing is written outside of the documented fields")
                .isEqualTo(none);
    }

    @Test
    void opcodesAndSyndromesAreAsDocumented() throws IllegalAccessException {
        assertThat(numbers(MarkdownTable.under(CONTROL, 1))).isEqualTo(constants(WqeOpcode.class, 0));
        Map<String, Integer> cqe = constants(Cqe.class, 0);
        cqe.remove("BYTES");
        assertThat(numbers(MarkdownTable.under(CQE, 1))).isEqualTo(cqe);
        Map<String, Integer> syndromes = new TreeMap<>();
        for (WcStatus status : WcStatus.values()) {
            int code = CqeSyndrome.of(status);
            if (code != 0 && code != 0xFF) {
                syndromes.put(status.name(), code);
            }
        }
        assertThat(numbers(MarkdownTable.under(CQE, 2))).isEqualTo(syndromes);
    }

    @Test
    void theUarIsAsDocumented() throws IllegalAccessException {
        Map<String, Integer> uar = constants(Uar.class, 0);
        uar.keySet().removeAll(List.of("BAR", "PAGE", "BLUEFLAME_BYTES", "SOLICITED_ONLY", "SEQUENCE_SHIFT"));
        assertThat(numbers(MarkdownTable.under("## UAR: doorbells over PCIe", 0)))
                .isEqualTo(uar);
        assertThat(Uar.BAR).isEqualTo(2);
        assertThat(Uar.page(3)).isEqualTo(0x14 * 0x1000);
        assertThat(Uar.number(0x14_FFF)).isEqualTo(3);
        assertThat(Uar.number(0x10_FFF)).isNegative();
        assertThat(Uar.BLUEFLAME_BYTES).isEqualTo(256);
    }

    private static Map<String, Integer> numbers(List<List<String>> rows) {
        Map<String, Integer> numbers = new TreeMap<>();
        rows.forEach(r -> numbers.put(r.get(1), Integer.decode(r.get(0))));
        return numbers;
    }

    private static Map<String, Integer> constants(Class<?> type, int least) throws IllegalAccessException {
        Map<String, Integer> constants = new TreeMap<>();
        for (Field f : type.getFields()) {
            if (f.getType() == int.class && f.getInt(null) >= least) {
                constants.put(f.getName(), f.getInt(null));
            }
        }
        return constants;
    }
}
