package dev.clockwire.docs;

import dev.clockwire.examples.Peer;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.sim.trace.JourneyIndex;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** One simulated WRITE of an article's profile beside the article's stage table. */
final class StageTable {
    private static final int STAMPS = 1 << 14;

    private final Lab lab;
    private JourneyIndex.Stamp[] stamps = {};

    private StageTable(String profile) {
        lab = Lab.twoHosts(Profiles.named(profile), LabSpec.of(1).withJourneys(STAMPS));
    }

    /** Returns the table; each row is a stage (or several) and the article's ns. */
    static String of(String profile, int bytes, List<String> stages, int... articleNs) {
        StageTable t = new StageTable(profile);
        t.write(bytes);
        JourneyIndex index = new JourneyIndex(Objects.requireNonNull(t.lab.sim().journeys()));
        t.stamps = index.stamps().toArray(t.stamps);
        Table table = new Table("stage", "article", "simulated", "cycles");
        long at = t.last("post");
        long total = 0;
        for (int i = 0; i < stages.size(); i++) {
            if (stages.get(i).equals("cqe_write")) {
                at = t.last("completion"); // the way of packet and ACK is between
            }
            long end = t.end(stages.get(i), at);
            boolean shown = articleNs[i] > 0;
            total += shown ? end - at : 0;
            String name = "`" + stages.get(i).replace("+", "` + `") + "`";
            table.row(name, shown ? articleNs[i] + " ns" : "-", ns(end - at), t.cycles(end - at));
            at = end;
        }
        table.row("rows of the article", Arrays.stream(articleNs).sum() + " ns", ns(total), t.cycles(total));
        return table.orNone();
    }

    private static String ns(long ps) {
        return String.format(Locale.ROOT, "%.2f ns", ps / 1000.0);
    }

    private String cycles(long ps) {
        int mhz = lab.profile().integer("nic.core_mhz");
        return String.format(Locale.ROOT, "%.1f", ps * mhz / 1e6);
    }

    /** Returns when a stage ends that begins at a time: of several packets, that of the first one that is not earlier. */
    private long end(String stages, long at) {
        long end = at;
        for (String stage : stages.split("\\+", -1)) {
            end = stage.equals("payload_dma") ? last(stage) : first(stage, end);
        }
        return end;
    }

    private long last(String stage) {
        return Arrays.stream(stamps)
                .filter(s -> is(s, stage))
                .mapToLong(JourneyIndex.Stamp::out)
                .max()
                .orElseThrow();
    }

    private long first(String stage, long from) {
        return Arrays.stream(stamps)
                .filter(s -> is(s, stage)
                        && s.out() >= from
                        && s.in() >= from - lab.profile().integer("nic.core_mhz"))
                .mapToLong(JourneyIndex.Stamp::out)
                .min()
                .orElseThrow();
    }

    private boolean is(JourneyIndex.Stamp stamp, String stage) {
        return lab.sim().stages().name(stamp.stage()).equals(stage);
    }

    private void write(int bytes) {
        Peer a = new Peer(lab, lab.a(), bytes);
        Peer b = new Peer(lab, lab.b(), bytes);
        a.connect(b);
        b.connect(a);
        SendBatch batch = new SendBatch(1, 1);
        a.prepare(batch.add(), WrOpcode.RDMA_WRITE, bytes, b);
        a.qp().postSend(batch);
        lab.sim().run(lab.sim().now() + 100_000_000);
    }
}
