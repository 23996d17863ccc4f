package dev.clockwire.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.clockwire.bench.doc.PageFixtures;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Whatever a page tells its reader to type works: it is run here or by the test of its page, or is named below with the reason. */
class DocumentedCommandsTest {
    private static final boolean FULL = Boolean.getBoolean("clockwire.full");
    private static final String CLI = "dev.clockwire.bench.cli.";

    /** Pages whose own test runs what stands in their blocks (fenced) or between their words (inline). */
    private static final Map<String, String> OWN_TEST = Map.of(
            "docs/cookbook.md fenced", CLI + "CookbookPagesTest",
            "docs/articles.md inline", CLI + "SectionsPagesTest",
            "docs/timing-model.md fenced", CLI + "WavesCommandTest",
            "docs/sweeps.md fenced", CLI + "SweepCommandTest",
            "docs/sweeps.md inline", CLI + "ReportCommandTest");

    /** Commands that are not run, by what begins them, with the reason. */
    private static final Map<String, String> NOT_RUN = Map.ofEntries(
            Map.entry("clockwire nvmf target -m 0x3", "serves until it is told to end: see theTargetServesItsSocket"),
            Map.entry("clockwire nvmf rpc bdev_nvme_attach_controller", "asks that target: the same test"),
            Map.entry(
                    "clockwire storage run 3fs --op read --size 4194304",
                    "takes minutes: LargeReadTest has it smaller"),
            Map.entry(
                    "clockwire nvmf perf --stack spdk --media null -w randread -t 0.002",
                    "lacks what its table varies"));

    /** Commands of some seconds and more, run with {@code -Dclockwire.full=true}. */
    private static final List<String> LONG = List.of(
            "clockwire nvmf perf -q 128",
            "clockwire nvmf perf -q 32 -o 4k -w randread -t 0.005",
            "clockwire nvmf perf -q 1 -o 4096 -w randread -t 0.01 -a 0.005 --media null --stack spdk",
            "clockwire nvmf perf --stack offload --",
            "clockwire perftest write-lat --profile cx6-200g",
            "clockwire storage compare",
            "clockwire report compare.json",
            "clockwire validate --json",
            "clockwire report validate.json",
            "clockwire storage run 3fs --op write --size 65536 --replicas 3 --clients 4 --ops 12000",
            "clockwire fabric run --trace",
            "clockwire sweep scheduler.yaml --out",
            "clockwire report scheduler");

    @TempDir
    private Path folder;

    private static Stream<PageCommand> runs() throws IOException {
        return PageCommand.all().stream()
                .filter(c -> !c.isMaven() && !c.isTemplate() && c.words().size() > 1)
                .filter(c -> c.fenced() || hasArguments(c.words()));
    }

    /** Between words the name of a command, or with one option, is spoken of; with more it is meant to be typed. */
    private static boolean hasArguments(List<String> words) {
        CommandLine at = ClockwireCommand.parser(new Console(System.out, System.err), List.of());
        int i = 1;
        while (i < words.size()) {
            CommandLine next = at.getSubcommands().get(words.get(i));
            if (next == null) {
                break;
            }
            at = next;
            i++;
        }
        return words.size() - i > 1 || (words.size() - i == 1 && !words.get(i).startsWith("-"));
    }

    private static boolean isOf(Collection<String> list, PageCommand command) {
        return list.stream().anyMatch(command.text()::startsWith);
    }

    private static boolean hasOwnTest(PageCommand command) {
        return OWN_TEST.containsKey(command.page() + (command.fenced() ? " fenced" : " inline"));
    }

    static List<String> pages() throws IOException {
        return runs().filter(c -> !hasOwnTest(c))
                .map(PageCommand::page)
                .distinct()
                .toList();
    }

    /** In a folder of its own for each page, one behind the other, as its reader types them. */
    @ParameterizedTest
    @MethodSource("pages")
    @Timeout(value = 1, unit = TimeUnit.HOURS)
    void theCommandsOfAPageWork(String page) throws IOException {
        PageFixtures.into(folder);
        SoftAssertions all = new SoftAssertions();
        for (PageCommand command : runs().filter(c -> c.page().equals(page)).toList()) {
            if (hasOwnTest(command) || isOf(NOT_RUN.keySet(), command) || (!FULL && isOf(LONG, command))) {
                continue;
            }
            Ran ran = run(command.words());
            if (command.output() != null) {
                Files.writeString(folder.resolve(command.output()), ran.result());
            }
            all.assertThat(ran.code()).as(command + "\n" + ran.printed()).isZero();
            command.shown()
                    .forEach(line ->
                            all.assertThat(ran.printed()).as(command.toString()).contains(line));
        }
        all.assertAll();
    }

