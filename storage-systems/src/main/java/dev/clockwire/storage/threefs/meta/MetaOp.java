package dev.clockwire.storage.threefs.meta;

import org.jspecify.annotations.Nullable;

/** What a metadata service can be asked for. */
public enum MetaOp {
    /** Creates a file, which must not exist. */
    CREATE(1),
    /** Finds a file by its path. */
    OPEN(2),
    /** Says how long a file is. */
    STAT(3),
    /** A writer says that a file is at least so long. */
    SYNC(4),
    /** Takes a file away. */
    REMOVE(5);

    private static final MetaOp[] ALL = values();

    private final int code;

    MetaOp(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    static @Nullable MetaOp of(int code) {
        for (MetaOp op : ALL) {
            if (op.code == code) {
                return op;
            }
        }
        return null;
    }
}
