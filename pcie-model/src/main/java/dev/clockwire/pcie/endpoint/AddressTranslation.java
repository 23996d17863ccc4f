package dev.clockwire.pcie.endpoint;

import dev.clockwire.pcie.iommu.AtsSpec;
import dev.clockwire.pcie.iommu.Iotlb;
import dev.clockwire.pcie.iommu.PageSize;
import dev.clockwire.pcie.tlp.TlpHeader;
import dev.clockwire.pcie.tlp.TranslationEntry;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.stats.StatRegistry;
import dev.clockwire.sim.trace.JourneyLog;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The device's end of address translation services: a cache of translations, and requests for those that it does not have. A read or
 * write whose pages are all known leaves at once as translated, others wait until their pages are known, one page after the other. A write
 * that waits lets nothing pass, as on the link: a read behind it is to see it. What is not mapped leaves untranslated, and the host refuses it.
 * It asks by the smallest unit that the host has set (STU); a translation smaller than that breaks the rules of the host and is not used.
 *
 * <p>When a mapping goes, the host says so: the pages are forgotten, and it is told so when every read that may have used them has ended.
 * Writes need no waiting: the message leaves behind them.
 *
 * <p>While the host does not let the device translate, everything leaves untranslated, and nothing is kept. While it does not let it send,
 * what has its translation stays here, before what the endpoint holds.
 */
final class AddressTranslation implements State {
    private static final int OUTSTANDING = 64;
    private static final int MESSAGE_BYTES = 4;
    private static final long GONE = 1;

    /** A read or write on its way through here. */
    private static final class Waiter {
        @Nullable
        DmaRead read;

        @Nullable
        DmaWrite write;

        /** First address that is not known. */
        long next;

        /** Place of a write, or of the last write that a read must not pass. */
        long place;

        /** Since when it waits. */
        long since;

        boolean untranslated;

        boolean isKnown() {
            return untranslated || next >= end();
        }

        long address() {
            return read != null ? read.address : write != null ? write.address : 0;
        }

        long end() {
            int bytes = read != null ? read.length : write != null ? write.length : 0;
            return address() + Math.max(1, bytes);
        }
    }

    /** A promise to the host: to be kept when no read up to a number is under way. */
    private record Promise(int tag, long upTo) {}

    private final PcieEndpoint owner;
    private final ReadController reads;
    private final Writer writer;
    private final LongPredicate isMessage;
    private final Iotlb cache;
    private final List<Waiter> waitingReads = new ArrayList<>();
    private final List<Waiter> waitingWrites = new ArrayList<>();
    /** Pages that have been asked for; those with {@link #GONE} have gone in the meantime. */
    private final Numbers asked = new Numbers();

    /** Places of the translated reads under way, in the order in which they left. */
    private final Numbers flying = new Numbers();

    private final List<Promise> promises = new ArrayList<>();
    /** Writes that have had to wait. */
    private long written;
    /** Only while {@link #sendWrites} runs. */
    private boolean sending;

    private boolean enabled = true;

    private long number;
    private long hits;
    private long misses;
    private long invalidated;
    private long tooSmall;
    private int unitShift = PageSize.SMALL.shift();

    AddressTranslation(PcieEndpoint owner, ReadController reads, Writer writer, AtsSpec spec, LongPredicate isMessage) {
        this.owner = owner;
        this.reads = reads;
        this.writer = writer;
        this.isMessage = isMessage;
        cache = new Iotlb(spec.entries(), spec.ways());
        StatRegistry stats = owner.sim().stats();
        stats.reading(owner.path() + ".ats.hits", "", "pages of reads and writes that the device knew", () -> hits);
        stats.reading(owner.path() + ".ats.misses", "", "translations that the device asked for", () -> misses);
        stats.reading(
                owner.path() + ".ats.invalidations", "", "translations taken back by the host", () -> invalidated);
        stats.reading(
                owner.path() + ".ats.too_small",
                "",
                "translations below the smallest unit (STU), not used",
                () -> tooSmall);
    }

