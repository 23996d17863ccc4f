package dev.clockwire.testkit;

import static dev.clockwire.testkit.SimAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.Probe;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.export.VcdReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;
import org.opentest4j.AssertionFailedError;

/** What a failed test tells and leaves, judged by one that lets tests fail. */
class FailureTextTest {
    private static final String SEED = "clockwire.seed";

    private static Events run(DiscoverySelector what) {
        return EngineTestKit.engine("junit-jupiter")
                .configurationParameter("junit.jupiter.conditions.deactivate", "*")
                .selectors(what)
                .execute()
                .testEvents();
    }

    private static Events run(String method) {
        return run(selectMethod(Wrong.class, method, Sim.class.getName()));
    }

    private static List<Throwable> failures(Events tests) {
        return tests.failed().stream()
                .map(e -> e.getRequiredPayload(TestExecutionResult.class)
                        .getThrowable()
                        .orElseThrow())
                .toList();
    }

    private static String text(String method) {
        return String.valueOf(failures(run(method)).get(0).getMessage());
    }

    private static Path folder(String method) {
        return Path.of("target", "simtest", Wrong.class.getName(), method, "activity");
    }

    @Test
    void everythingThatStartsEndsAsItShould() {
        run(selectClass(Wrong.class))
                .assertStatistics(s -> s.started(11).succeeded(2).aborted(1).failed(8));
    }

    @Test
    void theTextSaysWhatWhenWhereAndHowToRepeat() {
        assertThat(text("wrongWords").lines().map(String::stripTrailing).toList())
                .containsSubsequence(
                        "out: word 2 is 1000000, expected 4",
                        "  when    24.024 ns, cycle 7 of clk", // 333 MHz: edge 7 at 21.021 ns, and 8 edges were run
                        "  where   out",
                        "  last in the channels of out",
                        "            6.006 ns  out  put  2  (cycle 2 of clk)",
                        "           21.021 ns  out  take 0xf4240  (cycle 7 of clk)",
                        "  waiting now",
                        "  kernel  activity")
                .anyMatch(l ->
                        l.matches("  seed    1 for all tests \\(-Dclockwire\\.seed\\), so 0x[0-9a-f]+ for this one"))
                .contains("  repeat  mvn test -pl sim-core/testkit -am '-Dtest=FailureTextTest$Wrong#wrongWords'"
                        + " -Dclockwire.seed=1 -Dsurefire.failIfNoSpecifiedTests=false");
        assertThat(text("wrongWords")).doesNotContain("  in  put");
    }

    @Test
    void toolsSeeTheValues() {
        Throwable thrown = failures(run("wrongWords")).get(0);
        assertThat(thrown).isInstanceOf(SimTestFailure.class);
        AssertionFailedError error = (AssertionFailedError) thrown;
        assertThat(error.getExpected().getValue()).isEqualTo(List.of(1L, 2L, 4L, 5L));
        assertThat(error.getActual().getValue()).isEqualTo(List.of(1L, 2L, 1_000_000L));
        StackTraceElement[] trace = thrown.getStackTrace();
        assertThat(trace[trace.length - 1].getMethodName())
                .as("the trace ends at the test")
                .isEqualTo("wrongWords");
    }

    @Test
    void theArtefactsAreThoseOfTheRun() throws IOException {
        assertThat(text("wrongWords"))
                .contains("kept    sim-core/testkit/" + folder("wrongWords") + ": repeat.txt, events.txt, waves.vcd");
        Path folder = folder("wrongWords");
        assertThat(Files.readString(folder.resolve("repeat.txt"))).contains("-Dclockwire.seed=1");
        assertThat(Files.readString(folder.resolve("events.txt")))
                .contains("21.021 ns  out  take 0xf4240  (cycle 7 of clk)");
        VcdReader waves = VcdReader.parse(Files.readString(folder.resolve("waves.vcd")));
        assertThat(waves.changes("out.bits")).endsWith("18018=101");
    }

    @Test
    void whatATestDoesNotWantIsNotKept() throws IOException {
        assertThat(text("keepsNoWaves")).endsWith(": repeat.txt, events.txt");
        try (Stream<Path> files = Files.list(folder("keepsNoWaves"))) {
            assertThat(files.map(f -> f.getFileName().toString()))
                    .containsExactlyInAnyOrder("repeat.txt", "events.txt");
        }
    }

    @Test
    void aFailureThatIsGoneLeavesNothing() throws IOException {
        Files.createDirectories(folder("passes"));
        Files.writeString(folder("passes").resolve("waves.vcd"), "of an earlier failure");
        run("passes").assertStatistics(s -> s.succeeded(1));
        assertThat(folder("passes")).doesNotExist();
    }

    @Test
    void errorsOfAModelNameItsKindAndItsPlace() {
        assertThat(text("breaksALaw"))
                .contains(ConfigurationException.class.getName() + ": in: has no consumer; its producer is test.in")
                .contains("when    before the simulation ran", "where   in");
    }

