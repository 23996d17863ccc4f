package dev.clockwire.bench.audit;

import dev.clockwire.bench.csv.CsvFile;
import java.util.Set;

/**
 * One claimed result. A number that the claim does not state is NaN, a text then is empty.
 *
 * @param name the claim in words
 * @param linkGbps rate of the port
 * @param mtu path MTU in bytes, 4096 if the claim states none: the kindest
 * @param pcie the slot
 * @param datapathBits width of the packet bus
 * @param coreMhz clock of the packet bus
 * @param tool what measured
 * @param sizeBytes bytes of a message
 * @param qps queue pairs
 * @param depth messages that the tool keeps in flight, of all queue pairs together
 * @param ratePerS messages a second
 * @param bandwidthGbps payload bits a second
 * @param latencyUs average latency of a message, in us
 * @param latencyBoundUs latency that the claim says is not exceeded, in us
 * @param stageNs time of one stage that carries {@code sizeBytes}
 * @param stage what the stage carries them over: {@code pcie}, {@code link} or nothing
 * @param limitedBy what the claim names as the cause: {@code pcie} or {@code link}
 * @param busyPercent claimed use of PCIe
 * @param media storage device behind it, null for none
 * @param devices number of such devices
 * @param mixed whether reads and writes are mixed
 * @param stated a stated number
 * @param formula how it follows from others
 * @param tolerance how far both may lie apart, as a share
 * @param assumes what has to hold although no law here can check it
 */
record Claim(
        String name,
        double linkGbps,
        double mtu,
        Slot pcie,
        double datapathBits,
        double coreMhz,
        String tool,
        double sizeBytes,
        double qps,
        double depth,
        double ratePerS,
        double bandwidthGbps,
        double latencyUs,
        double latencyBoundUs,
        double stageNs,
        String stage,
        String limitedBy,
        double busyPercent,
        String media,
        double devices,
        boolean mixed,
        double stated,
        String formula,
        double tolerance,
        String assumes) {

    /** The columns of a file of claims; all but the first may be left out. */
    static final Set<String> COLUMNS = Set.of(
            "claim",
            "link_gbps",
            "mtu",
            "pcie",
            "mps",
            "datapath_bits",
            "core_mhz",
            "tool",
            "size_bytes",
            "qps",
            "depth",
            "rate_per_s",
            "bandwidth_gbps",
            "latency_us",
            "latency_bound_us",
            "stage_ns",
            "stage",
            "limited_by",
            "pcie_busy_pct",
            "media",
            "devices",
            "mixed",
            "stated",
            "formula",
            "tolerance_pct",
            "assumes",
            "note");

    private static final double LARGEST_MTU = 4096;
    private static final double USUAL_MPS = 256;
    private static final double USUAL_TOLERANCE_PERCENT = 1;

    /** Reads the claim of a record; refuses with file and line what makes no sense. */
    static Claim of(CsvFile file, int r) {
        if (file.text(r, "claim").isEmpty()) {
            throw file.wrong(r, "claim", "the claim in words belongs here");
        }
        return new Claim(
                file.text(r, "claim"),
                file.number(r, "link_gbps"),
                usual(file.number(r, "mtu"), LARGEST_MTU),
                slot(file, r),
                file.number(r, "datapath_bits"),
                file.number(r, "core_mhz"),
                file.text(r, "tool"),
                file.number(r, "size_bytes"),
                file.number(r, "qps"),
                file.number(r, "depth"),
                file.number(r, "rate_per_s"),
                file.number(r, "bandwidth_gbps"),
                file.number(r, "latency_us"),
                file.number(r, "latency_bound_us"),
                file.number(r, "stage_ns"),
                oneOf(file, r, "stage", Set.of("pcie", "link")),
                oneOf(file, r, "limited_by", Set.of("pcie", "link")),
                file.number(r, "pcie_busy_pct"),
                media(file, r),
                usual(file.number(r, "devices"), 1),
                !oneOf(file, r, "mixed", Set.of("yes")).isEmpty(),
                file.number(r, "stated"),
                formula(file, r),
                usual(file.number(r, "tolerance_pct"), USUAL_TOLERANCE_PERCENT) / 100,
                file.text(r, "assumes"));
    }

    private static double usual(double value, double otherwise) {
        return Double.isNaN(value) ? otherwise : value;
    }

    private static Slot slot(CsvFile file, int r) {
        String text = file.text(r, "pcie");
        double mps = usual(file.number(r, "mps"), USUAL_MPS);
        if (text.isEmpty()) {
            return Slot.NONE;
        }
        Slot slot = Slot.parse(text, mps);
        if (slot.equals(Slot.NONE)) {
            throw file.wrong(r, "pcie", "expected a slot such as Gen4 x16, and mps a power of two from 128 to 4096");
        }
        return slot;
    }

    private static String oneOf(CsvFile file, int r, String column, Set<String> allowed) {
        String text = file.text(r, column);
        if (!text.isEmpty() && !allowed.contains(text)) {
            throw file.wrong(
                    r,
                    column,
                    "allowed is " + String.join(", ", allowed.stream().sorted().toList()));
        }
        return text;
    }

    private static String media(CsvFile file, int r) {
        String text = file.text(r, "media");
        if (!text.isEmpty() && !Media.knows(text)) {
            throw file.wrong(r, "media", Media.hint(text));
        }
        return text;
    }

    private static String formula(CsvFile file, int r) {
        String text = file.text(r, "formula");
        boolean stated = !Double.isNaN(file.number(r, "stated"));
        if (!text.isEmpty() && !Double.isFinite(Formula.value(text))) {
            throw file.wrong(r, "formula", "expected numbers with + - * / and brackets, and no division by 0");
        }
        if (stated == text.isEmpty()) {
            throw file.wrong(r, "formula", "'stated' and 'formula' belong together");
        }
        return text;
    }

    /** Returns messages a second, from the rate or from the bandwidth. */
    double rate() {
        return Double.isNaN(ratePerS) ? bandwidthGbps * 1e9 / 8 / sizeBytes : ratePerS;
    }

    /** Returns payload bits a second in Gb/s, from the bandwidth or from the rate. */
    double gigabits() {
        return Double.isNaN(bandwidthGbps) ? ratePerS * sizeBytes * 8 / 1e9 : bandwidthGbps;
    }
}
