package dev.clockwire.nic.context;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The tables of one device: QP contexts by QPN, CQ contexts by CQN, memory keys by key index. */
public final class ContextTable {
    /** First QPN handed out; 0 and 1 are the management QPs. */
    public static final int FIRST_QPN = 0x11;

    private @Nullable QpContext[] qps = new QpContext[64];
    private @Nullable CqContext[] cqs = new CqContext[16];
    private @Nullable MemoryKey[] keys = new MemoryKey[16];
    private int qpCount;
    private int cqCount;
    private final BitSet brokenCqs = new BitSet();
    private int keyCount = 1;

    /** Creates empty tables. */
    public ContextTable() {}

    /** Returns the QPN the next {@link #add(QpContext)} must have. */
    public int nextQpn() {
        return FIRST_QPN + qpCount;
    }

    /** Returns the number of QPs created so far; they are numbered from {@link #FIRST_QPN}. */
    public int qpCount() {
        return qpCount;
    }

    /** Adds a QP. */
    public void add(QpContext qp) {
        if (qpCount == qps.length) {
            qps = Arrays.copyOf(qps, 2 * qpCount);
        }
        qps[qpCount++] = qp;
    }

    /** Returns a QP, null if there is none of this number. */
    public @Nullable QpContext qp(int qpn) {
        int i = qpn - FIRST_QPN;
        return i >= 0 && i < qpCount ? qps[i] : null;
    }

    /** Returns the CQN the next {@link #add(CqContext)} must have. */
    public int nextCqn() {
        return cqCount;
    }

    /** Adds a completion queue. */
    public void add(CqContext cq) {
        if (cqCount == cqs.length) {
            cqs = Arrays.copyOf(cqs, 2 * cqCount);
        }
        cqs[cqCount++] = cq;
    }

    /** Returns a completion queue, null if there is none of this number. */
    public @Nullable CqContext cq(int cqn) {
        return cqn >= 0 && cqn < cqCount ? cqs[cqn] : null;
    }

    /** Marks a completion queue as overflowed: it takes no more completions. */
    public void breakCq(int cqn) {
        brokenCqs.set(cqn);
    }

    /** Whether a completion queue overflowed. */
    public boolean isBroken(int cqn) {
        return brokenCqs.get(cqn);
    }

    /** Returns a key nobody has: index above an 8-bit variant. */
    public int nextKey() {
        return (keyCount << 8) | ((keyCount * 37) & 0xFF);
    }

    /** Adds a region under the key that {@link #nextKey()} gave. */
    public void add(MemoryKey key) {
        if (keyCount == keys.length) {
            keys = Arrays.copyOf(keys, 2 * keyCount);
        }
        keys[keyCount++] = key;
    }

    /** Returns the region of a key, null if the key is unknown. */
    public @Nullable MemoryKey key(int key) {
        int i = key >>> 8;
        MemoryKey k = i < keyCount ? keys[i] : null;
        return k != null && k.key() == key ? k : null;
    }

    /** Forgets a region. */
    public void removeKey(int key) {
        keys[key >>> 8] = null;
    }
}
