package dev.clockwire.storage.check;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.Locale;

/**
 * One read or write of one key, as its client saw it. What it does to the key happens at one instant, not before the call and not after the
 * answer.
 *
 * @param client number of the client, 0 or more
 * @param kind read or write
 * @param key what was read or written: a chunk, an object
 * @param value label of the data written or read, unique among the writes of a key; {@link #INITIAL} = never written
 * @param invokePs instant of the call, in picoseconds
 * @param returnPs instant of the answer, or at which the client gave up; {@link #NEVER} if neither
 * @param outcome what the client knows
 * @param version version of the key that the system names for the data, {@link #NO_VERSION} if it names none
 * @param attempts how often the client sent it, 1 or more; more than one may have made more than one version
 */
public record Operation(
        int client,
        Kind kind,
        String key,
        String value,
        long invokePs,
        long returnPs,
        Outcome outcome,
        long version,
        int attempts) {
    /** Value of a key that nobody has written. */
    public static final String INITIAL = "";
    /** Instant of an answer that did not come. */
    public static final long NEVER = Long.MAX_VALUE;
    /** The system names no version. */
    public static final long NO_VERSION = -1;

    /** What an operation does. */
    public enum Kind {
        READ,
        WRITE
    }

    /** What the client knows in the end. */
    public enum Outcome {
        /** It was answered: it has happened. */
        OK,
        /** It was refused: it has not happened and never will. */
        FAIL,
        /** It was not answered, or by an error that leaves both open: it may have happened, or happen at any time to come. */
        UNKNOWN
    }

    /** Checks what can be checked of one operation alone. */
    public Operation {
        require(client >= 0, "client", client, "0 or more");
        require(!key.isEmpty(), "key", "\"\"", "a name");
        require(invokePs >= 0 && invokePs < NEVER, "invoke_ps", invokePs, "0 to " + (NEVER - 1));
        require(returnPs >= invokePs, "return_ps", returnPs, "invoke_ps (" + invokePs + ") or later");
        require(outcome != Outcome.OK || returnPs < NEVER, "return_ps", "never", "an instant, as outcome is ok");
        require(kind == Kind.READ || !value.isEmpty(), "value of a write", "\"\"", "a label");
        require(version >= NO_VERSION, "version", version, "0 or more, -1 for none");
        require(attempts >= 1, "attempts", attempts, "1 or more");
    }

    /** Returns an operation sent once, of a system that names no versions. */
    public static Operation of(
            int client, Kind kind, String key, String value, long invokePs, long returnPs, Outcome outcome) {
        return new Operation(client, kind, key, value, invokePs, returnPs, outcome, NO_VERSION, 1);
    }

    /** Returns whether this is a write. */
    public boolean isWrite() {
        return kind == Kind.WRITE;
    }

    /** Returns whether this is a read that was answered; no other read says anything. */
    public boolean isAnsweredRead() {
        return kind == Kind.READ && outcome == Outcome.OK;
    }

    /** Returns the last instant at which it may happen: that of the answer, {@link #NEVER} if there is none. */
    public long latestPs() {
        return outcome == Outcome.OK ? returnPs : NEVER;
    }

    /** Returns whether this was over before another was called, so must have happened before it. */
    public boolean precedes(Operation other) {
        return latestPs() < other.invokePs;
    }

    /** Returns the operation in words: {@code write "b" by client 1 [200 ps to 300 ps, ok, version 2]}. */
    public String words() {
        return (isWrite() ? "write " : "read ")
                + (value.isEmpty() ? "of nothing" : '"' + value + '"')
                + " by client " + client
                + " [" + invokePs + " ps to " + (returnPs == NEVER ? "never" : returnPs + " ps")
                + ", " + outcome.name().toLowerCase(Locale.ROOT)
                + (version == NO_VERSION ? "" : ", version " + version)
                + (attempts == 1 ? "" : ", " + attempts + " attempts")
                + "]";
    }

    private static void require(boolean valid, String name, Object value, String range) {
        if (!valid) {
            throw new ConfigurationException("operation: " + name + " is " + value + "; allowed: " + range);
        }
    }
}
