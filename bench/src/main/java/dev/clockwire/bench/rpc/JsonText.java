package dev.clockwire.bench.rpc;

import dev.clockwire.storage.rpc.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One JSON value in a text. */
public final class JsonText {
    private JsonText() {}

    /**
     * Reads a text that is one value.
     *
     * @throws JsonBroken if it is not
     */
    public static JsonValue parse(String text) throws JsonBroken {
        return parse(text.getBytes(StandardCharsets.UTF_8), JsonLimits.REQUEST);
    }

    /**
     * Reads the text of a configuration file, in which comments may stand.
     *
     * @throws JsonBroken if it is none
     */
    public static JsonValue parseFile(String text) throws JsonBroken {
        return parse(text.getBytes(StandardCharsets.UTF_8), JsonLimits.FILE);
    }

    static JsonValue parse(byte[] text, JsonLimits limits) throws JsonBroken {
        List<JsonValue> values = new ArrayList<>();
        try {
            JsonStream stream = new JsonStream(limits);
            stream.feed(text, text.length, values::add);
            stream.feed(new byte[] {'\n'}, 1, values::add); // ends a number
            stream.close();
            if (values.size() != 1 || stream.isOpen()) {
                throw new JsonBroken("line " + stream.line() + ": "
                        + (values.isEmpty() ? "the value is not complete" : "more than one value"));
            }
        } catch (IOException e) {
            throw new JsonBroken(String.valueOf(e.getMessage()));
        }
        return values.get(0);
    }
}
