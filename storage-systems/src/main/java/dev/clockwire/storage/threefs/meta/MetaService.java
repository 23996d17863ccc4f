package dev.clockwire.storage.threefs.meta;

import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.Status;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * Answers questions about files. 3FS keeps its state in FoundationDB, which is no part of the data path: here it is a table of the manager's process, and what a
 * transaction takes is a parameter.
 */
public final class MetaService {
    private static final int LONGEST_PATH = 4096;

    private final int chains;
    private final int chunkBytes;
    private final long transactionPs;
    private final Map<String, Long> paths = new TreeMap<>();
    private final Map<Long, Inode> inodes = new TreeMap<>();
    private long next = 1;

    /**
     * Creates a service without files.
     *
     * @param chains over which files are striped
     * @param transactionPs what the database takes for each question
     */
    public MetaService(int chains, int chunkBytes, long transactionPs) {
        this.chains = chains;
        this.chunkBytes = chunkBytes;
        this.transactionPs = transactionPs;
    }

    /** Returns what the database takes for each question, in ps. */
    public long transactionPs() {
        return transactionPs;
    }

    /** Answers; {@link Message#flags} of the question is the operation's code. */
    public Message answer(Message m) {
        MetaOp op = MetaOp.of(m.flags);
        if (op == null || m.dataLength > LONGEST_PATH) {
            return new Message().answers(m, Status.INVALID);
        }
        return switch (op) {
            case CREATE -> create(m, path(m));
            case OPEN -> {
                Long id = paths.get(path(m));
                yield id == null ? new Message().answers(m, Status.CHUNK_NOT_FOUND) : found(m, id);
            }
            case STAT -> found(m, m.key);
            case SYNC -> {
                inodes.computeIfPresent(m.key, (id, i) -> i.withLength(Math.max(i.length(), m.address)));
                yield found(m, m.key);
            }
            case REMOVE -> {
                Long id = paths.remove(path(m));
                if (id != null) {
                    inodes.remove(id);
                }
                yield new Message().answers(m, id == null ? Status.CHUNK_NOT_FOUND : Status.OK);
            }
        };
    }

    private static String path(Message m) {
        return new String(m.data, 0, m.dataLength, StandardCharsets.UTF_8);
    }

    private Message create(Message m, String path) {
        if (path.isEmpty() || paths.containsKey(path)) {
            return new Message().answers(m, Status.INVALID);
        }
        Inode made = new Inode(next, 0, chunkBytes, 1 + (int) (next % chains), chains);
        next++;
        paths.put(path, made.id());
        inodes.put(made.id(), made);
        return found(m, made.id());
    }

    private Message found(Message m, long id) {
        Inode i = inodes.get(id);
        if (i == null) {
            return new Message().answers(m, Status.CHUNK_NOT_FOUND);
        }
        Message a = new Message().answers(m, Status.OK);
        a.key = i.id();
        a.sequence = i.length();
        a.chunkLength = i.chunkBytes();
        a.channel = i.firstChain();
        a.length = i.chains();
        return a;
    }

    /** Returns the file that an answer tells of. */
    static Inode inode(Message answer) {
        return new Inode(answer.key, answer.sequence, answer.chunkLength, answer.channel, answer.length);
    }
}
