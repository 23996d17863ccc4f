package dev.clockwire.storage.daos.ofi;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * Sizes of an endpoint, as ofi_rxm has them.
 *
 * @param eagerBytes of a bounce buffer: messages up to here are one SEND (FI_OFI_RXM_BUFFER_SIZE)
 * @param sarBytes longest message, cut into segments of bounce buffers (FI_OFI_RXM_SAR_LIMIT); longer ones would be a rendezvous, which DAOS never needs
 * @param receives bounce buffers of the shared receive queue
 * @param sends bounce buffers to send from
 * @param maxRdma one-sided work requests under way
 * @param maxRdAtomic READs of a connection under way at the peer
 * @param retries of a queue pair after a timeout
 * @param rnrRetries after receiver-not-ready; 7 is for ever
 * @param receivesEach bounce buffers of a connection's own, 0 if all take theirs from one shared queue (FI_OFI_RXM_USE_SRX); both sides must agree
 * @param timeoutCode of acknowledgements, 4.096 us * 2^code
 */
public record OfiSpec(
        int eagerBytes,
        int sarBytes,
        int receives,
        int sends,
        int maxRdma,
        int maxRdAtomic,
        int retries,
        int rnrRetries,
        int receivesEach,
        int timeoutCode) {
    /** So many connections with receives of their own fit into the completion queue of an endpoint. */
    private static final int OWN_CONNECTIONS = 64;

    private static final int MOST_COMPLETIONS = 1 << 16;

    /** Checks the ranges. */
    public OfiSpec {
        range("eagerBytes", eagerBytes, 1024, 1 << 20);
        range("sarBytes", sarBytes, eagerBytes, 1 << 24);
        range("receives", receives, 1, 1 << 14);
        range("sends", sends, 1, 1 << 14);
        range("maxRdma", maxRdma, 1, 4096);
        range("maxRdAtomic", maxRdAtomic, 1, 255);
        range("retries", retries, 0, 7);
        range("rnrRetries", rnrRetries, 0, 7);
        range("receivesEach", receivesEach, 0, 1 << 14);
        range("timeoutCode", timeoutCode, 1, 31);
    }

    private static void range(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ConfigurationException("daos.ofi." + what + " " + value + " is not in " + least + ".." + most);
        }
    }

    /** Returns libfabric's sizes, with DAOS's 512 receives, and a NIC's usual 16 READs and 67 ms. */
    public static OfiSpec rxm() {
        return new OfiSpec(16_384, 131_072, 512, 128, 128, 16, 7, 7, 0, 14);
    }

    /** Returns a copy with another wait for acknowledgements. */
    public OfiSpec withTimeoutCode(int code) {
        return new OfiSpec(
                eagerBytes, sarBytes, receives, sends, maxRdma, maxRdAtomic, retries, rnrRetries, receivesEach, code);
    }

    /** Returns a copy with other numbers of bounce buffers. */
    public OfiSpec withBuffers(int toReceive, int toSend) {
        return new OfiSpec(
                eagerBytes,
                sarBytes,
                toReceive,
                toSend,
                maxRdma,
                maxRdAtomic,
                retries,
                rnrRetries,
                receivesEach,
                timeoutCode);
    }

    /** Returns a copy in which each connection has receives of its own, or shares them if 0. */
    public OfiSpec withReceivesEach(int n) {
        return new OfiSpec(
                eagerBytes, sarBytes, receives, sends, maxRdma, maxRdAtomic, retries, rnrRetries, n, timeoutCode);
    }

    /** Returns the completions that can be there at once. */
    int completions() {
        int own = Math.min(receivesEach * OWN_CONNECTIONS, MOST_COMPLETIONS);
        return receives + own + sends + maxRdma + 16;
    }
}