    /** A command that is typed in a folder with the files of the pages; names of the repository mean its files. */
    private Ran run(List<String> words) {
        ByteArrayOutputStream result = new ByteArrayOutputStream();
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        Console console = new Console(
                new PrintStream(result, true, StandardCharsets.UTF_8),
                new PrintStream(messages, true, StandardCharsets.UTF_8));
        CommandLine parser = ClockwireCommand.parser(console, List.of());
        parser.registerConverter(Path.class, this::place);
        String[] args = words.stream()
                .skip(1)
                .map(w -> Files.exists(folder.resolve(w.replace('*', '_')))
                        ? folder.resolve(w).toString()
                        : w)
                .toArray(String[]::new);
        long begun = System.nanoTime();
        int code = Main.run(parser, console, args);
        if (Boolean.getBoolean("clockwire.times")) {
            System.err.println((System.nanoTime() - begun) / 1_000_000 + " ms " + words);
        }
        return new Ran(code, result.toString(StandardCharsets.UTF_8), messages.toString(StandardCharsets.UTF_8));
    }

    private Path place(String name) {
        Path repository = Path.of("..", name);
        return name.contains("/") && Files.exists(repository) ? repository : folder.resolve(name);
    }

    private record Ran(int code, String result, String messages) {
        String printed() {
            return result + messages;
        }
    }

    @Test
    void theTargetServesItsSocket() throws Exception {
        List<PageCommand> lines = PageCommand.all().stream()
                .filter(c -> c.text().contains("-r /tmp/target.sock"))
                .toList();
        assertThat(lines).hasSize(2);
        Path socket = folder.resolve("s");
        List<List<String>> words = lines.stream()
                .map(c -> c.words().stream()
                        .map(w -> w.equals("/tmp/target.sock") ? socket.toString() : w)
                        .toList())
                .toList();
        List<Ran> served = new ArrayList<>();
        Thread target = new Thread(() -> served.add(run(words.get(0))), "target");
        target.start();
        while (!Files.exists(socket) && target.isAlive()) {
            Thread.sleep(10);
        }
        Ran attached = run(words.get(1));
        assertThat(attached.code()).as(attached.printed()).isZero();
        assertThat(attached.printed()).contains("Nvme0n1");
        run(List.of(
                "clockwire",
                "nvmf",
                "rpc",
                "spdk_kill_instance",
                "{\"sig_name\":\"SIGTERM\"}",
                "-r",
                socket.toString()));
        target.join(20_000);
        assertThat(served).hasSize(1);
        assertThat(served.get(0).code()).as(served.get(0).printed()).isZero();
    }

    /** Names of commands and options exist, also where a reader has to put something in place of a word. */
    @Test
    void everyCommandAndOptionExists() throws IOException {
        CommandLine root = ClockwireCommand.parser(new Console(System.out, System.err), List.of());
        SoftAssertions all = new SoftAssertions();
        List<PageCommand> commands =
                PageCommand.all().stream().filter(c -> !c.isMaven()).toList();
        assertThat(commands).hasSizeGreaterThan(100);
        for (PageCommand command : commands) {
            CommandLine at = root;
            for (String word : command.words().subList(1, command.words().size())) {
                for (String name : word.contains("=") ? List.of(word) : List.of(word.split("\\|"))) {
                    CommandLine next = at.getSubcommands().get(name);
                    if (next != null && !word.contains("|")) {
                        at = next;
                    } else if (name.startsWith("-")) {
                        all.assertThat(isOption(at, name.replaceFirst("=.*", "")))
                                .as(command + ": option " + name + " of " + at.getCommandName())
                                .isTrue();
                    } else if (isGroup(at) && !at.getSubcommands().containsKey(name)) {
                        all.assertThat(name).as(command.toString()).matches("[A-Z]+");
                    }
                }
            }
        }
        all.assertAll();
    }

    private static boolean isGroup(CommandLine at) {
        return !at.getSubcommands().isEmpty()
                && at.getCommandSpec().positionalParameters().isEmpty();
    }

    private static boolean isOption(CommandLine at, String name) {
        var options = at.getCommandSpec().optionsMap();
        return options.containsKey(name)
                || options.containsKey(name.replaceFirst("\\d+$", ""))
                || (!name.startsWith("--") && name.chars().skip(1).allMatch(c -> options.containsKey("-" + (char) c)));
    }

    @Test
    void whatMavenIsToldExists() throws IOException {
        PageMaven maven = new PageMaven();
        List<PageCommand> commands =
                PageCommand.all().stream().filter(PageCommand::isMaven).toList();
        assertThat(commands).hasSizeGreaterThan(15);
        SoftAssertions all = new SoftAssertions();
        for (PageCommand command : commands) {
            all.assertThat(maven.mistakes(command.words()))
                    .as(command.toString())
                    .isEmpty();
        }
        all.assertAll();
    }

    /** An exception that nothing needs any more would hide the next command that begins like it. */
    @Test
    void everyExceptionIsNeeded() throws IOException {
        TreeSet<String> unused = new TreeSet<>(NOT_RUN.keySet());
        unused.addAll(LONG);
        runs().forEach(c -> unused.removeIf(c.text()::startsWith));
        assertThat(unused).isEmpty();
        TreeSet<String> pages = new TreeSet<>(OWN_TEST.keySet());
        PageCommand.all().forEach(c -> pages.removeIf(p -> p.equals(c.page() + (c.fenced() ? " fenced" : " inline"))));
        assertThat(pages).isEmpty();
        OWN_TEST.values().forEach(t -> assertThatCode(() -> Class.forName(t)).doesNotThrowAnyException());
    }
}
