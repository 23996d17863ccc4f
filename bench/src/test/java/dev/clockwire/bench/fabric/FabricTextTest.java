package dev.clockwire.bench.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FabricTextTest {
    private static List<String> lines(FabricResult.Flow flow, List<FabricResult.Port> ports) {
        return FabricText.lines(new FabricResult(
                List.of(flow),
                List.of(new FabricResult.Switch("s", ports)),
                1,
                0,
                0,
                0,
                0,
                null,
                List.of(),
                1,
                1,
                1,
                1,
                1,
                1,
                "0",
                List.of()));
    }

    @Test
    void aFlowThatDidNotEndHasNoTime() {
        List<String> lines = lines(
                new FabricResult.Flow("f", 1000, null, 8.5, 2, null, null, "unfinished"),
                List.of(new FabricResult.Port("s->a", 0, 0, 0, 0, 0)));
        assertThat(lines.get(0).split("  +"))
                .containsExactly("flow", "bytes", "completion us", "goodput Gb/s", "packets sent again");
        assertThat(lines.get(1).split(" +")).containsExactly("f", "1000", "unfinished", "8.50", "2");
        assertThat(lines.get(2)).as("no port had anything to do with it").isEmpty();
        assertThat(lines.get(3)).startsWith("Jain");
    }

    @Test
    void portsThatLostFramesStandFirst() {
        List<FabricResult.Port> ports = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            ports.add(new FabricResult.Port("s->h" + i, 100_000 + i, 0, 3, 0, 0));
        }
        ports.add(new FabricResult.Port("s->in", 0, 0, 0, 0, 7));
        ports.add(new FabricResult.Port("s->quiet", 1102, 0, 0, 0, 0));
        List<String> lines = lines(new FabricResult.Flow("f", 1, 2.0, 8, 0, 0L, 0L, "success"), ports);
        assertThat(lines.get(4)).startsWith("s->in").endsWith(" 7");
        assertThat(lines).contains("... and 1 more port; --json shows all").noneMatch(l -> l.contains("quiet"));
    }
}
