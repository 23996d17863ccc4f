package dev.clockwire.sim.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.trace.JourneyIndex;
import dev.clockwire.sim.trace.JourneyLog;
import dev.clockwire.sim.trace.StageRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimelineTest {
    @Test
    void overlappingIntervalsGetLanesAndTheirEndsMatch(@TempDir Path dir) throws IOException, InterruptedException {
        StageRegistry names = new StageRegistry();
        JourneyLog log = new JourneyLog(16);
        int dma = names.id("host0.nic/dma");
        int poll = names.id("poll");
        log.stamp(1, dma, 0, 1_000, 5_000, 0);
        log.stamp(1, dma, 1, 2_000, 6_000, names.id("tags"));
        log.stamp(2, dma, 0, 5_000, 9_000, 0);
        log.stamp(1, poll, 0, 6_000, 6_000, 0);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Timeline.write(new JourneyIndex(log), names, bytes);

        String text = Judge.decodeTrace(dir, bytes.toByteArray());
        assertThat(text).contains("process_name: \"host0.nic\"").contains("process_name: \"journeys\"");
        assertThat(text).contains("string_value: \"tags\"").contains("int_value: 6000");
        assertThat(text.split("name: \"dma\"\n *parent_uuid", -1))
                .as("two lanes")
                .hasSize(3);
        List<String> events = new ArrayList<>();
        Matcher m = Pattern.compile(
                        "timestamp: (\\d+).*?type: TYPE_(\\w+)\\s+track_uuid: (\\d+)(.*?)\n}", Pattern.DOTALL)
                .matcher(text);
        while (m.find()) {
            String flow = m.group(4).replaceAll("(?s).*flow_ids: (\\d+).*|.*", "$1");
            events.add(m.group(1) + " " + m.group(2) + " " + m.group(3) + " " + flow);
        }
        assertThat(events)
                .containsExactly(
                        "1 SLICE_BEGIN 2 1",
                        "2 SLICE_BEGIN 3 1",
                        "5 SLICE_END 2 ",
                        "5 SLICE_BEGIN 2 2",
                        "6 SLICE_END 3 ",
                        "6 INSTANT 5 1",
                        "9 SLICE_END 2 ");
    }
}
