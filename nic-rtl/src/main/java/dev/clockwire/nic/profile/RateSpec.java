package dev.clockwire.nic.profile;

import dev.clockwire.roce.congestion.DcqcnSpec;
import dev.clockwire.roce.congestion.VendorDcqcnSpec;

/**
 * How queue pairs are paced.
 *
 * @param packetOverhead bytes charged for each packet besides its payload
 * @param perMessage charge a message whole before its first packet
 * @param articleStates the gate goes through the states of article 1, one clock each, and fetches one thing at a time
 * @param literalBucket the token bucket is the article's as its pseudo-code reads
 * @param dcqcn which reaction point answers notifications of congestion
 * @param coreHz clock of the gates
 * @param lineRate bit/s of the port
 * @param pacedBurst bytes that a queue pair may send at once while its reaction point limits it
 * @param paper numbers of the reaction point of the paper, times in clocks of the gates
 * @param vendor numbers of the vendor's
 */
public record RateSpec(
        int packetOverhead,
        boolean perMessage,
        boolean articleStates,
        boolean literalBucket,
        Dcqcn dcqcn,
        long coreHz,
        long lineRate,
        int pacedBurst,
        DcqcnSpec paper,
        VendorDcqcnSpec vendor) {
    /** The reaction points. */
    public enum Dcqcn {
        /** None: notifications are ignored. */
        OFF,
        /** That of the DCQCN paper. */
        PAPER,
        /** That of NVIDIA's adapters, with the values cards have when nobody changed them. */
        VENDOR,
        /** The state machine of article 2 as it reads. */
        ARTICLE_LITERAL
    }

    private static final long HZ_PER_MHZ = 1_000_000;
    private static final long MBIT = 1_000_000;
    private static final long US = 1_000_000;

    static RateSpec from(Profile p) {
        long coreHz = p.integer("nic.core_mhz") * HZ_PER_MHZ;
        long lineRate = Math.round(p.number("link.gbps") * 1e9);
        return new RateSpec(
                p.integer("nic.rate.packet_overhead"),
                p.flag("nic.rate.per_message"),
                p.text("nic.rate.fsm").equals("article"),
                p.text("nic.rate.bucket").equals("article-literal"),
                dcqcn(p.text("nic.rate.dcqcn")),
                coreHz,
                lineRate,
                burst(p),
                paper(p, coreHz, lineRate),
                vendor(p, lineRate));
    }

    private static DcqcnSpec paper(Profile p, long coreHz, long lineRate) {
        long perUs = coreHz / US;
        return new DcqcnSpec(
                lineRate,
                rate(p, "floor_mbps", lineRate),
                p.integer("nic.dcqcn.gain_shift"),
                p.integer("nic.dcqcn.alpha_us") * perUs,
                p.integer("nic.dcqcn.timer_us") * perUs,
                p.integer("nic.dcqcn.byte_counter"),
                p.integer("nic.dcqcn.fast_recovery"),
                rate(p, "additive_mbps", lineRate),
                rate(p, "hyper_mbps", lineRate));
    }

    private static int burst(Profile p) {
        int burst = p.integer("nic.rate.dcqcn_burst");
        return burst > 0 ? burst : p.integer("link.mtu") + p.integer("nic.rate.packet_overhead");
    }

    /** Returns a rate in bit/s, that of the line at most. */
    private static long rate(Profile p, String name, long lineRate) {
        return Math.min(p.integer("nic.dcqcn." + name) * MBIT, lineRate);
    }

    private static VendorDcqcnSpec vendor(Profile p, long lineRate) {
        int line = (int) (lineRate / MBIT);
        return new VendorDcqcnSpec(
                line,
                p.integer("nic.dcqcn.dce_tcp_g"),
                p.integer("nic.dcqcn.initial_alpha_value"),
                p.integer("nic.dcqcn.rpg_gd"),
                p.integer("nic.dcqcn.rpg_min_dec_fac"),
                Math.min(p.integer("nic.dcqcn.rpg_min_rate"), line),
                p.integer("nic.dcqcn.rate_reduce_monitor_period"),
                p.integer("nic.dcqcn.rpg_time_reset"),
                p.integer("nic.dcqcn.rpg_threshold"),
                p.integer("nic.dcqcn.rpg_ai_rate"),
                p.integer("nic.dcqcn.rpg_hai_rate"),
                p.flag("nic.dcqcn.clamp_tgt_rate"),
                p.flag("nic.dcqcn.clamp_tgt_rate_after_time_inc"));
    }

    private static Dcqcn dcqcn(String text) {
        return switch (text) {
            case "paper" -> Dcqcn.PAPER;
            case "vendor" -> Dcqcn.VENDOR;
            case "article-literal" -> Dcqcn.ARTICLE_LITERAL;
            default -> Dcqcn.OFF;
        };
    }
}
