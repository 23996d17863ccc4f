package dev.clockwire.sim.export;

import dev.clockwire.sim.trace.JourneyIndex;
import dev.clockwire.sim.trace.StageRegistry;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Shows journeys as a timeline: a track for each stage, with as many lanes as intervals overlap, a slice for each interval (an
 * instant if it is empty) with its cause and exact times as arguments, and arrows that follow each journey.
 */
public final class Timeline {
    private final PerfettoWriter out;
    private final StageRegistry names;
    private final Map<String, Long> tracks = new TreeMap<>();
    private final Map<String, List<Lane>> lanes = new TreeMap<>();
    private final List<Edge> edges = new ArrayList<>();

    private Timeline(PerfettoWriter out, StageRegistry names) {
        this.out = out;
        this.names = names;
    }

    /** Writes all stamps of an index. A stage named {@code host0.nic/dma} is the track {@code dma} of {@code host0.nic}. */
    public static void write(JourneyIndex index, StageRegistry names, OutputStream stream) {
        Timeline t = new Timeline(new PerfettoWriter(stream), names);
        List<JourneyIndex.Stamp> stamps = new ArrayList<>(index.stamps());
        stamps.sort(Comparator.comparingLong(JourneyIndex.Stamp::in)
                .thenComparing(Comparator.comparingLong(JourneyIndex.Stamp::out).reversed()));
        stamps.forEach(t::place);
        t.emit();
    }

    private void place(JourneyIndex.Stamp s) {
        String stage = names.name(s.stage());
        List<Lane> all = lanes.computeIfAbsent(stage, k -> new ArrayList<>());
        Lane lane = null;
        for (Lane l : all) {
            if (l.busyUntil <= s.in()) {
                lane = l;
                break;
            }
        }
        if (lane == null) {
            int slash = stage.lastIndexOf('/');
            String module = slash < 0 ? "journeys" : stage.substring(0, slash);
            long parent = tracks.computeIfAbsent(module, out::process);
            lane = new Lane(out.track(parent, stage.substring(slash + 1)));
            all.add(lane);
        }
        lane.busyUntil = s.out();
        edges.add(new Edge(s.in(), 1, lane.track, s));
        if (s.out() > s.in()) {
            edges.add(new Edge(s.out(), 0, lane.track, s));
        }
    }

    private void emit() {
        Edge[] all = edges.toArray(new Edge[0]);
        // at one time ends come before starts
        Arrays.sort(all, Comparator.comparingLong(Edge::ps).thenComparingInt(Edge::order));
        for (Edge e : all) {
            if (e.order != 1) {
                out.end(e.track, e.ps).write();
                continue;
            }
            JourneyIndex.Stamp s = e.stamp;
            String name = names.name(s.stage()).replaceFirst(".*/", "");
            if (s.out() > s.in()) {
                out.begin(e.track, e.ps, name);
            } else {
                out.instant(e.track, e.ps, name);
            }
            out.arg("journey", s.journey())
                    .arg("part", s.seq())
                    .arg("start_ps", s.in())
                    .arg("end_ps", s.out());
            if (!names.name(s.cause()).isEmpty()) {
                out.arg("wait_for", names.name(s.cause()));
            }
            out.flow(s.journey()).write();
        }
    }

    private static final class Lane {
        final long track;
        long busyUntil;

        Lane(long track) {
            this.track = track;
        }
    }

    private record Edge(long ps, int order, long track, JourneyIndex.Stamp stamp) {}
}
