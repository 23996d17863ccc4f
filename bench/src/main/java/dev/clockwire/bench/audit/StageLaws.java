package dev.clockwire.bench.audit;

import static dev.clockwire.bench.audit.Verdict.CONSISTENT;
import static dev.clockwire.bench.audit.Verdict.IMPOSSIBLE;
import static dev.clockwire.bench.audit.Verdict.NEEDS;

import org.jspecify.annotations.Nullable;

/** Laws about the time of one stage and about shares of PCIe. */
final class StageLaws {
    /** The shortest round trip of a DMA read that a public measurement shows. */
    private static final double LEAST_ROUND_TRIP_NS = 290;

    /** What is the bottleneck is busy. */
    private static final double BOTTLENECK = 0.8;

    private static final double BUSY_SLACK_PERCENT = 5;

    private StageLaws() {}

    /** A DMA read takes a round trip and the time of its data. */
    static @Nullable Finding overPcie(Claim c) {
        double data = c.sizeBytes() * 8 / c.pcie().readGbps();
        if (!c.stage().equals("pcie") || Double.isNaN(c.stageNs() + data)) {
            return null;
        }
        double roundTrip = c.stageNs() - data;
        Verdict verdict = roundTrip >= LEAST_ROUND_TRIP_NS ? CONSISTENT : roundTrip > 0 ? NEEDS : IMPOSSIBLE;
        String sum =
                Laws.text("%.0f B = %.4g ns of data, leaves a round trip of %.4g ns", c.sizeBytes(), data, roundTrip);
        return new Finding(
                verdict,
                Laws.text(
                        "PCIe %s: %.4g Gb/s read, published round trips from 290 ns",
                        c.pcie().text(), c.pcie().readGbps()),
                verdict == NEEDS ? sum + "; needs a shorter one than any published" : sum);
    }

    /** Bytes leave at the rate of the line; less time is that of the first bits only. */
    static @Nullable Finding overLink(Claim c) {
        double whole = c.sizeBytes() * 8 / c.linkGbps();
        if (!c.stage().equals("link") || Double.isNaN(c.stageNs() + whole)) {
            return null;
        }
        double first = Math.min(c.sizeBytes(), c.mtu()) * 8 / c.linkGbps();
        boolean early = c.stageNs() < whole;
        return new Finding(
                early ? NEEDS : CONSISTENT,
                Laws.text("link %.4g Gb/s: %.0f B take %.4g ns", c.linkGbps(), c.sizeBytes(), whole),
                early
                        ? Laws.text(
                                "%.4g ns needs cut-through, counted to the first bit or the first packet (%.4g ns)",
                                c.stageNs(), first)
                        : Laws.text("%.4g ns", c.stageNs()));
    }

    /** A named bottleneck has to be nearly full. */
    static @Nullable Finding cause(Claim c) {
        double limit = c.limitedBy().equals("pcie") ? c.pcie().readGbps() : c.linkGbps();
        double gbps = Double.isNaN(c.stageNs()) ? c.gigabits() : c.sizeBytes() * 8 / c.stageNs();
        if (c.limitedBy().isEmpty() || Double.isNaN(limit + gbps)) {
            return null;
        }
        double share = gbps / limit;
        return new Finding(
                share >= BOTTLENECK ? CONSISTENT : IMPOSSIBLE,
                Laws.text("'limited by %s': %.4g Gb/s", c.limitedBy(), limit),
                Laws.text("%.4g Gb/s = %.0f %% of it: something else is the limit", gbps, 100 * share));
    }

    /** A claimed share is payload over what the slot carries. */
    static @Nullable Finding busy(Claim c) {
        double share = 100 * c.gigabits() / c.pcie().writeGbps();
        if (Double.isNaN(c.busyPercent()) || Double.isNaN(share)) {
            return null;
        }
        return new Finding(
                Math.abs(share - c.busyPercent()) <= BUSY_SLACK_PERCENT ? CONSISTENT : IMPOSSIBLE,
                Laws.text(
                        "PCIe %s: %.4g Gb/s written", c.pcie().text(), c.pcie().writeGbps()),
                Laws.text("%.4g Gb/s = %.0f %%, claimed %.0f %%", c.gigabits(), share, c.busyPercent()));
    }
}
