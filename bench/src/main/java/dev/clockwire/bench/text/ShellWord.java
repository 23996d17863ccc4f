package dev.clockwire.bench.text;

import java.util.List;
import java.util.stream.Collectors;

/** Words of a command line as they are typed at a shell. */
public final class ShellWord {
    private ShellWord() {}

    /** Returns a word; one that a shell would take apart stands between quotes. */
    public static String of(String word) {
        boolean safe = word.matches("[A-Za-z0-9_.,:=/@%+-]+");
        return safe ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** Returns words with blanks between them. */
    public static String line(List<String> words) {
        return words.stream().map(ShellWord::of).collect(Collectors.joining(" "));
    }
}
