package dev.clockwire.bench.config.text;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One command line of a file, split into words as a shell does it without quotes. Comments, {@code sudo} and a prompt are gone.
 *
 * @param file name of the file
 * @param number line in the file, from 1
 * @param text the line as it stands there
 * @param words its words
 * @param columns where each word begins, from 1
 */
public record ConfigLine(String file, int number, String text, List<String> words, List<Integer> columns) {
    private static final Pattern WORD = Pattern.compile("[^\\s]+");
    /** A prompt of a switch in front of a command: {@code [Sysname-HundredGigE1/0/1] qos trust dscp}. */
    private static final Pattern PROMPT = Pattern.compile("^\\s*(\\[[^\\]]*\\]|<[^>]*>)(?=\\s*[a-zA-Z])");

    /** Splits a line; it has no words if there is nothing but a comment. */
    public static ConfigLine of(String file, int number, String text) {
        List<String> words = new ArrayList<>();
        List<Integer> columns = new ArrayList<>();
        Matcher prompt = PROMPT.matcher(text);
        Matcher m = WORD.matcher(text);
        m.region(prompt.find() ? prompt.end() : 0, text.length());
        while (m.find() && !m.group().startsWith("#")) {
            boolean leading =
                    words.isEmpty() && (m.group().equals("sudo") || m.group().equals("$"));
            if (!leading) {
                words.add(m.group());
                columns.add(m.start() + 1);
            }
        }
        return new ConfigLine(file, number, text.strip(), List.copyOf(words), List.copyOf(columns));
    }

    /** Returns the program that is called, without its path; empty if there is none. */
    public String program() {
        return words.isEmpty() ? "" : words.get(0).substring(words.get(0).lastIndexOf('/') + 1);
    }

    /** Returns where the line is. */
    public String where() {
        return file + ":" + number;
    }

    /** Returns the error that a word of the line is not what was expected. */
    public ConfigurationException bad(int word, String expected) {
        boolean isThere = word < words.size();
        int column = isThere ? columns.get(word) : text.length() + 1;
        return new ConfigurationException(String.format(
                Locale.ROOT,
                "%s:%d: expected %s, found %s",
                where(),
                column,
                expected,
                isThere ? "'" + words.get(word) + "'" : "the end of the line"));
    }

    /** Returns the value behind an option, for example {@code -d}; a default if it is not there. */
    public String option(String name, String usual) {
        int at = words.indexOf(name);
        if (at < 0) {
            return usual;
        }
        if (at + 1 == words.size()) {
            throw bad(at + 1, "a value of " + name);
        }
        return words.get(at + 1);
    }
}