    @Test
    void aRunThatHangsSaysWhoWaits() {
        assertThat(text("hangs"))
                .contains("the limit of this simulation is reached: 100.000 ns")
                .contains("when    100.000 ns, cycle 99 of clk", "limit   100 cycles: maxCycles of @SimTest")
                .contains("in holds 2 of 2 for sink since 1.000 ns, and is full: test.in waits for room");
    }

    @Test
    void kernelsThatDisagreeNameTheChannel() {
        assertThat(text("dependsOnTheMode"))
                .contains("the kernel modes disagree", "activity", "1 observation points differ: p");
    }

    @Test
    void whatBothKernelsSayIsSaidOnce() {
        List<Throwable> both = failures(run("failsTwice"));
        assertThat(both.get(0))
                .hasMessageContainingAll("out: word 0 is 1", "last in the channels of out", "repeat  mvn");
        assertThat(both.get(1))
                .hasMessageContainingAll("out: word 0 is 1", "kernel  exhaustive: fails as in the activity kernel")
                .hasMessageContaining("repeat  mvn")
                .message()
                .doesNotContain("last in");
    }

    @Test
    void anotherSeedIsAnotherRunAndTheSameSeedTheSame() {
        Map<String, String> texts = new TreeMap<>();
        try {
            for (String seed : new String[] {"1", "7", "0x7", "-3"}) {
                System.setProperty(SEED, seed);
                texts.put(seed, text("drawsNumbers"));
            }
        } finally {
            System.clearProperty(SEED);
        }
        String drawn = "drew \\d+";
        assertThat(drawn(texts, "7", drawn))
                .isEqualTo(drawn(texts, "0x7", drawn))
                .isNotEqualTo(drawn(texts, "1", drawn));
        assertThat(texts.get("7")).contains("#drawsNumbers' -Dclockwire.seed=7 ");
        assertThat(texts.get("-3")).contains("#drawsNumbers' -Dclockwire.seed=-3 ");
    }

    private static String drawn(Map<String, String> texts, String seed, String pattern) {
        return texts.getOrDefault(seed, "").replaceAll("(?s).*(" + pattern + ").*", "$1");
    }

    @Test
    void aSeedThatIsNoneIsRefused() {
        System.setProperty(SEED, "many");
        try {
            Events all = EngineTestKit.engine("junit-jupiter")
                    .selectors(selectMethod(Wrong.class, "passes", Sim.class.getName()))
                    .execute()
                    .containerEvents();
            assertThat(failures(all).get(0)).hasMessageContaining("-Dclockwire.seed=many: must be a number");
        } finally {
            System.clearProperty(SEED);
        }
    }

    /** Run by the tests above only: nested and not public, so nothing else finds it. */
    @Tag("wrong")
    static class Wrong {
        private static LongSink through(Sim sim, int mhz, Stall stall) {
            OneBlock block = OneBlock.at(sim, Frequency.mhz(mhz));
            LongSource source = block.source("in", Stall.none(), 1, 2, 1_000_000, 5, 6, 7, 8);
            LongSink sink = block.sink("out", stall);
            new Delay(sim.root(), block.clock(), source.channel(), sink.channel());
            block.run(8);
            return sink;
        }

        @SimTest(modes = KernelMode.ACTIVITY)
        void wrongWords(Sim sim) {
            assertThat(through(sim, 333, Stall.pattern("01"))).hasWords(1, 2, 4, 5);
        }

        @SimTest(modes = KernelMode.ACTIVITY, onFailure = Artefact.EVENTS)
        void keepsNoWaves(Sim sim) {
            assertThat(through(sim, 100, Stall.none())).isEmpty();
        }

        @SimTest
        void failsTwice(Sim sim) {
            assertThat(through(sim, 100, Stall.none())).isEmpty();
        }

        @SimTest(modes = KernelMode.ACTIVITY)
        void passes(Sim sim) {
            assertThat(sim).isNotNull();
        }

        @SimTest(modes = KernelMode.ACTIVITY)
        void isAborted(Sim sim) {
            Assumptions.assumeTrue(sim.now() > 0);
        }

        @SimTest(modes = KernelMode.ACTIVITY)
        void breaksALaw(Sim sim) {
            OneBlock block = OneBlock.at(sim, Frequency.mhz(100));
            block.source("in", Stall.none(), 1);
            block.run(1);
        }

        @SimTest(modes = KernelMode.ACTIVITY, maxCycles = 100)
        void hangs(Sim sim) {
            OneBlock block = OneBlock.at(sim, Frequency.mhz(1000));
            LongSource source = block.source("in", Stall.none(), 1, 2, 3);
            new LongSink(sim.root(), "sink", block.clock(), source.channel(), cycle -> false);
            sim.runUntil(() -> false, Long.MAX_VALUE);
        }

        @SimTest(modes = KernelMode.ACTIVITY)
        void drawsNumbers(Sim sim) {
            throw new AssertionError("drew " + (sim.random("mine").nextLong() >>> 1));
        }

        @SimTest
        void dependsOnTheMode(Sim sim) {
            new Probe(sim.root(), "p").fold(0, sim.spec().mode() == KernelMode.EXHAUSTIVE ? 1 : 2, 0);
        }
    }
}