    /** Returns whether a read may leave now; otherwise it comes back by itself. */
    boolean passes(DmaRead r) {
        if (!enabled) {
            r.addressType = 0;
            return true;
        }
        long end = r.address + Math.max(1, r.length);
        long next = known(r.address, end);
        if (next >= end && waitingWrites.isEmpty()) {
            depart(r);
            return true;
        }
        r.addressType = 0;
        Waiter w = new Waiter();
        w.read = r;
        w.since = owner.now();
        w.next = next;
        w.place = waitingWrites.isEmpty() ? 0 : written;
        waitingReads.add(w);
        if (!w.isKnown()) {
            ask(w);
        }
        return false;
    }

    /** Returns whether a write may leave now; otherwise it comes back by itself, and so do those behind it. */
    boolean passes(DmaWrite d) {
        if (!enabled) {
            d.translated = false;
            return true;
        }
        boolean message = d.length == MESSAGE_BYTES && isMessage.test(d.address);
        long end = d.address + d.length;
        long next = message ? end : known(d.address, end);
        d.translated = !message;
        if (next >= end && waitingWrites.isEmpty()) {
            return true;
        }
        Waiter w = new Waiter();
        w.write = d;
        w.since = owner.now();
        w.next = next;
        w.untranslated = message;
        w.place = ++written;
        waitingWrites.add(w);
        if (!w.isKnown()) {
            ask(w);
        }
        return false;
    }

    /** Returns whether the device may translate. */
    boolean enabled() {
        return enabled;
    }

    /** The host lets the device translate or no longer does: then everything is forgotten, and what waits leaves untranslated. */
    void enable(boolean on) {
        if (enabled == on) {
            return;
        }
        enabled = on;
        if (on) {
            return;
        }
        cache.clear();
        forgetAsked();
        for (int i = 0; i < waitingReads.size(); i++) {
            waitingReads.get(i).untranslated = true;
        }
        for (int i = 0; i < waitingWrites.size(); i++) {
            waitingWrites.get(i).untranslated = true;
        }
        send();
    }

    /** The host says what the smallest translation is: binary logarithm of its bytes. What was asked for by another unit is of no use. */
    void unit(int shift) {
        if (unitShift != shift) {
            unitShift = shift;
            forgetAsked();
        }
    }

    private void forgetAsked() {
        for (int i = 0; i < asked.size(); i++) {
            asked.set(i, asked.get(i) | GONE);
        }
    }

    /** Returns whether no translation is on its way: one that comes lets others leave at once. */
    boolean isQuiet() {
        return asked.size() == 0;
    }

    private void depart(DmaRead r) {
        r.addressType = TlpHeader.AT_TRANSLATED;
        r.place = ++number;
        flying.add(r.place);
    }

    /** Goes on with an access that has waited; asks for the next page that is missing. */
    private void known(Waiter w) {
        if (!w.untranslated) {
            w.next = known(w.next, w.end());
        }
        if (!w.isKnown()) {
            ask(w);
        }
    }

    /** Returns the first address of a range whose page is not known, an address from its end on if all are. */
    private long known(long from, long to) {
        long at = from;
        while (at < to) {
            long end = end(at);
            if (end < 0) {
                return at;
            }
            hits++;
            at = end;
        }
        return at;
    }

    /** Returns the end of the known page that an address is in, -1 if it is not known. */
    private long end(long va) {
        for (int i = 0; i < PageSize.count(); i++) {
            PageSize size = PageSize.numbered(i);
            if (cache.touch(Iotlb.tag(va, size))) {
                return (va & -size.bytes()) + size.bytes();
            }
        }
        return -1;
    }

