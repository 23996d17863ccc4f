package dev.clockwire.bench.perftest;

/**
 * One side of a connection, as perftest prints it.
 *
 * @param qpn queue pair number
 * @param psn first packet sequence number
 * @param rkey key of the buffer
 * @param vaddr address of the buffer
 * @param gidHi upper 64 bits of the global identifier
 * @param gidLo lower 64 bits
 */
public record EndPoint(int qpn, int psn, int rkey, long vaddr, long gidHi, long gidLo) {
    /** Returns the identifier as perftest prints it on Ethernet: 16 decimal numbers. */
    String gidText() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 16; i++) {
            long half = i < 8 ? gidHi : gidLo;
            text.append(i == 0 ? "" : ":").append(String.format("%02d", half >>> (56 - 8 * (i & 7)) & 0xFF));
        }
        return text.toString();
    }
}
