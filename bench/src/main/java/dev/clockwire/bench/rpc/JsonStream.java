package dev.clockwire.bench.rpc;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.async.ByteArrayFeeder;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import dev.clockwire.bench.text.JsonMistake;
import dev.clockwire.storage.rpc.JsonValue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Takes JSON values apart that come one behind the other, in pieces of any size. What it keeps of a value that is not complete is limited
 * by {@link JsonLimits}, whatever the stream says of itself.
 */
final class JsonStream {
    private static final int LONGEST_SEQUENCE = 4;

    private final JsonLimits limits;
    private final JsonFactory factory;
    private final CharsetDecoder utf8 = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    private final ByteBuffer sequence = ByteBuffer.allocate(LONGEST_SEQUENCE);
    private final CharBuffer character = CharBuffer.allocate(2);
    private final byte[] one = new byte[1];
    private JsonParser parser;
    private JsonTree tree;
    /** Bytes of the value that is not complete; 0 between two values. */
    private long begun;

    /** The last byte that is no blank, before the one that is looked at. */
    private byte before;

    /** A slash has come in the value: there may be comments. */
    private boolean slashed;

    private long line = 1;

    JsonStream(JsonLimits limits) throws IOException {
        this.limits = limits;
        factory = JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(limits.depth())
                        .maxNumberLength(limits.numberDigits())
                        .maxStringLength(limits.bytes())
                        .maxNameLength(limits.bytes())
                        .build())
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .configure(JsonReadFeature.ALLOW_JAVA_COMMENTS, limits.comments())
                .build();
        parser = factory.createNonBlockingByteArrayParser();
        tree = new JsonTree(limits.values());
    }

    /**
     * Takes some bytes.
     *
     * @param each gets every value that they complete, before what stands behind it is looked at
     * @throws JsonBroken if they are no JSON; nothing can be read behind that
     */
    void feed(byte[] bytes, int length, Consumer<JsonValue> each) throws JsonBroken {
        for (int i = 0; i < length; i++) {
            feed(bytes[i], each);
        }
    }

    private void feed(byte b, Consumer<JsonValue> each) throws JsonBroken {
        line += b == '\n' ? 1 : 0;
        boolean blank = b == ' ' || b == '\n' || b == '\r' || b == '\t';
        if (begun == 0 && blank) {
            return;
        }
        decode(b);
        if (++begun > limits.bytes()) {
            throw broken("a value of more than " + limits.bytes() + " bytes");
        }
        try {
            one[0] = b;
            ((ByteArrayFeeder) parser.getNonBlockingInputFeeder()).feedInput(one, 0, 1);
            tokens(each, blank);
            before = blank ? before : b;
            slashed = begun > 0 && (slashed || b == '/');
        } catch (JsonProcessingException e) {
            throw broken(JsonMistake.problem(e));
        } catch (IOException e) {
            throw broken(String.valueOf(e.getMessage()));
        }
    }

    private void tokens(Consumer<JsonValue> each, boolean blank) throws IOException, JsonBroken {
        for (JsonToken t = parser.nextToken(); t != JsonToken.NOT_AVAILABLE; t = parser.nextToken()) {
            if (t == null) {
                throw broken("the end of the text");
            }
            // the parser takes both, fed byte by byte
            if (t.isStructEnd() && (before == ',' || before == ':') && !(slashed && limits.comments())) {
                throw broken("nothing behind '" + (char) before + "'");
            }
            String wrong = tree.add(t, parser);
            if (!wrong.isEmpty()) {
                throw broken(wrong);
            }
            JsonValue whole = tree.whole();
            if (whole != null) {
                if (!blank && !endsItself(whole)) {
                    throw broken("a value that begins where another ends");
                }
                restart();
                each.accept(whole);
                return;
            }
        }
    }

    /** Numbers and words end where something else begins, which must be a blank: it belongs to no value. */
    private static boolean endsItself(JsonValue v) {
        return v instanceof JsonValue.Obj || v instanceof JsonValue.Arr || v instanceof JsonValue.Text;
    }

    private void restart() throws IOException {
        parser.close();
        parser = factory.createNonBlockingByteArrayParser();
        tree = new JsonTree(limits.values());
        begun = 0;
    }

    /** Checks that the bytes are UTF-8, as strictly as Unicode has it. */
    private void decode(byte b) throws JsonBroken {
        sequence.put(b).flip();
        character.clear();
        boolean wrong = utf8.decode(sequence, character, false).isError();
        sequence.compact();
        if (wrong) {
            throw broken("bytes that are not UTF-8");
        }
    }

    private JsonBroken broken(String why) {
        String first = why.lines().findFirst().orElse("");
        return new JsonBroken("line " + line + ": " + first);
    }

    /** Returns whether an object, array or their like has begun and is not complete. */
    boolean isOpen() {
        return tree.hasBegun();
    }

    /** Returns the line, from 1, in which the next byte stands. */
    long line() {
        return line;
    }

    /** Releases what the parser holds. */
    void close() throws IOException {
        parser.close();
    }
}
