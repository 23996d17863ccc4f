package dev.clockwire.bench.config.text;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Variables of a script that are set to plain words; what a shell would compute stays as it stands. */
public final class ShellVariables {
    private static final Pattern ASSIGNMENT =
            Pattern.compile("(?:export )?([A-Za-z_][A-Za-z0-9_]*)=[\"']?([^\\s\"'$`;|&()]+)[\"']?");
    private static final Pattern USE =
            Pattern.compile("\\$(?:\\{([A-Za-z_][A-Za-z0-9_]*)\\}|([A-Za-z_][A-Za-z0-9_]*))");

    private final Map<String, String> values = new TreeMap<>();

    /** Creates an empty set. */
    public ShellVariables() {}

    /** Whether a line sets a variable and does nothing else; then it is remembered. */
    public boolean sets(String text) {
        Matcher m = ASSIGNMENT.matcher(text.strip());
        if (!m.matches()) {
            return false;
        }
        values.put(m.group(1), m.group(2));
        return true;
    }

    /** Returns a line with the variables that are known put in. */
    public String expand(String text) {
        if (text.indexOf('$') < 0) {
            return text;
        }
        Matcher m = USE.matcher(text);
        StringBuilder out = new StringBuilder();
        while (m.find()) {
            String value = values.get(m.group(1) == null ? m.group(2) : m.group(1));
            m.appendReplacement(out, Matcher.quoteReplacement(value == null ? m.group() : value));
        }
        return m.appendTail(out).toString();
    }
}
