package dev.clockwire.bench.artefact;

import dev.clockwire.sim.export.JsonWriter;
import dev.clockwire.sim.trace.JourneyIndex;
import dev.clockwire.sim.trace.StageRegistry;
import dev.clockwire.sim.wave.ChannelWaits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/** Who waited for whom: modules at channels, and operations in stages, whose stamps say what they waited for. */
final class WaitTable {
    private final ChannelWaits channels;
    private final List<Stage> stages = new ArrayList<>();

    /**
     * Time in which at least one operation waited in a stage for something.
     *
     * @param times how many such stamps there are
     */
    private record Stage(String stage, String cause, long ps, long longestPs, long times) {}

    private record Key(int stage, int cause) implements Comparable<Key> {
        @Override
        public int compareTo(Key o) {
            return stage != o.stage ? Integer.compare(stage, o.stage) : Integer.compare(cause, o.cause);
        }
    }

    /** Creates it after a run. */
    WaitTable(ChannelWaits channels, JourneyIndex index, StageRegistry names) {
        this.channels = channels;
        TreeMap<Key, List<JourneyIndex.Stamp>> all = new TreeMap<>();
        for (JourneyIndex.Stamp s : index.stamps()) {
            if (!names.name(s.cause()).isEmpty() && s.out() > s.in()) {
                all.computeIfAbsent(new Key(s.stage(), s.cause()), k -> new ArrayList<>())
                        .add(s);
            }
        }
        all.forEach((key, stamps) -> stages.add(stage(names.name(key.stage), names.name(key.cause), stamps)));
        stages.sort(Comparator.comparingLong(Stage::ps).reversed());
    }

    /** Joins stamps that overlap. */
    private static Stage stage(String name, String cause, List<JourneyIndex.Stamp> stamps) {
        stamps.sort(Comparator.comparingLong(JourneyIndex.Stamp::in));
        long total = 0;
        long longest = 0;
        long counted = Long.MIN_VALUE;
        long from = 0;
        for (JourneyIndex.Stamp s : stamps) {
            if (s.in() > counted) {
                from = s.in();
                counted = from;
            }
            total += Math.max(0, s.out() - counted);
            counted = Math.max(counted, s.out());
            longest = Math.max(longest, counted - from);
        }
        return new Stage(name, cause, total, longest, stamps.size());
    }

    void write(JsonWriter json) {
        json.beginObject().field("from_ps", channels.fromPs()).field("to_ps", channels.toPs());
        json.name("channels").beginArray();
        channels.waits().forEach(w -> write(w, json));
        json.endArray().name("stages").beginArray();
        for (Stage s : stages) {
            json.beginObject()
                    .field("stage", s.stage)
                    .field("for", s.cause)
                    .field("ps", s.ps)
                    .field("longest_ps", s.longestPs)
                    .field("times", s.times)
                    .endObject();
        }
        json.endArray().endObject();
    }

    private static void write(ChannelWaits.Wait w, JsonWriter json) {
        json.beginObject()
                .field("channel", w.channel())
                .field("waits", w.waits())
                .field("for", w.on())
                .field("why", w.why().name().toLowerCase(Locale.ROOT))
                .field("ps", w.ps())
                .field("longest_ps", w.longestPs())
                .field("times", w.times());
        if (w.sincePs() >= 0) {
            json.field("since_ps", w.sincePs());
        }
        json.endObject();
    }
}
