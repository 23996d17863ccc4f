package dev.clockwire.nic.context;

import dev.clockwire.roce.transport.MemoryKey;
import dev.clockwire.roce.transport.MemoryKeys;
import dev.clockwire.roce.transport.NumberTable;
import dev.clockwire.roce.transport.QpState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The tables of one device: QP contexts by QPN or slot, CQ contexts by CQN, memory keys by key index. */
public final class ContextTable {
    private final NumberTable<QpContext> qps = new NumberTable<>();
    private final List<QpContext> slots = new ArrayList<>();
    private final MemoryKeys keys = new MemoryKeys();
    private final NumberTable<Translation> translations = new NumberTable<>();
    private long translationEntries;
    private int[] moderation = new int[16];
    private @Nullable EqContext events;
    private @Nullable CqContext[] cqs = new CqContext[16];
    private final List<SrqContext> srqs = new ArrayList<>();
    private long[] cqContexts = new long[16];
    private int cqCount;
    private final BitSet brokenCqs = new BitSet();
    private final BitSet compressed = new BitSet();
    private final BitSet freeUars = new BitSet();
    private @Nullable QpContext[] uars = {};

    /** Creates empty tables. */
    public ContextTable() {}

    /** Returns the number of QPs created so far: each has a slot below it. */
    public int qpCount() {
        return slots.size();
    }

    /** Whether a queue pair that exists has left RESET. */
    public boolean anyActive() {
        for (QpContext qp : slots) {
            if (!qp.closed && qp.state != QpState.RESET) {
                return true;
            }
        }
        return false;
    }

    /** Sets how many places for doorbells there are; queue pairs keep theirs. */
    public void setUars(int pages) {
        freeUars.clear();
        freeUars.set(0, pages);
        for (QpContext qp : uars) {
            if (qp != null) {
                freeUars.clear(qp.uar);
            }
        }
    }

    /** Whether a UAR page is left for another QP. */
    public boolean hasUar() {
        return !freeUars.isEmpty();
    }

    /** Returns the QP that has a UAR page, null if none has it. */
    public @Nullable QpContext uar(int page) {
        return page >= 0 && page < uars.length ? uars[page] : null;
    }

    /** Gives the UAR page of a QP back, which rings no doorbell any more. */
    public void freeUar(QpContext qp) {
        uars[qp.uar] = null;
        freeUars.set(qp.uar);
    }

    /** Adds a QP, whose number nobody has, and tells it its slot and its UAR page; {@link #hasUar} says that there is one. */
    public void add(QpContext qp) {
        qp.uar = freeUars.nextSetBit(0);
        freeUars.clear(qp.uar);
        if (qp.uar >= uars.length) {
            uars = Arrays.copyOf(uars, Math.max(16, 2 * qp.uar + 1));
        }
        uars[qp.uar] = qp;
        qp.slot = slots.size();
        slots.add(qp);
        qps.put(qp.qpn, qp);
    }

    /** Returns a QP, null if there is none of this number. */
    public @Nullable QpContext qp(int qpn) {
        return qps.get(qpn);
    }

    /** Returns the slot of a QP that exists. */
    public int slot(int qpn) {
        return Objects.requireNonNull(qps.get(qpn)).slot;
    }

    /** Returns the QP in a slot, null if no QP has it. */
    public @Nullable QpContext find(int slot) {
        return slot >= 0 && slot < slots.size() ? slots.get(slot) : null;
    }

    /** Returns the QP in a slot that was given out. */
    public QpContext at(int slot) {
        return slots.get(slot);
    }

    /** Returns how many shared receive queues there are; they are numbered from 0. */
    public int srqCount() {
        return srqs.size();
    }

    /** Adds a shared receive queue, whose number is {@link #srqCount()}. */
    public void add(SrqContext srq) {
        srqs.add(srq);
    }

    /** Returns a shared receive queue that exists. */
    public SrqContext srq(int srqn) {
        return srqs.get(srqn);
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

    /** Replaces a completion queue by one of the same number that has another ring. */
    public void replace(CqContext cq) {
        cqs[cq.cqn()] = cq;
    }

    /** Returns a completion queue, null if there is none of this number. */
    public @Nullable CqContext cq(int cqn) {
        return cqn >= 0 && cqn < cqCount ? cqs[cqn] : null;
    }

    /** Notes where the context of a completion queue lies in host memory, if the chip does not hold all. */
    public void cqContextAddress(int cqn, long address) {
        if (cqn >= cqContexts.length) {
            cqContexts = Arrays.copyOf(cqContexts, Math.max(cqn + 1, 2 * cqContexts.length));
        }
        cqContexts[cqn] = address;
    }

    /** Returns that address. */
    public long cqContextAddress(int cqn) {
        return cqContexts[cqn];
    }

    /** Marks a completion queue as overflowed: it takes no more completions. */
    public void breakCq(int cqn) {
        brokenCqs.set(cqn);
    }

    /** Whether a completion queue overflowed. */
    public boolean isBroken(int cqn) {
        return brokenCqs.get(cqn);
    }

    /** Returns regions and windows. Only control commands change them. */
    public MemoryKeys keys() {
        return keys;
    }

    /** Returns where the context and translations of a key lie; null if the chip holds all, or the key is gone. */
    public @Nullable Translation translation(int key) {
        return translations.get(key >>> MemoryKeys.VARIANT_BITS);
    }

    /** Returns where the translations of the pages of a key lie; null if it has none. */
    public @Nullable Translation pages(int key) {
        MemoryKey memory = keys.findIndex(key);
        MemoryKey region = memory == null ? null : memory.region();
        Translation t = translation(region == null ? key : region.key());
        return t == null || t.table() == 0 ? null : t;
    }

    /** Notes where those of a key lie; null when it is gone. */
    public void translation(int key, @Nullable Translation where) {
        if (where == null) {
            translations.remove(key >>> MemoryKeys.VARIANT_BITS);
        } else {
            translations.put(key >>> MemoryKeys.VARIANT_BITS, where);
        }
    }

    /** Gives numbers to so many translations of pages; returns the first. */
    public long addTranslations(long pages) {
        long first = translationEntries;
        translationEntries += pages;
        return first;
    }

    /** Sets how many completions, and how many microseconds, an event of a queue waits for. */
    public void moderate(int cqn, int count, int periodUs) {
        if (cqn >= moderation.length) {
            moderation = Arrays.copyOf(moderation, Math.max(cqn + 1, 2 * moderation.length));
        }
        moderation[cqn] = (count << 16) | periodUs;
    }

    /** Lets alike completions of a queue share entries, or not. */
    public void compress(int cqn, boolean on) {
        compressed.set(cqn, on);
    }

    /** Whether alike completions of a queue share entries. */
    public boolean isCompressed(int cqn) {
        return compressed.get(cqn);
    }

    /** Returns how many completions an event of a queue waits for. */
    public int moderationCount(int cqn) {
        return cqn < moderation.length ? moderation[cqn] >>> 16 : 0;
    }

    /** Returns how long an event of a queue waits for more completions, in us. */
    public int moderationUs(int cqn) {
        return cqn < moderation.length ? moderation[cqn] & 0xFFFF : 0;
    }

    /** Sets where events go. */
    public void setEvents(EqContext eq) {
        events = eq;
    }

    /** Returns where events go; null before the driver has asked for one. */
    public @Nullable EqContext events() {
        return events;
    }
}
