package dev.clockwire.bench.yaml;

import dev.clockwire.bench.text.Decimal;
import dev.clockwire.bench.text.InputFile;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import dev.clockwire.sim.error.Plain;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * A value in a YAML file that knows where it stands. Whoever asks for what it is not gets an error with file, line and column. In a file that is
 * {@linkplain #read(Path, Reading) read by a function} unknown keys and numbers that are none or out of range are collected, with the least allowed
 * number taken for the time being, and all are told at once.
 */
public final class YamlValue {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,9})?) ?([kKMG])(B|iB)?");

    private final String file;
    private final Node node;
    private final Problems problems;
    /** What may stand here, if somebody has said so. */
    private final @Nullable Kind kind;

    private YamlValue(String file, Node node, Problems problems, @Nullable Kind kind) {
        this.file = file;
        this.node = node;
        this.problems = problems;
        this.kind = kind;
    }

    /**
     * Makes something of a file's root.
     *
     * @param <T> what is made
     */
    public interface Reading<T> {
        /** Makes it, or throws a {@link ConfigurationException}. */
        T of(YamlValue root) throws IOException;
    }

    /**
     * Reads a file.
     *
     * @throws IOException if it cannot be read
     * @throws ConfigurationException if it is not YAML, or empty, or for all that the function finds wrong
     */
    public static <T> T read(Path file, Reading<T> reading) throws IOException {
        return parse(file.toString(), InputFile.text(file), reading);
    }

    /** Reads a text as {@link #read} does a file; {@code file} is what errors call it. */
    public static <T> T parse(String file, String text, Reading<T> reading) throws IOException {
        Problems problems = new Problems();
        YamlValue root = compose(file, text, problems);
        T made;
        try {
            made = reading.of(root);
        } catch (ConfigurationException e) {
            throw problems.with(e);
        }
        problems.check();
        return made;
    }

    /**
     * Reads a text whose first mistake is told alone.
     *
     * @throws ConfigurationException if it is not YAML, or empty
     */
    public static YamlValue parse(String file, String text) {
        return compose(file, text, Problems.NONE_KEPT);
    }

    private static YamlValue compose(String file, String text, Problems problems) {
        try {
            Node root = new Yaml(new LoaderOptions()).compose(new StringReader(text));
            if (root == null) {
                throw new ConfigurationException(file + ":1:1: the file is empty");
            }
            return new YamlValue(file, root, problems, null);
        } catch (MarkedYAMLException e) {
            String problem = e.getProblem() == null ? "not YAML" : e.getProblem();
            throw new ConfigurationException(place(file, e.getProblemMark()) + problem);
        } catch (YAMLException e) {
            throw new ConfigurationException(file + ": not YAML: " + e.getMessage());
        }
    }

    private static String place(String file, @Nullable Mark mark) {
        return mark == null ? file + ": " : file + ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1) + ": ";
    }

    /** Returns file, line and column, with a colon and a blank behind. */
    public String place() {
        return place(file, node.getStartMark());
    }

    /** Returns an error about this value, to be thrown. */
    public ConfigurationException error(String text) {
        return problems.error(node, place() + text);
    }

    /** Returns an error about a name in this place that nobody knows, with the nearest valid one. */
    public ConfigurationException unknown(String kind, String name, Collection<String> valid) {
        return error("unknown " + kind + " '" + name + "'" + Nearest.hint(name, valid));
    }

    /** Whether it is a mapping. */
    public boolean isMapping() {
        return node instanceof MappingNode;
    }

    /** Returns the entries of a mapping in the order of the file. */
    public Map<String, YamlValue> map() {
        if (!(node instanceof MappingNode mapping)) {
            throw error("expected a mapping (key: value), found " + found());
        }
        Map<String, YamlValue> entries = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            YamlValue key = at(tuple.getKeyNode(), null);
            if (entries.putIfAbsent(key.text(), at(tuple.getValueNode(), inside(key.text()))) != null) {
                problems.add(key.error("'" + key.text() + "' stands here twice"));
            }
        }
        return entries;
    }

    private YamlValue at(Node part, @Nullable Kind what) {
        return new YamlValue(file, part, problems, what);
    }

    /** Returns the same value with what may stand there; values inside know theirs then. */
    public YamlValue as(Kind what) {
        return at(node, what);
    }

    private @Nullable Kind inside(String key) {
        Kind.Group group = find(Kind.Group.class);
        Kind.Variants variants = find(Kind.Variants.class);
        if (group == null && variants != null && node instanceof MappingNode mapping) {
            for (NodeTuple t : mapping.getValue()) {
                if (t.getKeyNode() instanceof ScalarNode k
                        && k.getValue().equals(variants.key())
                        && t.getValueNode() instanceof ScalarNode v) {
                    Shape chosen = variants.shapes().get(v.getValue());
                    return chosen == null ? null : chosen.kind(key);
                }
            }
        }
        return group == null ? null : group.shape().kind(key);
    }

    private <K extends Kind> @Nullable K find(Class<K> what) {
        if (kind instanceof Kind.Either either) {
            return either.kinds().stream()
                    .filter(what::isInstance)
                    .map(what::cast)
                    .findFirst()
                    .orElse(null);
        }
        return what.isInstance(kind) ? what.cast(kind) : null;
    }

    private <K extends Kind> K need(Class<K> what) {
        K found = find(what);
        if (found == null) {
            throw new IllegalStateException(place() + "read as " + what.getSimpleName() + ", described as " + kind);
        }
        return found;
    }

    /**
     * Returns the entries of a mapping whose keys are described, and complains about others.
     *
     * @throws ConfigurationException if it is none, or if the key on which the others depend is missing or unknown
     */
    public Map<String, YamlValue> entries() {
        Kind.Variants variants = find(Kind.Variants.class);
        if (variants == null) {
            return map(need(Kind.Group.class).shape().names());
        }
        YamlValue chosen = find(variants.key())
                .orElseThrow(() -> error("'" + variants.key() + "' is missing; a " + variants.what() + " is one of "
                        + String.join(", ", variants.shapes().keySet())));
        Shape shape = variants.shapes().get(chosen.text());
        if (shape == null) {
            throw chosen.unknown(
                    variants.what(), chosen.text(), variants.shapes().keySet());
        }
        return map(shape.names());
    }

    /** Returns the entries of a mapping with these keys. */
    public Map<String, YamlValue> entries(Shape shape) {
        return as(Kind.group(shape)).entries();
    }

    /** Returns the keys of a mapping, each with its own place, in the order of the file. */
    public List<YamlValue> keys() {
        map();
        return node instanceof MappingNode mapping
                ? mapping.getValue().stream().map(t -> at(t.getKeyNode(), null)).toList()
                : List.of();
    }

    /** Returns the entries of a mapping, and complains about a key that is not among the valid ones. */
    public Map<String, YamlValue> map(Collection<String> valid) {
        Map<String, YamlValue> entries = map();
        for (YamlValue key : keys()) {
            if (!valid.contains(key.text()) && entries.remove(key.text()) != null) {
                problems.add(key.unknown("key", key.text(), valid));
                problems.mistyped(node);
            }
        }
        return entries;
    }

    /** Returns an entry of a mapping, or complains that it is missing. */
    public YamlValue get(String key) {
        return find(key).orElseThrow(() -> error("'" + key + "' is missing"));
    }

    /** Returns an entry of a mapping, if it is there. */
    public Optional<YamlValue> find(String key) {
        return Optional.ofNullable(map().get(key));
    }

    /** Returns the elements of a list. */
    public List<YamlValue> list() {
        if (!(node instanceof SequenceNode sequence)) {
            throw error("expected a list, found " + found());
        }
        List<YamlValue> values = new ArrayList<>();
        sequence.getValue().forEach(n -> values.add(at(n, item())));
        return values;
    }

    private @Nullable Kind item() {
        Kind.Items items = find(Kind.Items.class);
        return items == null ? null : items.item();
    }

    /** Returns the elements of a list, or a single value as a list of one. */
    public List<YamlValue> listOrOne() {
        Kind item = item();
        return node instanceof SequenceNode ? list() : List.of(item == null ? this : as(item));
    }

    /** Returns a scalar as it is written. */
    public String text() {
        if (!(node instanceof ScalarNode scalar)) {
            throw error("expected a single value, found " + found());
        }
        return scalar.getValue();
    }

    /** Remembers what is wrong, to be told with all else that is; for a mistake that leaves the rest readable. */
    public void refuse(ConfigurationException mistake) {
        problems.add(mistake);
    }

    /** Returns a number as described. */
    public double number() {
        Kind.Num n = need(Kind.Num.class);
        return number(n.least(), n.most());
    }

    /** Returns an integer as described. */
    public long integer() {
        Kind.Whole n = need(Kind.Whole.class);
        return integer(n.least(), n.most());
    }

    /** Returns a number of bytes as described. */
    public long size() {
        Kind.Size n = need(Kind.Size.class);
        return size(n.least(), n.most());
    }

    /** Returns yes or no, or complains that it is neither. */
    public boolean flag() {
        need(Kind.Flag.class);
        return switch (text()) {
            case "true", "yes", "on" -> true;
            case "false", "no", "off" -> false;
            default -> throw error("expected true or false, found '" + text() + "'");
        };
    }

    /** Returns one of the words described; {@code what} is what they are, for people. */
    public String choice(String what) {
        List<String> words = need(Kind.Choice.class).words();
        if (!words.contains(text())) {
            throw unknown(what, text(), words);
        }
        return text();
    }

    /** Returns a number between two bounds, both included. */
    public double number(double least, double most) {
        double value;
        try {
            value = Decimal.of(text());
        } catch (NumberFormatException e) {
            problems.add(error("expected a number, found '" + text() + "'"));
            return least;
        }
        if (!(value >= least && value <= most)) {
            problems.add(error(text() + " is outside its range " + Plain.text(least) + " to " + Plain.text(most)));
            return least;
        }
        return value;
    }

    /** Returns an integer, decimal or hexadecimal with 0x, between two bounds, both included and not negative. */
    public long integer(long least, long most) {
        String text = text().replace("_", "");
        long value;
        try {
            value = text.startsWith("0x") ? Long.parseUnsignedLong(text.substring(2), 16) : Long.parseLong(text);
        } catch (NumberFormatException e) {
            problems.add(error("expected an integer, found '" + text() + "'"));
            return least;
        }
        if (Long.compareUnsigned(value, least) < 0 || Long.compareUnsigned(value, most) > 0) {
            problems.add(error(text() + " is outside its range " + least + " to " + Long.toUnsignedString(most)));
            return least;
        }
        return value;
    }

    /**
     * Returns a number of bytes between two bounds, both included: a whole number, or one with a unit, {@code 64K} or {@code 64KiB} for 64 x 1024 and
     * {@code 64kB} or {@code 64KB} for 64 x 1000; also M and G.
     */
    public long size(long least, long most) {
        Matcher m = SIZE.matcher(text().strip());
        if (!m.matches()) {
            return integer(least, most);
        }
        double step = m.group(3) == null || m.group(3).equals("iB") ? 1024 : 1000;
        double unit = StrictMath.pow(step, 1 + "KMG".indexOf(m.group(2).toUpperCase(Locale.ROOT)));
        double bytes = Double.parseDouble(m.group(1)) * unit;
        if (bytes != StrictMath.rint(bytes) || bytes < least || bytes > most) {
            problems.add(error(text() + ", " + Plain.text(bytes) + " B, is outside its range " + least + " to " + most
                    + " B, or no whole number of bytes"));
            return least;
        }
        return (long) bytes;
    }

    private String found() {
        if (node instanceof MappingNode) {
            return "a mapping";
        }
        return node instanceof ScalarNode scalar ? "'" + scalar.getValue() + "'" : "a list";
    }
}
