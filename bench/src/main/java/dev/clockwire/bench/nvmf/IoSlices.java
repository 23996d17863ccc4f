package dev.clockwire.bench.nvmf;

import dev.clockwire.sim.export.TimelineSlice;
import dev.clockwire.storage.perf.StageTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** I/Os in a timeline: a track for each stage below the host that it is at, and an arrow from stage to stage of each I/O. */
public final class IoSlices {
    /** Operations of NICs have a device in these bits, of which there are not so many. */
    private static final long FIRST_FLOW = 1L << 62;

    private static final String HOST = "host0";
    private static final String TARGET = "host1";
    private static final String BETWEEN = "network";
    /** Of which both sides and what is between them have a part. */
    private static final Set<String> ON_THE_WAY = Set.of("request", "response", "request_wire", "response_wire");

    private static final Set<String> AT_THE_TARGET = Set.of(
            "parse",
            "fetch_data",
            "execute",
            "device",
            "respond",
            "target_wake",
            "target_submit",
            "ssd",
            "target_respond");

    private IoSlices() {}

    /** Returns the slices of the I/Os that are kept, which are those of {@link StageTimes#each}; none if the stack does not know stages. */
    public static List<TimelineSlice> of(@Nullable StageTimes stages) {
        List<TimelineSlice> all = new ArrayList<>();
        if (stages != null) {
            long[] flow = {FIRST_FLOW};
            stages.each((begun, ps) -> add(stages.names(), begun, ps, flow[0]++, all));
        }
        return all;
    }

    private static void add(List<String> names, long begun, long[] ps, long flow, List<TimelineSlice> all) {
        long at = begun;
        TimelineSlice last = null;
        for (int i = 0; i < ps.length; i++) {
            if (ps[i] > 0) {
                if (last != null) {
                    last.passes(flow);
                }
                last = new TimelineSlice(place(names.get(i)), "I/O " + names.get(i), names.get(i), at, at + ps[i])
                        .arg("io", flow - FIRST_FLOW)
                        .arg("start_ps", at)
                        .arg("end_ps", at + ps[i]);
                all.add(last);
                at += ps[i];
            }
        }
        if (last != null && at - begun > last.out() - last.in()) {
            last.ends(flow);
        }
    }

    private static String place(String stage) {
        return ON_THE_WAY.contains(stage) ? BETWEEN : AT_THE_TARGET.contains(stage) ? TARGET : HOST;
    }
}
