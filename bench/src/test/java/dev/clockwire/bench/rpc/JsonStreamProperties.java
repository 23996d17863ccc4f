package dev.clockwire.bench.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.clockwire.storage.rpc.JsonValue;
import dev.clockwire.storage.rpc.RpcDispatcher;
import dev.clockwire.storage.rpc.RpcMethods;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class JsonStreamProperties {
    private static final int DEPTH = JsonLimits.REQUEST.depth();

    @Provide
    Arbitrary<JsonValue> values() {
        Arbitrary<JsonValue> leaf = Arbitraries.oneOf(
                Arbitraries.strings()
                        .excludeChars('\uD800')
                        .map(JsonStreamProperties::whole)
                        .map(JsonValue::of),
                Arbitraries.longs().map(JsonValue::of),
                Arbitraries.of("0", "-0.5e-7", "1E+400", "123456789012345678901234567890")
                        .map(JsonValue.Num::new),
                Arbitraries.of(JsonValue.Null.VALUE, JsonValue.Bool.TRUE, JsonValue.Bool.FALSE));
        return Arbitraries.recursive(
                () -> leaf,
                inner -> Arbitraries.oneOf(
                        inner.list().ofMaxSize(4).map(JsonValue.Arr::new),
                        net.jqwik.api.Combinators.combine(
                                        Arbitraries.strings().ascii().ofMaxLength(5), inner)
                                .as(JsonValue.Member::new)
                                .list()
                                .ofMaxSize(4)
                                .map(JsonValue.Obj::new)),
                0,
                4);
    }

    /** Takes halves of surrogate pairs out: they are refused. */
    private static String whole(String s) {
        return s.codePoints()
                .filter(c -> c < 0xD800 || c > 0xDFFF)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static List<JsonValue> read(byte[] bytes, int piece, JsonLimits limits) throws JsonBroken {
        List<JsonValue> values = new ArrayList<>();
        try {
            JsonStream stream = new JsonStream(limits);
            for (int at = 0; at < bytes.length; at += piece) {
                int n = Math.min(piece, bytes.length - at);
                byte[] part = new byte[n];
                System.arraycopy(bytes, at, part, 0, n);
                stream.feed(part, n, values::add);
            }
            stream.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return values;
    }

    private static List<JsonValue> read(String text) throws JsonBroken {
        return read(text.getBytes(StandardCharsets.UTF_8), 7, JsonLimits.REQUEST);
    }

    @Property
    void valuesComeBackWhateverThePieces(
            @ForAll("values") JsonValue a,
            @ForAll("values") JsonValue b,
            @ForAll @IntRange(min = 1, max = 40) int piece)
            throws Exception {
        String text = a.text() + " " + b.indented() + "\n";
        assertThat(read(text.getBytes(StandardCharsets.UTF_8), piece, JsonLimits.REQUEST))
                .containsExactly(a, b);
    }

    /** What we take Jackson takes, and means the same. */
    @Property
    void whatWeWriteOthersRead(@ForAll("values") JsonValue a) throws Exception {
        assertThat(new ObjectMapper().readTree(a.text()).isMissingNode()).isFalse();
    }

    /** Whatever a stranger sends: values, an error, or more is awaited; nothing else is thrown, and an answer can be made. */
    @Property
    void anythingIsTaken(@ForAll byte[] bytes, @ForAll @IntRange(min = 1, max = 9) int piece) {
        List<JsonValue> taken = List.of();
        try {
            taken = read(bytes, piece, JsonLimits.REQUEST);
        } catch (JsonBroken e) {
            assertThat(RpcDispatcher.parseError(e.why()).text()).contains("-32700");
        }
        answerAll(taken);
    }

    /** A request with some bytes changed, taken out or doubled. */
    @Property
    void damagedRequestsAreTaken(
            @ForAll("values") JsonValue params,
            @ForAll @IntRange(min = 0, max = 255) int value,
            @ForAll @IntRange(min = 0, max = 1 << 20) int place,
            @ForAll @IntRange(min = 0, max = 2) int how) {
        byte[] whole =
                (RpcDispatcher.request(1, "rpc_get_methods", params).text() + "\n").getBytes(StandardCharsets.UTF_8);
        int at = place % whole.length;
        byte[] damaged = new byte[whole.length + how - 1];
        for (int i = 0; i < damaged.length; i++) {
            damaged[i] = whole[i <= at ? i : Math.min(i - how + 1, whole.length - 1)];
        }
        if (at < damaged.length) {
            damaged[at] = (byte) value;
        }
        List<JsonValue> taken = List.of();
        try {
            taken = read(damaged, 3, JsonLimits.REQUEST);
        } catch (JsonBroken e) {
            assertThat(e.why()).isNotEmpty();
        }
        answerAll(taken);
    }

    private static void answerAll(List<JsonValue> requests) {
        RpcDispatcher d = new RpcDispatcher(new RpcMethods(() -> true, x -> {}));
        for (JsonValue r : requests) {
            List<String> answers = new ArrayList<>();
            d.handle(r, a -> answers.add(a == null ? "" : a.text()));
            assertThat(answers).hasSize(1);
        }
    }

    @Example
    void valuesNeedNothingBetweenThem() throws Exception {
        assertThat(read("{}{\"a\":1}[]\n 5 \"x\" true\n")).hasSize(6);
        assertThat(read("{\"a\":")).isEmpty();
    }

    @Example
    void endlessValuesAreCutOff() {
        JsonLimits small = new JsonLimits(100, 10, DEPTH, 20, false);
        assertThatThrownBy(() -> read(("\"" + "x".repeat(200)).getBytes(StandardCharsets.UTF_8), 8, small))
                .isInstanceOf(JsonBroken.class)
                .hasMessageContaining("more than 100 bytes");
        assertThatThrownBy(() -> read("[1,1,1,1,1,1,1,1,1,1,1,1]".getBytes(StandardCharsets.UTF_8), 8, small))
                .hasMessageContaining("more than 10 parts");
        assertThatThrownBy(() -> read("123456789012345678901234567890 ".getBytes(StandardCharsets.UTF_8), 8, small))
                .isInstanceOf(JsonBroken.class);
        assertThatThrownBy(() -> read("[".repeat(DEPTH + 1))).isInstanceOf(JsonBroken.class);
    }

    @Example
    void deepValuesUpToTheLimitAreTaken() throws Exception {
        String deep = "[".repeat(DEPTH) + "]".repeat(DEPTH);
        assertThat(read(deep)).hasSize(1);
        assertThat(read(deep).get(0).text()).isEqualTo(deep);
    }

    /** RFC 3629: overlong forms, surrogates, beyond U+10FFFF, a lone continuation, a torn end. */
    @Example
    void onlyUtf8IsTaken() {
        for (String hex : List.of("c080", "eda080", "f4908080", "80", "e28241", "ff")) {
            byte[] bytes = new byte[hex.length() / 2 + 2];
            bytes[0] = '"';
            for (int i = 0; i < hex.length() / 2; i++) {
                bytes[i + 1] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
            }
            bytes[bytes.length - 1] = '"';
            assertThatThrownBy(() -> read(bytes, 1, JsonLimits.REQUEST)).as(hex).isInstanceOf(JsonBroken.class);
        }
        assertThatThrownBy(() -> read("\"\\ud800\"")).hasMessageContaining("surrogate");
    }

    @Example
    void otherTextIsRefusedWithItsLine() {
        for (String text : List.of("{]", "{\"a\" 1}", "hello", "'a'", "[1,]", "01", "1{}", "// c\n{}", "\u0000")) {
            assertThatThrownBy(() -> read(text + "\n")).as(text).isInstanceOf(JsonBroken.class);
        }
        assertThatThrownBy(() -> read("\n\n{\"a\": tru }")).hasMessageStartingWith("line 3: ");
    }

    /** What a strict grammar has not, a parser that is fed byte by byte has not either. */
    @Example
    void nothingBesideTheGrammarIsTaken() throws Exception {
        List<String> taken = new ArrayList<>();
        for (String text : List.of(
                "{\"a\":1,}",
                "{\"a\":1 , \n}",
                "[1,]",
                "[[],]",
                "[\"a\", ]",
                "[,1]",
                "[1,,2]",
                "[1 2]",
                "{,\"a\":1}",
                "{\"a\" 1}",
                "{\"a\":}",
                "{\"a\":1 \"b\":2}",
                "{a:1}",
                "{'a':1}",
                "[1.]",
                "[.5]",
                "[+1]",
                "[1e]",
                "[-]",
                "[01]",
                "[-01]",
                "[0x1]",
                "[NaN]",
                "[Infinity]",
                "[tru]",
                "[True]",
                "[\"\\x\"]",
                "[\"\\u12g4\"]",
                "[\"\t\"]",
                "[1}",
                "{\"a\":1]",
                "]",
                "}",
                "[//\n1]",
                "[/**/1]",
                "[#\n1]",
                "{\"a\":1,\"b\"}",
                "[\"a\":1]")) {
            for (int piece : new int[] {1, 3, 100}) {
                byte[] bytes = (text + " ").getBytes(StandardCharsets.UTF_8);
                try {
                    read(bytes, piece, JsonLimits.REQUEST);
                    taken.add(text);
                } catch (JsonBroken refused) {
                    assertThat(refused).hasMessageStartingWith("line ");
                }
            }
        }
        assertThat(taken).isEmpty();
        assertThat(read("[\",\"]")).hasSize(1);
        assertThat(read("{\"a,\":\",\"}")).hasSize(1);
    }
}