    private void ask(Waiter w) {
        long page = w.next & -1L << unitShift;
        if (asked.indexOf(page) >= 0 || asked.indexOf(page | GONE) >= 0) {
            return;
        }
        misses++;
        DmaRead q = new DmaRead();
        q.address = page;
        q.length = TranslationEntry.BYTES;
        DmaRead r = w.read;
        q.flow = r != null ? r.flow : 0;
        q.window = r != null ? r.window : OUTSTANDING;
        q.addressType = TlpHeader.AT_REQUEST;
        q.cookie = unitShift;
        asked.add(page);
        reads.accept(q, owner.now());
    }

    /**
     * Takes note of a read that has ended.
     *
     * @return whether it was a request for a translation, which nobody else waits for
     */
    boolean ended(DmaRead r) {
        if (r.addressType == TlpHeader.AT_REQUEST) {
            answered(r);
            return true;
        }
        if (r.addressType == TlpHeader.AT_TRANSLATED) {
            flying.remove(flying.indexOf(r.place));
            keepPromises();
        }
        return false;
    }

    private void answered(DmaRead q) {
        int stale = asked.indexOf(q.address | GONE);
        asked.remove(stale >= 0 ? stale : asked.indexOf(q.address));
        byte[] data = new byte[TranslationEntry.BYTES];
        boolean good = q.error == DmaError.NONE;
        if (good) {
            q.into.copyTo(0, data, 0, data.length);
        }
        long entry = TranslationEntry.get(data, 0);
        long end = q.address + (1L << (int) Math.max(q.cookie, unitShift));
        int shift = PageSize.ofShift(TranslationEntry.shift(entry)).shift();
        boolean useful = stale < 0 && TranslationEntry.isMapped(entry);
        if (useful && shift < q.cookie) {
            useful = false;
            tooSmall++;
        }
        if (useful) {
            cache.fill(Iotlb.tag(q.address, PageSize.ofShift(shift)));
            serve(q.address, end, false);
        } else { // gone in the meantime: whoever needs it asks again
            serve(q.address, end, stale < 0);
        }
    }

    /** Lets those go on that wait for a page. */
    private void serve(long from, long to, boolean refused) {
        for (int i = 0; i < waitingReads.size(); i++) {
            goesOn(waitingReads.get(i), from, to, refused);
        }
        for (int i = 0; i < waitingWrites.size(); i++) {
            goesOn(waitingWrites.get(i), from, to, refused);
        }
        send();
    }

    /** Sends what waits for nothing any more; to be called when the host lets the device send again. */
    void send() {
        if (!sending) { // what answers come in while writes are sent are not to change their order
            sending = true;
            sendWrites();
            sending = false;
            sendReads();
        }
    }

    private void goesOn(Waiter w, long from, long to, boolean refused) {
        if (!w.isKnown() && w.next >= from && w.next < to) {
            w.untranslated |= refused;
            known(w);
        }
    }

    private void sendWrites() {
        while (writer.masters()
                && !waitingWrites.isEmpty()
                && waitingWrites.get(0).isKnown()) {
            Waiter w = waitingWrites.remove(0);
            DmaWrite d = w.write;
            if (d != null) {
                d.translated = !w.untranslated;
                waited(d, d.stage, d.part, w.since);
                writer.send(d);
            }
        }
    }

    private void sendReads() {
        long last = waitingWrites.isEmpty() ? Long.MAX_VALUE : waitingWrites.get(0).place;
        int kept = 0;
        for (int i = 0; i < waitingReads.size(); i++) {
            Waiter w = waitingReads.get(i);
            DmaRead r = w.read;
            if (r == null || !w.isKnown() || w.place >= last) {
                waitingReads.set(kept++, w);
                continue;
            }
            if (!w.untranslated) {
                depart(r);
            }
            waited(r, r.stage, r.part, w.since);
            reads.accept(r, owner.now());
        }
        while (waitingReads.size() > kept) {
            waitingReads.remove(waitingReads.size() - 1);
        }
    }

