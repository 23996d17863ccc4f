package dev.clockwire.storage.threefs.chunk;

import dev.clockwire.nvme.format.LittleEndian;
import java.util.Map;
import java.util.TreeMap;

/**
 * Who has written a chunk last through which channel, with which version: kept with the chunk, so that a write which comes again behind a crash is known to
 * have been done. 3FS keeps such a table in memory only, and carries a write out twice then, over newer ones of others.
 */
public final class Writers {
    /** Bytes of an entry in a message. */
    public static final int ENTRY = 32;
    /** As many as a page of metadata has room for. */
    private static final int MOST = 64;

    private final Map<Name, Done> last = new TreeMap<>();

    /** A channel of a client. */
    private record Name(long client, int channel) implements Comparable<Name> {
        @Override
        public int compareTo(Name o) {
            return client != o.client ? Long.compare(client, o.client) : Integer.compare(channel, o.channel);
        }
    }

    /**
     * What was written.
     *
     * @param sequence place in the channel
     * @param version of the chunk
     */
    public record Done(long sequence, int version) {}

    /** Creates an empty table. */
    public Writers() {}

    /** Notes a write. */
    public void note(long client, int channel, long sequence, int version) {
        Name name = new Name(client, channel);
        Done known = last.get(name);
        if (known == null || known.sequence() <= sequence) {
            last.put(name, new Done(sequence, version));
        }
        if (last.size() > MOST) {
            Name oldest = name;
            int least = Integer.MAX_VALUE;
            for (Map.Entry<Name, Done> e : last.entrySet()) {
                if (e.getValue().version() < least) {
                    least = e.getValue().version();
                    oldest = e.getKey();
                }
            }
            last.remove(oldest);
        }
    }

    /** Returns what a channel has written last, null if nothing is known. */
    @org.jspecify.annotations.Nullable
    public Done of(long client, int channel) {
        return last.get(new Name(client, channel));
    }

    /** Forgets writes of later versions: they were not kept. */
    public void forgetBehind(int version) {
        last.values().removeIf(d -> d.version() > version);
    }

    /** Returns a copy. */
    public Writers copy() {
        Writers w = new Writers();
        w.last.putAll(last);
        return w;
    }

    /** Returns the table as bytes. */
    public byte[] encode() {
        byte[] b = new byte[ENTRY * last.size()];
        int at = 0;
        for (Map.Entry<Name, Done> e : last.entrySet()) {
            LittleEndian.put64(b, at, e.getKey().client());
            LittleEndian.put32(b, at + 8, e.getKey().channel());
            LittleEndian.put32(b, at + 12, e.getValue().version());
            LittleEndian.put64(b, at + 16, e.getValue().sequence());
            at += ENTRY;
        }
        return b;
    }

    /** Notes all entries in some bytes. */
    public void noteAll(byte[] b, int from, int to) {
        for (int at = from; at + ENTRY <= to; at += ENTRY) {
            note(
                    LittleEndian.get64(b, at),
                    LittleEndian.get32(b, at + 8),
                    LittleEndian.get64(b, at + 16),
                    LittleEndian.get32(b, at + 12));
        }
    }
}
