package dev.clockwire.docs;

import static dev.clockwire.testkit.nic.NicAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.testkit.SimTest;
import dev.clockwire.testkit.nic.Pair;
import dev.clockwire.testkit.nic.Posts;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;

/** The text of a failure on the page about tests is one. */
class TestingPagesTest {
    @Test
    void theFailureIsARealOne() {
        String text = EngineTestKit.engine("junit-jupiter")
                .configurationParameter("junit.jupiter.conditions.deactivate", "*")
                .selectors(selectClass(Wrong.class))
                .execute()
                .testEvents()
                .failed()
                .stream()
                .findFirst()
                .flatMap(e -> e.getRequiredPayload(TestExecutionResult.class).getThrowable())
                .map(Throwable::getMessage)
                .orElse("it did not fail");
        String root =
                Path.of("").toAbsolutePath().resolve(Page.ROOT).normalize().toString();
        Page page = new Page("testing.md");
        page.section(
                "failure", "```\n" + text.replace(root, "/home/you/clockwire").replace("\r", "") + "\n```\n");
        page.assertAgrees();
    }

    /** Run by the test above only: nested and not public, so nothing else finds it. */
    @Tag("wrong")
    static class Wrong {
        @SimTest(modes = KernelMode.ACTIVITY)
        void theGreetingArrives(Pair pair, Posts posts) {
            pair.a.write(0, "hello, far memory".getBytes(UTF_8));
            posts.post(WrOpcode.RDMA_WRITE, 17);
            assertThat(pair.next(pair.a)).isSuccess();
            pair.run(1000);
            assertThat(pair.b).holds(0, "hello, far Memory".getBytes(UTF_8));
        }
    }
}
