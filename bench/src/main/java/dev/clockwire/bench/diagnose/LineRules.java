package dev.clockwire.bench.diagnose;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cables, transceivers and what else damages bits; names and meaning from Linux, Documentation/networking/.../mlx5/counters.rst. */
final class LineRules {
    /** IEEE 802.3 allows one wrong bit in 10^12 behind the error correction. */
    private static final double WRONG_BITS = 1e-12;

    /** A link that keeps to that damages 3 of 10^8 frames of 4 KB. */
    private static final double WRONG_FRAMES = WRONG_BITS * 8 * 4178;

    /** What the correction of 50G lanes can stand and still keep to that (IEEE 802.3cd, RS(544,514)): 2.4 of 10^4 bits. */
    private static final double CORRECTABLE = 2.4e-4;

    /** A driver, a switch that is started, a cable that is plugged: a link goes down a handful of times without a fault. */
    private static final int BOOTS = 10;

    private static final int BITS_OF_WORD = 32;
    private static final int BITS_OF_BYTE = 8;

    static final List<Rule> ALL = List.of(
            Rule.of(
                    "damaged-frames",
                    "frames came in with a wrong frame check sequence: the cable, a transceiver or the far port damages"
                            + " them, and each one is lost",
                    "clean or replace cable and transceivers; mlxlink -d mlx5_0 -c -e shows the errors of the line",
                    LineRules::damaged),
            Rule.of(
                    "line-errors",
                    "symbols came in wrong beyond what a line may have: error correction does not mend all of them, and"
                            + " what it does not mend is lost",
                    "clean or replace cable and transceivers, another port; mlxlink -d mlx5_0 -c -e; perfquery -x of both"
                            + " ends",
                    LineRules::symbols),
            Rule.of(
                    "link-flaps",
                    "a link went down: what was under way is lost, and queue pairs wait for their timeouts",
                    "cable, transceiver, the far port (dmesg: mlx5_core ... Link down); speed and FEC the same at both"
                            + " ends",
                    all -> join(all, "link_down_events_phy", "link_downed")),
            Rule.of(
                    "damaged-packets",
                    "packets came in with a wrong ICRC: something on the way damages them behind the frame check"
                            + " sequence",
                    "replace cable, transceiver or the switch that damages frames in its memory",
                    all -> LossRules.join(all
                            .those(m -> m.outweighs(
                                    m.get("rx_icrc_encapsulated"),
                                    WRONG_FRAMES,
                                    m.received(),
                                    "rx_icrc_encapsulated",
                                    "rx_packets_phy"))
                            .stream()
                            .map(m -> m.show("rx_icrc_encapsulated", "rx_packets_phy"))
                            .toList())));

    private LineRules() {}

    private static @Nullable String damaged(Counters all) {
        List<String> found = new ArrayList<>();
        for (String counter : List.of("rx_crc_errors_phy", "rx_symbol_err_phy")) {
            for (Machine m : all.machines()) {
                if (m.outweighs(m.get(counter), WRONG_FRAMES, m.received(), counter, "rx_packets_phy")) {
                    found.add(m.show(counter, "rx_packets_phy"));
                }
            }
        }
        return LossRules.join(found);
    }

    private static @Nullable String symbols(Counters all) {
        List<String> found = new ArrayList<>();
        for (Machine m : all.machines()) {
            long bits = m.has("rx_bits_phy") ? m.get("rx_bits_phy") : BITS_OF_BYTE * m.get("rx_bytes_phy");
            share(m, "rx_pcs_symbol_err_phy", WRONG_BITS, bits, found);
            if (m.has("rx_bits_phy")) { // the line's bits, of which only this counter knows
                share(m, "rx_corrected_bits_phy", CORRECTABLE, bits, found);
            }
            share(m, "symbol_error", WRONG_BITS, BITS_OF_WORD * m.get("port_rcv_data"), found);
        }
        return LossRules.join(found);
    }

    private static void share(Machine m, String counter, double most, long bits, List<String> found) {
        if (m.outweighs(m.get(counter), most, bits, counter)) {
            found.add(m.show(counter) + (bits > 0 ? " of " + bits + " bits" : ""));
        }
    }

    private static @Nullable String join(Counters all, String... counters) {
        List<String> found = new ArrayList<>();
        for (Machine m : all.machines()) {
            for (String counter : counters) {
                if (m.happens(counter, all.since() == Counters.Since.BOOT ? BOOTS : 1)) {
                    found.add(m.show(counter));
                }
            }
        }
        return LossRules.join(found);
    }
}
