package dev.clockwire.storage.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.check.Operation.Kind;
import dev.clockwire.storage.check.Operation.Outcome;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistoryTextTest {
    private static final String GOOD =
            "{\"client\":1,\"op\":\"write\",\"key\":\"k\",\"value\":\"a\",\"invoke_ps\":5,\"return_ps\":9,\"outcome\":\"ok\"}";

    @Test
    void oneLineForEachOperation() {
        History h = History.of(List.of(
                new Operation(2, Kind.READ, "k\"1", "", 7, 8, Outcome.OK, 3, 1),
                new Operation(1, Kind.WRITE, "k\"1", "a", 5, Operation.NEVER, Outcome.UNKNOWN, -1, 4)));
        assertThat(HistoryText.write(h))
                .isEqualTo(
                        "{\"client\":1,\"op\":\"write\",\"key\":\"k\\\"1\",\"value\":\"a\",\"invoke_ps\":5,\"return_ps\":null,"
                                + "\"outcome\":\"unknown\",\"attempts\":4}\n"
                                + "{\"client\":2,\"op\":\"read\",\"key\":\"k\\\"1\",\"value\":\"\",\"invoke_ps\":7,\"return_ps\":8,"
                                + "\"outcome\":\"ok\",\"version\":3}\n");
        assertThat(HistoryText.read(HistoryText.write(h)).operations()).isEqualTo(h.operations());
    }

    @Test
    void spacesAndOrderDoNotMatter() {
        String odd =
                " { \"outcome\" : \"ok\",\t\"return_ps\":9,\"invoke_ps\":5,\"value\":\"\\u0061\\\\\\n\",\"key\":\"k\",\"op\":\"write\","
                        + "\"client\":1 } \r\n";
        assertThat(HistoryText.read(odd).operations())
                .containsExactly(Operation.of(1, Kind.WRITE, "k", "a\\\n", 5, 9, Outcome.OK));
        assertThat(HistoryText.read("").operations()).isEmpty();
        assertThat(HistoryText.read(GOOD).operations()).hasSize(1);
    }

    @Property(tries = 300)
    void readsWhatItWrites(@ForAll("operations") List<Operation> ops) {
        History h = History.of(ops);
        assertThat(HistoryText.read(HistoryText.write(h)).operations()).isEqualTo(h.operations());
    }

    @Provide
    Arbitrary<List<Operation>> operations() {
        Arbitrary<String> text = Arbitraries.strings()
                .withCharRange('\0', '\u0fff')
                .ofMinLength(1)
                .ofMaxLength(6);
        Arbitrary<Long> ps = Arbitraries.longs().between(0, Operation.NEVER - 1);
        return Combinators.combine(
                        text,
                        text,
                        ps,
                        ps,
                        Arbitraries.of(Kind.class),
                        Arbitraries.of(Outcome.class),
                        Arbitraries.longs().between(-1, Long.MAX_VALUE),
                        Arbitraries.integers().between(1, Integer.MAX_VALUE))
                .as((key, value, a, b, kind, outcome, version, n) -> new Operation(
                        n - 1,
                        kind,
                        key,
                        value,
                        Math.min(a, b),
                        outcome == Outcome.UNKNOWN ? Operation.NEVER : Math.max(a, b),
                        outcome,
                        version,
                        n))
                .list()
                .uniqueElements(op -> op.key() + "/" + op.value())
                .ofMaxSize(6);
    }

    /** Each line changes the good one; the column is where the change is. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"client\":1 | \"client\":01 | column 11: expected a whole number, found 01",
                "\"client\":1 | \"client\":1.5 | column 11: expected a whole number, found 1.5",
                "\"client\":1 | \"client\":x | column 11: expected a whole number, found x",
                "\"client\":1 | \"client\":-1 | column 1: operation: client is -1; allowed: 0 or more",
                "\"client\":1 | \"client\":2147483648 | column 11: 2147483648 is out of range; allowed: up to 2147483647",
                "\"client\":1 | \"clint\":1 | column 2: unknown name \"clint\"; did you mean client?",
                "\"client\":1, | \"client\":1,\"client\":1, | column 13: \"client\" is there twice",
                "\"client\":1, | `` | column 80: \"client\" is missing",
                "\"write\" | \"wrote\" | column 18: expected one of read, write, found \"wrote\"",
                "\"ok\" | \"okay\" | column 86: expected one of ok, fail, unknown, found \"okay\"",
                "\"k\" | 7 | column 32: expected a string, found 7",
                "\"k\" | \"\" | column 1: operation: key is \"\"; allowed: a name",
                "\"a\" | \"\\q\" | column 45: expected an escape, found \\q",
                "\"a\" | \"\\u12g4\" | column 45: expected an escape, found \\u",
                "\"a\" | \"\t\" | column 45: control character 9 in a string",
                "\"outcome\":\"ok\"} | \"outcome\":\"ok | column 86: the string has no end",
                "\"ok\"} | \"ok\"]| column 90: expected , or }, found ]",
                "\"ok\"} | \"ok\"}} | column 91: expected the end of the line, found }",
                "\"ok\"} | \"ok\" | column 90: expected , or }, found the end of the line",
                "\"op\": | \"op\" | column 17: expected :, found \"",
                "\"return_ps\":9 | \"return_ps\":4 | column 1: operation: return_ps is 4; allowed: invoke_ps (5) or later",
                "\"return_ps\":9 | \"return_ps\":null | column 1: operation: return_ps is never; allowed: an instant, as outcome is ok",
                "\"return_ps\":9 | \"return_ps\":nil | column 74: expected a whole number, found n",
            })
    void saysWhereItIsWrong(String old, String put, String message) {
        assertThat(GOOD).contains(old);
        assertThatThrownBy(() -> HistoryText.read(GOOD.replace("\"a\"", "\"b\"") + "\n" + GOOD.replace(old, put)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("history, line 2, " + message);
    }

    @Test
    void blankLinesAreRefused() {
        assertThatThrownBy(() -> HistoryText.read(GOOD + "\n\n"))
                .hasMessage("history, line 2, column 1: expected {, found the end of the line");
    }
}
