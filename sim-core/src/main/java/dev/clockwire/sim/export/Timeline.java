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
 * Shows slices as a timeline: a tree of tracks, with as many lanes as slices of a track overlap. Of journeys, a track for each stage, a slice
 * for each interval with its cause and exact times as arguments, and arrows that follow each journey.
 */
public final class Timeline {
    private final PerfettoWriter out;
    private final String command;
    private final Map<String, Long> processes = new TreeMap<>();
    private final Map<String, List<Lane>> lanes = new TreeMap<>();
    private final List<Edge> edges = new ArrayList<>();

    private Timeline(PerfettoWriter out, String command) {
        this.out = out;
        this.command = command;
    }

    /** Writes all stamps of an index. A stage named {@code host0.nic/dma} is the track {@code dma} of {@code host0.nic}. */
    public static void write(JourneyIndex index, StageRegistry names, OutputStream stream) {
        List<JourneyIndex.Stamp> stamps = new ArrayList<>(index.stamps());
        stamps.sort(Comparator.comparingLong(JourneyIndex.Stamp::in)
                .thenComparing(Comparator.comparingLong(JourneyIndex.Stamp::out).reversed()));
        List<TimelineSlice> slices = new ArrayList<>();
        for (JourneyIndex.Stamp s : stamps) {
            String stage = names.name(s.stage());
            int slash = stage.lastIndexOf('/');
            String module = slash < 0 ? "journeys" : stage.substring(0, slash);
            slices.add(slice(s, module, stage.substring(slash + 1), names).passes(s.journey()));
        }
        write(slices, "", stream);
    }

    /** Returns a stamp as a slice without arrows. */
    public static TimelineSlice slice(JourneyIndex.Stamp s, String process, String track, StageRegistry names) {
        return new TimelineSlice(process, track, track, s.in(), s.out())
                .arg("journey", s.journey())
                .arg("part", s.seq())
                .arg("start_ps", s.in())
                .arg("end_ps", s.out())
                .arg("wait_for", names.name(s.cause()));
    }

    /**
     * Writes slices that are in the order of their starts; of several at one time flows pass the first one first.
     *
     * @param command that makes them again, shown with each process; empty if nobody knows it
     */
    public static void write(List<TimelineSlice> slices, String command, OutputStream stream) {
        Timeline t = new Timeline(new PerfettoWriter(stream), command);
        slices.forEach(t::place);
        t.emit();
    }

    private void place(TimelineSlice s) {
        List<Lane> all = lanes.computeIfAbsent(s.process() + "/" + s.track(), k -> new ArrayList<>());
        Lane lane = null;
        for (Lane l : all) {
            if (l.busyUntil <= s.in()) {
                lane = l;
                break;
            }
        }
        if (lane == null) {
            long parent = processes.computeIfAbsent(s.process(), name -> out.process(name, command));
            lane = new Lane(out.track(parent, s.track()));
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
            if (e.order == 1) {
                e.slice.write(out, e.track);
            } else {
                out.end(e.track, e.ps).write();
            }
        }
    }

    private static final class Lane {
        final long track;
        long busyUntil;

        Lane(long track) {
            this.track = track;
        }
    }

    private record Edge(long ps, int order, long track, TimelineSlice slice) {}
}
