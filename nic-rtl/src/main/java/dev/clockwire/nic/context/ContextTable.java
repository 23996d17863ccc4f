package dev.clockwire.nic.context;

import dev.clockwire.roce.verbs.Numbering;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The tables of one device: QP contexts by QPN or slot, CQ contexts by CQN, memory keys by key index. */
public final class ContextTable {
    private static final int VARIANT_BITS = 8;

    private final NumberTable<QpContext> qps = new NumberTable<>(Numbering.FIRST_QPN);
    private final NumberTable<MemoryKey> keys = new NumberTable<>(1);
    private @Nullable CqContext[] cqs = new CqContext[16];
    private int cqCount;
    private final BitSet brokenCqs = new BitSet();

    /** Creates empty tables. */
    public ContextTable() {}

    /** Returns the number of QPs created so far: each has a slot below it. */
    public int qpCount() {
        return qps.size();
    }

    /** Adds a QP, whose number nobody has, and tells it its slot. */
    public void add(QpContext qp) {
        qp.slot = qps.add(qp.qpn, qp);
    }

    /** Returns a QP, null if there is none of this number. */
    public @Nullable QpContext qp(int qpn) {
        return qps.find(qpn);
    }

    /** Returns the slot of a QP that exists. */
    public int slot(int qpn) {
        return qps.slot(qpn);
    }

    /** Returns the QP in a slot, null if no QP has it. */
    public @Nullable QpContext find(int slot) {
        return qps.at(slot);
    }

    /** Returns the QP in a slot that was given out. */
    public QpContext at(int slot) {
        return Objects.requireNonNull(qps.at(slot));
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

    /** Adds a region under its key, whose index nobody has. */
    public void add(MemoryKey key) {
        keys.add(key.key() >>> VARIANT_BITS, key);
    }

    /** Tells whether an index is in use. */
    public boolean hasKeyIndex(int key) {
        return keys.slot(key >>> VARIANT_BITS) >= 0;
    }

    /** Returns the region of a key, null if the key is unknown. */
    public @Nullable MemoryKey key(int key) {
        MemoryKey k = keys.find(key >>> VARIANT_BITS);
        return k != null && k.key() == key ? k : null;
    }

    /** Forgets a region. */
    public void removeKey(int key) {
        keys.remove(key >>> VARIANT_BITS);
    }
}