    /** Records that an access waited for its translation, or behind a write that did: walks, and the way to the host and back. */
    private void waited(Token access, int stage, int part, long since) {
        JourneyLog journeys = owner.sim().journeys();
        if (journeys != null && stage != 0) {
            journeys.delay(access.journey, stage, part, owner.sim().causes().iotlbMiss, since, owner.now());
        }
    }

    /** The host takes a page back. */
    void invalidate(long entry, int tag) {
        invalidated++;
        long from = TranslationEntry.address(entry);
        long bytes = 1L << TranslationEntry.shift(entry);
        cache.invalidate(from, bytes);
        for (int i = 0; i < asked.size(); i++) {
            long unit = asked.get(i) & ~GONE;
            if (unit < from + bytes && from < unit + (1L << unitShift)) {
                asked.set(i, asked.get(i) | GONE);
            }
        }
        promises.add(new Promise(tag, number));
        // what has waited for its last page starts again
        restart(waitingReads, from, from + bytes);
        restart(waitingWrites, from, from + bytes);
        keepPromises();
    }

    private void restart(List<Waiter> waiters, long from, long to) {
        for (int i = 0; i < waiters.size(); i++) {
            Waiter w = waiters.get(i);
            if (!w.untranslated && w.address() < to && w.end() > from && w.next > w.address()) {
                w.next = Math.min(w.next, Math.max(w.address(), from));
                ask(w);
            }
        }
    }

    private void keepPromises() {
        long oldest = flying.size() == 0 ? Long.MAX_VALUE : flying.get(0);
        int tags = 0;
        for (int i = promises.size() - 1; i >= 0; i--) {
            if (promises.get(i).upTo() < oldest) {
                tags |= 1 << promises.remove(i).tag();
            }
        }
        if (tags != 0) {
            writer.tellInvalidated(tags);
        }
    }

    @Override
    public void save(Snapshot out) {
        cache.save(out);
        save(waitingReads, out);
        save(waitingWrites, out);
        asked.save(out);
        flying.save(out);
        out.putInt(promises.size());
        for (Promise p : promises) {
            out.putInt(p.tag());
            out.putLong(p.upTo());
        }
        out.putLong(number);
        out.putLong(written);
        out.putLong(hits);
        out.putLong(misses);
        out.putLong(invalidated);
        out.putLong(tooSmall);
        out.putInt(unitShift);
        out.putBoolean(enabled);
    }

    private static void save(List<Waiter> waiters, Snapshot out) {
        out.putInt(waiters.size());
        for (Waiter w : waiters) {
            out.putToken(w.read != null ? w.read : w.write);
            out.putLong(w.next);
            out.putLong(w.place);
            out.putLong(w.since);
            out.putBoolean(w.untranslated);
        }
    }

    @Override
    public void load(Snapshot in) {
        cache.load(in);
        load(waitingReads, in);
        load(waitingWrites, in);
        asked.load(in);
        flying.load(in);
        promises.clear();
        for (int n = in.getInt(); n > 0; n--) {
            int tag = in.getInt();
            promises.add(new Promise(tag, in.getLong()));
        }
        number = in.getLong();
        written = in.getLong();
        hits = in.getLong();
        misses = in.getLong();
        invalidated = in.getLong();
        tooSmall = in.getLong();
        unitShift = in.getInt();
        enabled = in.getBoolean();
    }

    private static void load(List<Waiter> waiters, Snapshot in) {
        waiters.clear();
        for (int n = in.getInt(); n > 0; n--) {
            Waiter w = new Waiter();
            var token = in.getToken();
            w.read = token instanceof DmaRead r ? r : null;
            w.write = token instanceof DmaWrite d ? d : null;
            w.next = in.getLong();
            w.place = in.getLong();
            w.since = in.getLong();
            w.untranslated = in.getBoolean();
            waiters.add(w);
        }
    }
}
