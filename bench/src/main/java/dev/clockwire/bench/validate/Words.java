package dev.clockwire.bench.validate;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds words and numbers in the free text of a row. */
final class Words {
    private Words() {}

    /** Returns the number that follows the first match of a pattern's beginning, -1 if there is none. */
    static int number(Pattern pattern, String text) {
        Matcher m = pattern.matcher(text);
        return m.find() ? Integer.parseInt(m.group(1)) : -1;
    }

    /** Returns whether one of the words stands in the text, letters as written. */
    static boolean any(String text, String... words) {
        for (String word : words) {
            if (Pattern.compile("(?<![A-Za-z])" + Pattern.quote(word) + "(?![A-Za-z])")
                    .matcher(text)
                    .find()) {
                return true;
            }
        }
        return false;
    }
}
