package dev.clockwire.storage.check;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import dev.clockwire.sim.export.JsonWriter;
import dev.clockwire.storage.check.Operation.Kind;
import dev.clockwire.storage.check.Operation.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Histories as JSON Lines, one operation a line: {@code client}, {@code op} ({@code read} or {@code write}), {@code key}, {@code value},
 * {@code invoke_ps}, {@code return_ps} (null = never), {@code outcome} ({@code ok}, {@code fail}, {@code unknown}), and, where they say
 * something, {@code version} and {@code attempts}.
 */
public final class HistoryText {
    private static final List<String> NAMES =
            List.of("client", "op", "key", "value", "invoke_ps", "return_ps", "outcome", "version", "attempts");
    private static final int REQUIRED = 7;
    private static final int RETURN_PS = 5;

    private HistoryText() {}

    /** Returns a history as text, one line for each operation in the order of their calls, each with its line feed. */
    public static String write(History history) {
        StringBuilder out = new StringBuilder();
        for (Operation op : history.operations()) {
            line(op, out);
        }
        return out.toString();
    }

    private static void line(Operation op, StringBuilder out) {
        JsonWriter json = new JsonWriter(out, false).beginObject();
        json.field("client", op.client());
        json.field("op", lower(op.kind()));
        json.field("key", op.key());
        json.field("value", op.value());
        json.field("invoke_ps", op.invokePs());
        if (op.returnPs() == Operation.NEVER) {
            json.name("return_ps").nullValue();
        } else {
            json.field("return_ps", op.returnPs());
        }
        json.field("outcome", lower(op.outcome()));
        if (op.version() != Operation.NO_VERSION) {
            json.field("version", op.version());
        }
        if (op.attempts() > 1) {
            json.field("attempts", op.attempts());
        }
        json.endObject().finish();
    }

    /**
     * Reads a history.
     *
     * @throws ConfigurationException with line and column of what is wrong, what was expected and what is there
     */
    public static History read(String text) {
        List<Operation> ops = new ArrayList<>();
        int line = 1;
        for (int start = 0; start < text.length(); line++) {
            int end = text.indexOf('\n', start);
            end = end < 0 ? text.length() : end;
            ops.add(operation(new JsonLine(text.substring(start, end), line)));
            start = end + 1;
        }
        return History.of(ops);
    }

    private static Operation operation(JsonLine in) {
        String[] texts = new String[NAMES.size()];
        long[] numbers = new long[NAMES.size()];
        boolean[] seen = new boolean[NAMES.size()];
        Arrays.fill(texts, "");
        numbers[NAMES.indexOf("version")] = Operation.NO_VERSION;
        numbers[NAMES.indexOf("attempts")] = 1;
        in.expect('{');
        do {
            String name = in.string();
            int at = NAMES.indexOf(name);
            if (at < 0) {
                throw in.wrong("unknown name \"" + name + "\"" + Nearest.hint(name, NAMES));
            }
            if (seen[at]) {
                throw in.wrong("\"" + name + "\" is there twice");
            }
            seen[at] = true;
            in.expect(':');
            switch (name) {
                case "op" -> texts[at] = oneOf(in, Kind.values());
                case "outcome" -> texts[at] = oneOf(in, Outcome.values());
                case "key", "value" -> texts[at] = in.string();
                case "return_ps" -> numbers[at] = in.isNull() ? Operation.NEVER : in.integer(Operation.NEVER - 1);
                case "client", "attempts" -> numbers[at] = in.integer(Integer.MAX_VALUE);
                default -> numbers[at] = in.integer(Long.MAX_VALUE);
            }
        } while (in.more());
        in.end();
        for (int i = 0; i < REQUIRED; i++) {
            if (!seen[i]) {
                throw in.wrong("\"" + NAMES.get(i) + "\" is missing");
            }
        }
        return make(in, texts, numbers);
    }

    private static Operation make(JsonLine in, String[] texts, long[] numbers) {
        try {
            return new Operation(
                    (int) numbers[0],
                    Kind.valueOf(texts[1]),
                    texts[2],
                    texts[3],
                    numbers[4],
                    numbers[RETURN_PS],
                    Outcome.valueOf(texts[6]),
                    numbers[7],
                    (int) numbers[8]);
        } catch (ConfigurationException e) {
            throw in.wrongLine(e);
        }
    }

    private static String oneOf(JsonLine in, Enum<?>[] values) {
        List<String> names = new ArrayList<>();
        for (Enum<?> value : values) {
            names.add(lower(value));
        }
        String word = in.string();
        if (!names.contains(word)) {
            throw in.wrong("expected one of " + String.join(", ", names) + ", found \"" + word + "\"");
        }
        return word.toUpperCase(Locale.ROOT);
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
