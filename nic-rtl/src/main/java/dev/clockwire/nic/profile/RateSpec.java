package dev.clockwire.nic.profile;

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
 */
public record RateSpec(
        int packetOverhead,
        boolean perMessage,
        boolean articleStates,
        boolean literalBucket,
        Dcqcn dcqcn,
        long coreHz,
        long lineRate) {
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

    static RateSpec from(Profile p) {
        return new RateSpec(
                p.integer("nic.rate.packet_overhead"),
                p.flag("nic.rate.per_message"),
                p.text("nic.rate.fsm").equals("article"),
                p.text("nic.rate.bucket").equals("article-literal"),
                dcqcn(p.text("nic.rate.dcqcn")),
                p.integer("nic.core_mhz") * HZ_PER_MHZ,
                Math.round(p.number("link.gbps") * 1e9));
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
