package dev.clockwire.storage.threefs.rpc;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How bytes move beside what the {@link DataPath} says.
 *
 * @param notice how a receiver of pushed bytes hears of them
 * @param forward who sends pushed bytes on
 * @param transmissions that a client lets servers have under way to it, 0 if they do not ask; 3FS has 64 where it is switched on
 * @param batch reads that a client asks a node for at once, if so many are submitted together
 */
public record Transfer(Notice notice, Forwarding forward, int transmissions, int batch) {
    /** Most reads of a request, 3FS's. */
    public static final int MOST_BATCH = 128;

    /** Most transmissions to a client. */
    public static final int MOST_TRANSMISSIONS = 4096;

    /** Checks the ranges. */
    public Transfer {
        if (transmissions < 0 || transmissions > MOST_TRANSMISSIONS) {
            throw new ConfigurationException(
                    "transmissions " + transmissions + ": must be 0 (nobody asks) to " + MOST_TRANSMISSIONS);
        }
        if (batch < 1 || batch > MOST_BATCH) {
            throw new ConfigurationException("batch of " + batch + " reads: must be 1 to " + MOST_BATCH);
        }
    }

    /** Returns what 3FS does where nothing is switched on. */
    public static Transfer usual() {
        return new Transfer(Notice.SEND, Forwarding.CPU, 0, 1);
    }

    /** Returns a copy with another notice. */
    public Transfer with(Notice other) {
        return new Transfer(other, forward, transmissions, batch);
    }

    /** Returns a copy with others that forward. */
    public Transfer with(Forwarding other) {
        return new Transfer(notice, other, transmissions, batch);
    }

    /** Returns a copy in which servers ask before they send. */
    public Transfer withTransmissions(int most) {
        return new Transfer(notice, forward, most, batch);
    }

    /** Returns a copy with larger requests. */
    public Transfer withBatch(int most) {
        return new Transfer(notice, forward, transmissions, most);
    }

    /** Returns what is switched on, in words. */
    public List<String> options() {
        List<String> on = new ArrayList<>();
        if (notice != Notice.SEND) {
            on.add("notice " + word(notice));
        }
        if (forward != Forwarding.CPU) {
            on.add("forward " + word(forward));
        }
        if (transmissions > 0) {
            on.add("transmissions " + transmissions);
        }
        if (batch > 1) {
            on.add("batch " + batch);
        }
        return on;
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Checks that it goes with a path.
     *
     * @throws ConfigurationException if it needs slots, and the path has none
     */
    public void check(DataPath path) {
        if (path == DataPath.PUSH) {
            return;
        }
        String name = word(path);
        if (notice == Notice.IMM) {
            throw new ConfigurationException(
                    "notice imm: the path " + name + " pushes nothing to give notice of: only push does");
        }
        if (forward != Forwarding.CPU) {
            throw new ConfigurationException("forward " + word(forward) + ": the path " + name
                    + " pushes nothing that a NIC could send on: only push does");
        }
    }
}
