package dev.clockwire.bench.csv;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.List;

/** Splits a text into records. */
final class CsvParser {
    private final String name;
    private final String text;
    private final List<CsvRecord> records = new ArrayList<>();
    private List<String> fields = new ArrayList<>();
    private int at;
    private int line = 1;

    CsvParser(String name, String text) {
        this.name = name;
        this.text = text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    List<CsvRecord> records() {
        while (at < text.length()) {
            int from = line;
            boolean more = true;
            while (more) {
                fields.add(isAt('"') ? quoted() : plain());
                more = isAt(',');
                at += more ? 1 : 0;
            }
            endOfLine();
            boolean blank = fields.size() == 1 && fields.get(0).isBlank();
            if (!blank) {
                records.add(new CsvRecord(from, List.copyOf(fields)));
            }
            fields = new ArrayList<>();
        }
        return records;
    }

    private boolean isAt(char c) {
        return at < text.length() && text.charAt(at) == c;
    }

    private String plain() {
        int from = at;
        while (at < text.length() && ",\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return text.substring(from, at);
    }

    private String quoted() {
        StringBuilder field = new StringBuilder();
        int from = line;
        at++;
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"' && isAt('"')) {
                at++;
            } else if (c == '"') {
                return field.toString();
            }
            line += c == '\n' ? 1 : 0;
            field.append(c);
        }
        throw new ConfigurationException(name + ":" + from + ": a quote is never closed");
    }

    private void endOfLine() {
        at += isAt('\r') ? 1 : 0;
        if (isAt('\n')) {
            at++;
        } else if (at < text.length()) {
            throw new ConfigurationException(name + ":" + line + ": after a quoted field a comma or the end of the line"
                    + " belongs, not '" + text.charAt(at) + "'");
        }
        line++;
    }
}
