package dev.clockwire.bench.audit;

import static dev.clockwire.bench.audit.Verdict.CONSISTENT;
import static dev.clockwire.bench.audit.Verdict.IMPOSSIBLE;
import static dev.clockwire.bench.audit.Verdict.NEEDS;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The laws. Each returns null for a claim that states too little for it. */
final class Laws {
    /** Every law, in the order in which findings are listed. */
    static final List<Function<Claim, @Nullable Finding>> ALL = List.of(
            Laws::sum,
            Laws::link,
            Laws::pcie,
            Laws::datapath,
            Laws::little,
            Laws::unloaded,
            Laws::media,
            Laws::mediaRate,
            StageLaws::overPcie,
            StageLaws::overLink,
            StageLaws::cause,
            StageLaws::busy,
            Laws::tool,
            Laws::assumption);

    /** Line time of a RoCEv2 packet besides its payload: preamble, Ethernet, IPv4, UDP, BTH, ICRC, FCS and gap. */
    static final double PACKET_OVERHEAD = 82;

    /** The shortest one-way time of 2 bytes that a public measurement shows, back to back. */
    private static final double LEAST_ONE_WAY_US = 0.81;

    /** A closed loop keeps its depth but for what the averages round off. */
    private static final double LOOP_SLACK = 0.10;

    private static final double ROUNDING = 1.005;
    private static final Pattern BANDWIDTH_TOOL = Pattern.compile("ib_(write|read|send|atomic)_bw");
    private static final Pattern LATENCY_TOOL = Pattern.compile("ib_(write|read|send|atomic)_lat");

    private Laws() {}

    static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** A stated number is what its own parts make. */
    private static @Nullable Finding sum(Claim c) {
        if (Double.isNaN(c.stated())) {
            return null;
        }
        double value = Formula.value(c.formula());
        boolean agrees = Math.abs(value - c.stated()) <= c.tolerance() * c.stated();
        return new Finding(
                agrees ? CONSISTENT : IMPOSSIBLE,
                "own arithmetic",
                text("%s = %.6g, stated %.6g", c.formula(), value, c.stated()));
    }

    /** Payload a second does not exceed what frames leave of the line. */
    private static @Nullable Finding link(Claim c) {
        double gbps = c.gigabits();
        double ceiling = c.linkGbps() * c.mtu() / (c.mtu() + PACKET_OVERHEAD);
        if (Double.isNaN(gbps) || Double.isNaN(ceiling)) {
            return null;
        }
        return new Finding(
                gbps <= ceiling * ROUNDING ? CONSISTENT : IMPOSSIBLE,
                text("link %.4g Gb/s, MTU %.0f: %.4g Gb/s of payload", c.linkGbps(), c.mtu(), ceiling),
                text("%.4g Gb/s = %.3g of the ceiling", gbps, gbps / ceiling));
    }

    /** Nor what packet headers leave of the slot. */
    private static @Nullable Finding pcie(Claim c) {
        double gbps = c.gigabits();
        double ceiling = c.pcie().bestGbps();
        if (Double.isNaN(gbps) || Double.isNaN(ceiling)) {
            return null;
        }
        String hint = gbps > ceiling && gbps <= c.pcie().rawGbps()
                ? text(
                        "; %.5g Gb/s is the raw rate, before headers and DLLPs",
                        c.pcie().rawGbps())
                : "";
        return new Finding(
                gbps <= ceiling * ROUNDING ? CONSISTENT : IMPOSSIBLE,
                text(
                        "PCIe %s: %.4g Gb/s written, %.4g read",
                        c.pcie().text(), c.pcie().writeGbps(), ceiling),
                text("%.4g Gb/s = %.3g of the ceiling", gbps, gbps / ceiling) + hint);
    }

    /** A bus moves its width each cycle and begins at most one packet. */
    private static @Nullable Finding datapath(Claim c) {
        double gbps = c.gigabits();
        double bus = c.datapathBits() * c.coreMhz() / 1000;
        if (Double.isNaN(gbps) || Double.isNaN(bus)) {
            return null;
        }
        return new Finding(
                gbps <= bus ? CONSISTENT : IMPOSSIBLE,
                text("datapath %.0f bit x %.0f MHz = %.4g Gb/s", c.datapathBits(), c.coreMhz(), bus),
                text("%.4g Gb/s = %.3g of the bus", gbps, gbps / bus));
    }

