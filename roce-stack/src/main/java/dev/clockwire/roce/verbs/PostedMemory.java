package dev.clockwire.roce.verbs;

import dev.clockwire.sim.mem.MemorySanitizer;
import dev.clockwire.sim.mem.Ownership;
import dev.clockwire.sim.mem.RemoteMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells the sanitizer of a host's memory what the work requests of one context own, and until when. It exists only where there is a sanitizer.
 */
final class PostedMemory {
    private final MemorySanitizer sanitizer;
    private final int device;
    private final RemoteMemory place;
    private final TreeMap<Integer, MrRange> regions = new TreeMap<>();
    private final TreeMap<Integer, PostedWork> pairs = new TreeMap<>();
    /** Queue pairs of other contexts whose completions come out here: another core of the program polls them. */
    private final TreeMap<Integer, PostedWork> polled = new TreeMap<>();

    private final List<PostedReceives> shared = new ArrayList<>();

    private PostedMemory(MemorySanitizer sanitizer, int device) {
        this.sanitizer = sanitizer;
        this.device = device;
        place = new RemoteMemory(sanitizer, device);
    }

    /** Returns what tells the sanitizer, null without one. */
    static @Nullable PostedMemory of(@Nullable MemorySanitizer sanitizer, String device) {
        return sanitizer == null ? null : new PostedMemory(sanitizer, sanitizer.device(device, ""));
    }

    MemorySanitizer sanitizer() {
        return sanitizer;
    }

    int device() {
        return device;
    }

    /** Returns this memory as peers know it. */
    RemoteMemory place() {
        return place;
    }

    void registered(int lkey, MrRange range) {
        regions.put(lkey, range);
    }

    void deregistered(MrKeys keys) {
        regions.remove(keys.lkey());
        sanitizer.keyRemoved(keys.rkey());
    }

    /** Starts a queue pair. */
    PostedWork pair(QueuePairProvider provider, QpInit init) {
        SharedReceiveQueue srq = init.srq();
        PostedReceives receives = srq == null ? null : srq.posted();
        PostedWork work = new PostedWork(
                this, provider, init, receives == null ? new PostedReceives(this, provider.qpn(), false) : receives);
        pairs.put(provider.qpn(), work);
        polledBy(init.sendCq(), provider.qpn(), work);
        polledBy(init.recvCq(), provider.qpn(), work);
        return work;
    }

    private void polledBy(CompletionQueue cq, int qpn, PostedWork work) {
        PostedMemory other = cq.posted();
        if (other != null && other != this) {
            other.polled.put(qpn, work);
        }
    }

    /** Starts a shared receive queue. */
    PostedReceives shared(int number) {
        PostedReceives made = new PostedReceives(this, number, true);
        shared.add(made);
        return made;
    }

    void gone(int qpn, QpInit init) {
        pairs.remove(qpn);
        notPolledBy(init.sendCq(), qpn);
        notPolledBy(init.recvCq(), qpn);
    }

    private static void notPolledBy(CompletionQueue cq, int qpn) {
        PostedMemory other = cq.posted();
        if (other != null) {
            other.polled.remove(qpn);
        }
    }

    /** A queue pair of a program that has died is destroyed: with the last one nobody takes receives any more. */
    void abandoned(int qpn) {
        PostedWork work = pairs.get(qpn);
        if (work != null) {
            work.destroyed();
        }
        if (pairs.isEmpty()) {
            shared.forEach(PostedReceives::reset);
        }
    }

    /** The program was given completions. */
    void polled(WorkCompletion[] found, int count) {
        for (int i = 0; i < count; i++) {
            PostedWork own = pairs.get(found[i].qpNum);
            PostedWork work = own == null ? polled.get(found[i].qpNum) : own;
            if (work != null) {
                work.completed(found[i]);
            }
        }
    }

    /** Gives the memory of a scatter/gather list to a work request; what lies in the device itself is no memory of the host. */
    void cover(Ownership work, SgeList sges) {
        for (int i = 0; i < sges.count(); i++) {
            MrRange region = regions.get(sges.lkey(i));
            if (region != null) {
                sanitizer.cover(work, region.address() + (sges.address(i) - region.iova()), sges.length(i));
            }
        }
    }
}
