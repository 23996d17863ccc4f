package dev.clockwire.testkit.nic.rtl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Runs a Verilog bench under Icarus Verilog and compares what it prints, line by line, with what the Java block gives. */
final class Rtl {
    private static final int TIMEOUT_S = 120;

    private final Path folder;
    private final List<String> sources;
    private final List<String> parameters = new ArrayList<>();
    private final List<String> arguments = new ArrayList<>();

    private Rtl(Path folder, List<String> sources) {
        this.folder = folder;
        this.sources = sources;
    }

    /** A bench and the modules it needs, by resource name; skips the test if there is no Icarus Verilog (not in CI). */
    static Rtl of(Path folder, String... sources) {
        try {
            new ProcessBuilder("iverilog", "-V")
                    .redirectErrorStream(true)
                    .start()
                    .destroy();
        } catch (IOException e) {
            if ("true".equals(System.getenv("CI"))) {
                fail("Icarus Verilog (iverilog) is missing", e);
            }
            abort("Icarus Verilog (iverilog) is not installed: the Verilog twins are not compared");
        }
        return new Rtl(folder, List.of(sources));
    }

    /** Sets a parameter of the bench. */
    Rtl with(String name, long value) {
        parameters.add("-Pbench." + name + "=" + value);
        return this;
    }

    /** Gives a file of one hexadecimal word a line as plus-argument. */
    Rtl words(String name, List<String> hex) {
        Path file = folder.resolve(name + ".hex");
        try {
            Files.write(file, hex);
        } catch (IOException e) {
            fail("cannot write " + file, e);
        }
        return argument(name, file);
    }

    /** Gives a path as plus-argument. */
    Rtl argument(String name, Path file) {
        arguments.add("+" + name + "=" + file);
        return this;
    }

    /** Compiles, runs, and compares each line with the next one of the Java side. */
    void isTheSameAs(Iterable<String> java) {
        List<String> verilog = run();
        Iterator<String> expected = java.iterator();
        int n = 0;
        for (String line : verilog) {
            String mine = expected.hasNext() ? expected.next() : "nothing";
            if (!line.equals(mine)) {
                fail(
                        "line %d: Verilog prints '%s', the Java block gives '%s'; before: %s",
                        n, line, mine, before(verilog, n));
            }
            n++;
        }
        assertThat(expected.hasNext())
                .as("the Java block gives more than %d lines", n)
                .isFalse();
        assertThat(n).as("lines compared").isPositive();
    }

    private static List<String> before(List<String> lines, int n) {
        return lines.subList(Math.max(0, n - 4), n);
    }

    private List<String> run() {
        List<String> compile = new ArrayList<>(List.of("iverilog", "-g2012", "-Wall", "-Wno-timescale", "-s", "bench"));
        compile.addAll(parameters);
        compile.addAll(List.of("-o", "bench.vvp"));
        for (String source : sources) {
            compile.add(resource(source));
        }
        List<String> said = execute(compile);
        assertThat(said).as("warnings of the compiler").isEmpty();
        List<String> simulate = new ArrayList<>(List.of("vvp", "-n", "bench.vvp"));
        simulate.addAll(arguments);
        List<String> lines = execute(simulate);
        return lines.stream()
                .filter(l -> !l.startsWith("VCD info") && !l.contains("$finish called"))
                .toList();
    }

    private String resource(String name) {
        Path file = folder.resolve(name);
        try (InputStream in = Objects.requireNonNull(Rtl.class.getResourceAsStream(name), name)) {
            Files.write(file, in.readAllBytes());
        } catch (IOException e) {
            fail("cannot write " + file, e);
        }
        return name;
    }

    private List<String> execute(List<String> command) {
        Path out = folder.resolve(command.get(0) + ".out");
        try {
            Process p = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile())
                    .start();
            if (!p.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
                p.destroyForcibly();
                fail("%s did not end within %d s", command, TIMEOUT_S);
            }
            List<String> lines = Files.readAllLines(out, StandardCharsets.UTF_8);
            assertThat(p.exitValue()).as("%s: %s", command, lines).isZero();
            return lines;
        } catch (IOException e) {
            return fail("cannot run " + command, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return fail("interrupted", e);
        }
    }
}