    /** Messages in flight = rate x latency, whatever the machine. */
    private static @Nullable Finding little(Claim c) {
        double n = c.rate() * c.latencyUs() / 1e6;
        if (Double.isNaN(n)) {
            return null;
        }
        String sum = text("N = %.0f/s x %.4g us = %.4g", c.rate(), c.latencyUs(), n);
        if (!Double.isNaN(c.depth())) {
            boolean kept = Math.abs(n / c.depth() - 1) <= LOOP_SLACK;
            String instead = text("; at depth %.0f the latency is %.4g us", c.depth(), c.depth() / c.rate() * 1e6);
            return new Finding(
                    kept ? CONSISTENT : IMPOSSIBLE,
                    text("Little's law: a closed loop keeps %.0f in flight", c.depth()),
                    kept ? sum : sum + instead);
        }
        double least = Double.isNaN(c.qps()) ? 1 : c.qps();
        boolean open = n < least * (1 - LOOP_SLACK);
        return new Finding(
                open ? NEEDS : CONSISTENT,
                text("Little's law: a closed loop has at least one message of each queue pair in flight, %.0f", least),
                open ? sum + text("; needs open loop, one message each %.4g us", least / c.rate() * 1e6) : sum);
    }

    /** A message takes at least the time of the narrowest part of its way after the shortest latency that anybody has seen. */
    private static @Nullable Finding unloaded(Claim c) {
        double link = c.linkGbps() * c.mtu() / (c.mtu() + PACKET_OVERHEAD);
        double pcie = c.pcie().throughGbps();
        double narrowest = Double.isNaN(link) ? pcie : Double.isNaN(pcie) ? link : Math.min(link, pcie);
        if (Double.isNaN(c.latencyUs()) || Double.isNaN(c.sizeBytes()) || Double.isNaN(narrowest)) {
            return null;
        }
        double transfer = c.sizeBytes() * 8 / narrowest / 1000;
        double least = LEAST_ONE_WAY_US + transfer;
        return new Finding(
                c.latencyUs() >= least ? CONSISTENT : IMPOSSIBLE,
                text("one message: %.2f us at least (shortest published) + its transfer", LEAST_ONE_WAY_US),
                text(
                        "%.0f B at %.4g Gb/s = %.4g us; least %.4g us, claimed %.4g us",
                        c.sizeBytes(), narrowest, transfer, least, c.latencyUs()));
    }

    /** Nothing answers before its medium has. */
    private static @Nullable Finding media(Claim c) {
        double claimed = Double.isNaN(c.latencyBoundUs()) ? c.latencyUs() : c.latencyBoundUs();
        if (c.media().isEmpty() || Double.isNaN(claimed)) {
            return null;
        }
        double least = Media.of(c.media()).latencyUs;
        return new Finding(
                claimed > least ? CONSISTENT : IMPOSSIBLE,
                text("medium %s: %.3g us alone", c.media(), least),
                text("claimed end to end %.4g us", claimed));
    }

    /** Nor does it answer more often than anybody has seen, and its slot allows. */
    private static @Nullable Finding mediaRate(Claim c) {
        if (c.media().isEmpty() || Double.isNaN(c.rate()) || Double.isNaN(c.sizeBytes())) {
            return null;
        }
        Media m = Media.of(c.media());
        double slot = Slot.parse("Gen4 x4", 256).readGbps() * 1e9 / 8 / c.sizeBytes();
        double published = m.iops(c.sizeBytes(), c.mixed());
        double each = m == Media.RAM ? published : Math.min(published, c.mixed() ? 2 * slot : slot);
        double needed = Math.ceil(c.rate() / each - 0.005);
        return new Finding(
                needed <= c.devices() ? CONSISTENT : NEEDS,
                text("%.0f x %s: %.0f/s each (most that is published, PCIe Gen4 x4)", c.devices(), c.media(), each),
                text("%.0f/s needs %.0f of them", c.rate(), needed));
    }

    /** A tool prints what it prints. */
    private static @Nullable Finding tool(Claim c) {
        boolean timed = !Double.isNaN(c.latencyUs());
        if (BANDWIDTH_TOOL.matcher(c.tool()).matches() && timed) {
            return new Finding(NEEDS, c.tool() + " prints no latency", "needs time stamps of an application");
        }
        if (LATENCY_TOOL.matcher(c.tool()).matches() && c.qps() > 1) {
            return new Finding(IMPOSSIBLE, c.tool() + " takes one queue pair", text("claimed %.0f", c.qps()));
        }
        return null;
    }

    private static @Nullable Finding assumption(Claim c) {
        return c.assumes().isEmpty() ? null : new Finding(NEEDS, c.assumes(), "not checked here");
    }
}
