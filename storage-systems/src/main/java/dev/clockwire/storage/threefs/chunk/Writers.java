package dev.clockwire.storage.threefs.chunk;

import dev.clockwire.nvme.format.LittleEndian;
import java.util.Arrays;

/**
 * Who has written a chunk last through which channel, with which version: kept with the chunk, so that a write which comes again behind a crash is known to
 * have been done. 3FS keeps such a table in memory only, and carries a write out twice then, over newer ones of others.
 */
public final class Writers {
    /** What {@link #versionOf} returns if nothing is known. */
    public static final int NONE = 0;
    /** Bytes of an entry in a message. */
    static final int ENTRY = 24;
    /** As many as a page of metadata has room for. */
    private static final int MOST = 64;

    private static final int FIRST = 4;

    private long[] clients;
    private int[] channels;
    private int[] versions;
    private long[] sequences;
    private int size;
    /** Whether a copy has the same arrays: whoever changes them first makes its own. */
    private boolean shared;

    /** Creates an empty table. */
    public Writers() {
        clients = new long[FIRST];
        channels = new int[FIRST];
        versions = new int[FIRST];
        sequences = new long[FIRST];
    }

    private Writers(Writers from) {
        clients = from.clients;
        channels = from.channels;
        versions = from.versions;
        sequences = from.sequences;
        size = from.size;
        shared = true;
        from.shared = true;
    }

    private void own() {
        if (shared) {
            shared = false;
            clients = clients.clone();
            channels = channels.clone();
            versions = versions.clone();
            sequences = sequences.clone();
        }
    }

    private int find(long client, int channel) {
        for (int i = 0; i < size; i++) {
            if (clients[i] == client && channels[i] == channel) {
                return i;
            }
        }
        return -1;
    }

    /** Notes a write; of too many the one with the oldest version is forgotten. */
    public void note(long client, int channel, long sequence, int version) {
        int at = find(client, channel);
        if (at < 0) {
            at = size < MOST ? size++ : oldest();
            if (at == clients.length) {
                grow();
            }
        } else if (sequences[at] > sequence) {
            return;
        }
        own();
        clients[at] = client;
        channels[at] = channel;
        versions[at] = version;
        sequences[at] = sequence;
    }

    private int oldest() {
        int least = 0;
        for (int i = 1; i < size; i++) {
            least = versions[i] < versions[least] ? i : least;
        }
        return least;
    }

    private void grow() {
        int n = 2 * clients.length;
        clients = Arrays.copyOf(clients, n);
        channels = Arrays.copyOf(channels, n);
        versions = Arrays.copyOf(versions, n);
        sequences = Arrays.copyOf(sequences, n);
    }

    /** Returns the version that a channel's write with a sequence number has made, {@link #NONE} if the last one known is another. */
    public int versionOf(long client, int channel, long sequence) {
        int at = find(client, channel);
        return at >= 0 && sequences[at] == sequence ? versions[at] : NONE;
    }

    /** Returns whether a channel has written the chunk with a later sequence number. */
    public boolean isPast(long client, int channel, long sequence) {
        int at = find(client, channel);
        return at >= 0 && sequences[at] > sequence;
    }

    /** Forgets writes of later versions: they were not kept. */
    public void forgetBehind(int version) {
        int kept = 0;
        while (kept < size && versions[kept] <= version) {
            kept++;
        }
        if (kept == size) {
            return;
        }
        own();
        for (int i = kept + 1; i < size; i++) {
            if (versions[i] <= version) {
                clients[kept] = clients[i];
                channels[kept] = channels[i];
                versions[kept] = versions[i];
                sequences[kept++] = sequences[i];
            }
        }
        size = kept;
    }

    /** Returns a copy. */
    public Writers copy() {
        return new Writers(this);
    }

    /** Returns as bytes who has written versions up to one: later ones are not sent along with it. */
    public byte[] encode(int version) {
        Writers kept = copy();
        kept.forgetBehind(version);
        return kept.encode();
    }

    private byte[] encode() {
        byte[] b = new byte[ENTRY * size];
        for (int i = 0; i < size; i++) {
            LittleEndian.put64(b, ENTRY * i, clients[i]);
            LittleEndian.put32(b, ENTRY * i + 8, channels[i]);
            LittleEndian.put32(b, ENTRY * i + 12, versions[i]);
            LittleEndian.put64(b, ENTRY * i + 16, sequences[i]);
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
