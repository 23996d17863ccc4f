package dev.clockwire.storage.check;

import dev.clockwire.sim.error.ConfigurationException;
import java.math.BigInteger;
import java.util.HexFormat;

/** A place in one line of JSON Lines that holds a flat object of strings, whole numbers and null (RFC 8259, nothing more lenient). */
final class JsonLine {
    private static final String ESCAPES = "\"\\/bfnrt";
    private static final String ESCAPED = "\"\\/\b\f\n\r\t";
    private static final int HEX = 16;
    private static final int CODE = 4;

    private final String text;
    private final int line;
    private int at;
    private int marked;

    JsonLine(String text, int line) {
        this.text = text;
        this.line = line;
    }

    private void mark() {
        skip();
        marked = at;
    }

    /** Takes one character, after spaces. */
    void expect(char c) {
        mark();
        if (at == text.length() || text.charAt(at) != c) {
            throw wrong("expected " + c + ", found " + found());
        }
        at++;
    }

    /** Takes a comma, or the brace that ends the object; tells whether it was the comma. */
    boolean more() {
        mark();
        if (at < text.length() && (text.charAt(at) == ',' || text.charAt(at) == '}')) {
            return text.charAt(at++) == ',';
        }
        throw wrong("expected , or }, found " + found());
    }

    /** Makes sure that nothing follows. */
    void end() {
        mark();
        if (at < text.length()) {
            throw wrong("expected the end of the line, found " + found());
        }
    }

    /** Takes null if it is next. */
    boolean isNull() {
        skip();
        boolean is = text.startsWith("null", at);
        at += is ? "null".length() : 0;
        return is;
    }

    /** Takes a whole number up to a largest one. */
    long integer(long max) {
        mark();
        while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String number = text.substring(marked, at);
        if (!number.matches("-?(0|[1-9][0-9]*)")) {
            throw wrong("expected a whole number, found " + (number.isEmpty() ? found() : number));
        }
        if (new BigInteger(number).abs().compareTo(BigInteger.valueOf(max)) > 0) {
            throw wrong(number + " is out of range; allowed: up to " + max);
        }
        return Long.parseLong(number);
    }

    /** Takes a string. */
    String string() {
        mark();
        if (at == text.length() || text.charAt(at) != '"') {
            throw wrong("expected a string, found " + found());
        }
        int start = at;
        StringBuilder s = new StringBuilder();
        for (at++; at < text.length() && text.charAt(at) != '"'; at++) {
            char c = text.charAt(at);
            if (c < ' ') {
                marked = at;
                throw wrong("control character " + (int) c + " in a string");
            }
            s.append(c == '\\' ? escaped() : c);
        }
        if (at == text.length()) {
            throw wrong("the string has no end");
        }
        at++;
        marked = start;
        return s.toString();
    }

    private char escaped() {
        marked = at++;
        char c = at < text.length() ? text.charAt(at) : ' ';
        int simple = ESCAPES.indexOf(c);
        if (simple >= 0) {
            return ESCAPED.charAt(simple);
        }
        int code = c == 'u' && at + CODE < text.length() ? 0 : -1;
        for (int i = 0; i < CODE && code >= 0; i++) {
            char digit = text.charAt(++at);
            code = HexFormat.isHexDigit(digit) ? code * HEX + HexFormat.fromHexDigit(digit) : -1;
        }
        if (code < 0) {
            throw wrong("expected an escape, found " + text.substring(marked, Math.min(marked + 2, text.length())));
        }
        return (char) code;
    }

    /** Returns the error for the token marked last. */
    ConfigurationException wrong(String what) {
        return new ConfigurationException("history, line " + line + ", column " + (marked + 1) + ": " + what);
    }

    /** Returns the error for what the whole line says. */
    ConfigurationException wrongLine(ConfigurationException cause) {
        marked = 0;
        return wrong(String.valueOf(cause.getMessage()));
    }

    private String found() {
        return at == text.length() ? "the end of the line" : String.valueOf(text.charAt(at));
    }

    private void skip() {
        while (at < text.length() && " \t\r".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }
}
