package dev.clockwire.bench.fabric;

import dev.clockwire.bench.artefact.LinkSeries;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.fabric.bridge.FabricSwitch;
import dev.clockwire.roce.fabric.host.Flow;
import dev.clockwire.roce.fabric.net.Wiring;
import dev.clockwire.sim.export.CsvWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Rate and queue over time, looked at every so often. Looking changes nothing. */
public final class Series {
    private static final double US = 1e6;
    private static final double GIGA = 1e9;
    private static final double BITS_PS = 8_000;

    private final List<Sample> samples = new ArrayList<>();
    private final long[] acknowledged;
    private final Map<String, Long> marks = new HashMap<>();
    private @Nullable LinkSeries links;
    private long[] linksBefore = {};
    private long[] linksNow = {};

    /**
     * One value.
     *
     * @param us time
     * @param object a flow, or a port of a switch
     * @param metric {@code rate_gbps} (allowed; of devices: sent since the last look), {@code goodput_gbps} (acknowledged since the last look),
     *     {@code queue_bytes}, {@code paused}, {@code ecn_marks} (of the port since the last look), those of {@link LinkSeries}
     * @param value of it
     */
    public record Sample(double us, String object, String metric, double value) {}

    Series(int flows) {
        acknowledged = new long[flows];
    }

    /** Sees to it that links are looked at from now on. */
    void begin(Endpoints hosts) {
        List<LinkEnd> ends = hosts.wiring().links().stream()
                .flatMap(link -> Stream.of(link.a(), link.b()))
                .toList();
        LinkSeries all = new LinkSeries(hosts.stats(), ends);
        links = all;
        linksNow = all.totals();
        linksBefore = linksNow;
    }

    private void links(double us, long sincePs) {
        LinkSeries all = links;
        if (all != null) {
            long[] totals = all.totals();
            all.differences(
                    new long[][] {linksBefore, linksNow, totals, totals},
                    sincePs,
                    (object, metric, value) -> samples.add(new Sample(us, object, metric, value)));
            linksBefore = linksNow;
            linksNow = totals;
        }
    }

    private void marks(double us, String port, long total) {
        long before = marks.getOrDefault(port, 0L);
        if (total > 0) {
            marks.put(port, total);
            samples.add(new Sample(us, port, LinkSeries.MARKS, total - before));
        }
    }

    /** Notes what flows and ports are like now; ports at which nothing waits are left out. */
    void look(Endpoints hosts, long sincePs, int priority) {
        long now = hosts.parts().get(0).now();
        double us = (now - hosts.beginPs()) / US;
        List<? extends Flow> flows = hosts.flows();
        for (int i = 0; i < flows.size(); i++) {
            Flow flow = flows.get(i);
            long bytes = flow.acknowledgedBytes();
            boolean moves = bytes != acknowledged[i];
            if (flow.beginsPs() <= now && (moves || !(flow.done() || flow.failed()))) {
                samples.add(new Sample(us, flow.spec().name(), "rate_gbps", flow.rate(now) / GIGA));
                samples.add(new Sample(
                        us, flow.spec().name(), "goodput_gbps", (bytes - acknowledged[i]) * BITS_PS / sincePs));
            }
            acknowledged[i] = bytes;
        }
        Wiring wiring = hosts.wiring();
        for (int s = 0; s < wiring.switches().size(); s++) {
            FabricSwitch sw = wiring.switches().get(s);
            for (int port = 0; port < sw.ports(); port++) {
                long queued = sw.queued(port, priority);
                boolean paused = sw.isPaused(port, priority);
                if (queued > 0 || paused) {
                    String name = wiring.portName(s, port);
                    samples.add(new Sample(us, name, LinkSeries.QUEUE, queued));
                    samples.add(new Sample(us, name, LinkSeries.PAUSED, paused ? 1 : 0));
                }
                marks(us, wiring.portName(s, port), sw.counters(port).marked(priority));
            }
        }
        links(us, sincePs);
    }

    /** Returns all samples in order of time. */
    public List<Sample> samples() {
        return List.copyOf(samples);
    }

    /** Returns lines of {@code time_us,object,metric,value} below a heading. */
    public String csv() {
        StringBuilder out = new StringBuilder();
        CsvWriter csv = new CsvWriter(out, "time_us", "object", "metric", "value");
        for (Sample s : samples) {
            csv.cell(String.format(Locale.ROOT, "%.3f", s.us()))
                    .cell(s.object())
                    .cell(s.metric())
                    .cell(String.format(Locale.ROOT, "%.6g", s.value()))
                    .endRow();
        }
        return out.toString();
    }
}
