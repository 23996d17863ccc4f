package dev.clockwire.roce.wire;

/** Which bits of a frame the ICRC treats as ones; written from the annex, apart from the product's code. */
final class MaskedBits {
    private MaskedBits() {}

    /** The mask of the byte at a position of a frame with these addresses, from the IP header to the last pad byte. */
    static int of(FlowAddress flow, int position) {
        int bth = flow.bytes();
        int ip = bth - flow.encapsulation.bytes();
        if (position == bth + 4) {
            return 0xFF;
        }
        if (flow.encapsulation != Encapsulation.GRH && (position == bth - 1 || position == bth - 2)) {
            return 0xFF;
        }
        if (flow.encapsulation == Encapsulation.IPV4) {
            return switch (position - ip) {
                case 1, 8, 10, 11 -> 0xFF;
                default -> 0;
            };
        }
        return switch (position - ip) {
            case 0 -> 0x0F;
            case 1, 2, 3, 7 -> 0xFF;
            default -> 0;
        };
    }
}
