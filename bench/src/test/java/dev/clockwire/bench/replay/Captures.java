package dev.clockwire.bench.replay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Captures of Linux soft-RoCE among the test resources of this module and of roce-stack, which has no second copy here. */
final class Captures {
    private static final List<Path> FOLDERS = List.of(
            Path.of("src/test/resources/dev/clockwire/bench/replay/captures"),
            Path.of("../roce-stack/src/test/resources/dev/clockwire/roce/wire/captures"));

    private Captures() {}

    /** Returns all captures as the responder saw them, by name. */
    static Map<String, Path> all() {
        Map<String, Path> found = new TreeMap<>();
        for (Path folder : FOLDERS) {
            try (Stream<Path> files = Files.list(folder)) {
                files.filter(f ->
                                f.toString().endsWith(".pcap") && !f.toString().endsWith("-client.pcap"))
                        .forEach(f -> found.put(f.getFileName().toString().replace(".pcap", ""), f));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return found;
    }

    /** Returns all captures, those beside the repository too if they are there; a property says where else they may lie. */
    static List<Path> everywhere() {
        String property = System.getProperty("clockwire.captures", "");
        Path beside = property.isEmpty() ? Path.of("..", "..", "shared", "captures") : Path.of(property);
        List<Path> found = new ArrayList<>(all().values());
        if (Files.isDirectory(beside)) {
            try (Stream<Path> files = Files.list(beside)) {
                files.filter(f -> f.toString().endsWith(".pcap")).sorted().forEach(found::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return found;
    }

    static Path of(String name) {
        Path file = all().get(name);
        if (file == null) {
            throw new IllegalArgumentException(name);
        }
        return file;
    }
}
