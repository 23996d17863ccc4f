package dev.clockwire.docs;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The Javadoc of a class, out of its source. */
final class SourceDoc {
    private static final List<String> MODULES = List.of("sim-core", "pcie-model", "roce-stack", "nic-rtl");
    private static final Pattern LINK = Pattern.compile("\\{@(?:link|code)\\s+#?([^}]*)}");

    private final Class<?> type;
    private final Path file;
    private final String source;

    SourceDoc(Class<?> type) {
        this.type = type;
        String inModule = "src/main/java/" + type.getName().replace('.', '/') + ".java";
        file = Stream.of(MODULES.toArray(String[]::new))
                .map(m -> Path.of(m, inModule))
                .filter(p -> Page.ROOT.resolve(p).toFile().exists())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no source of " + type));
        source = Page.read(Page.ROOT.resolve(file));
    }

    /** Returns the file from the root of the repository. */
    Path file() {
        return file;
    }

    /** Returns what the comment of the class says, without its tags. */
    String ofClass() {
        Matcher m = Pattern.compile(
                        "/\\*\\*((?:(?!\\*/).)*)\\*/\\s*(?:@\\w+\\s+)*public [^;{]*\\b" + type.getSimpleName() + "\\b",
                        Pattern.DOTALL)
                .matcher(source);
        if (!m.find()) {
            throw new AssertionError(file + " has no comment on its class");
        }
        return plain(m.group(1));
    }

    /** Returns what the comment of a record says of a component. */
    String ofComponent(String name) {
        Matcher m = Pattern.compile("\\* @param " + name + " ((?:(?!\\* @|\\*/).)*)(?:\\* @|\\*/)", Pattern.DOTALL)
                .matcher(source);
        if (!m.find()) {
            throw new AssertionError(file + " says nothing of " + name);
        }
        return plain(m.group(1));
    }

    /** Returns what the comment of a method without parameters, or of one name, says. */
    String ofMethod(String name) {
        Matcher m = Pattern.compile(
                        "/\\*\\*((?:(?!\\*/).)*)\\*/\\s*public (?:static )?(?:long|int) " + name + "\\(",
                        Pattern.DOTALL)
                .matcher(source);
        if (!m.find()) {
            throw new AssertionError(file + " has no public number " + name + " with a comment");
        }
        return plain(m.group(1));
    }

    private static String plain(String comment) {
        String text = comment.replaceAll("\\n\\s*\\* ?", "\n").strip();
        int tags = text.indexOf("\n@");
        text = tags < 0 ? text : text.substring(0, tags);
        text = LINK.matcher(text).replaceAll(r -> Matcher.quoteReplacement("`" + shown(r.group(1)) + "`"));
        return text.replaceAll("\\s*\\n?<p>", "\n\n")
                .replaceAll("(?<!\\n)\\n(?!\\n)", " ")
                .strip();
    }

    private static String shown(String reference) {
        String name = reference.strip();
        int label = name.indexOf(' ');
        return label < 0 ? name.replace('#', '.') : name.substring(label + 1);
    }
}
