package dev.clockwire.sim.mem;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.ProtocolViolation;
import dev.clockwire.sim.mem.OwnershipMap.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches who accesses the memory of one host, and finds accesses to what belongs to somebody else: a program that writes a buffer
 * that is being sent or reads one that a receive will fill, a device that goes on after the completion, a peer that comes late. It only
 * observes: nothing in the simulation changes with it.
 *
 * <p>A posted buffer belongs to the device until the program has polled its completion; verbs say both by themselves. What peers may
 * access at will is the program's word: {@link #grant}, and {@link #revoke} or {@link #returned}; keys that go and connections that are in
 * ERR and drained end grants by themselves. Memory of which nobody ever said anything is free for peers with a valid key.
 *
 * <p>Times of the program are the starts of its steps: that is as of when a step sees memory.
 */
public final class MemorySanitizer {
    /** Findings that are kept; further ones are counted. */
    public static final int KEPT = 256;

    private final String memory;
    private final LongSupplier now;
    private final Runnable settle;
    private final Supplier<String> program;
    private final OwnershipMap map = new OwnershipMap();
    private final List<String> deviceNames = new ArrayList<>();
    private final List<String> devicePaths = new ArrayList<>();
    private final List<Ownership> grants = new ArrayList<>();
    private final List<MemoryFinding> findings = new ArrayList<>();
    private final RemoteWrites remote = new RemoteWrites();
    private @Nullable MemoryDirectory directory;
    /** What was posted whose bytes are being written, null if nobody knows. */
    private @Nullable PostedWrite landing;

    private @Nullable AddressSpace space;
    private long numbers;
    private long found;
    private long lateReads;
    private boolean throwing;
    private boolean alone;

    /**
     * Creates a sanitizer that has seen nothing.
     *
     * @param memory name of the memory
     * @param now simulated time in ps
     * @param settle brings what devices have written until now into memory, before an owner changes
     * @param program path of the core that runs now
     */
    public MemorySanitizer(String memory, LongSupplier now, Runnable settle, Supplier<String> program) {
        this.memory = memory;
        this.now = now;
        this.settle = settle;
        this.program = program;
    }

    void watches(AddressSpace what) {
        space = what;
    }

    void join(MemoryDirectory hosts) {
        directory = hosts;
    }

    String memory() {
        return memory;
    }

    /**
     * Makes a device known, or finds it again.
     *
     * @param name as verbs call it
     * @param path of the module
     * @return its number in {@link MemoryUser}
     */
    public int device(String name, String path) {
        int i = deviceNames.indexOf(name);
        if (i < 0) {
            i = deviceNames.size();
            deviceNames.add(name);
            devicePaths.add(path);
        } else if (!path.isEmpty()) {
            devicePaths.set(i, path);
        }
        return i;
    }

    /**
     * A work request is posted; {@link #cover} says what memory it owns.
     *
     * @param queue number of the queue pair, or of the shared receive queue
     * @param what operation, for reports
     */
    public Ownership post(Hold hold, int device, int queue, boolean shared, String what, long wrId) {
        settle.run();
        return Ownership.work(++numbers, hold, device, queue, shared, what, wrId, now.getAsLong());
    }

    /** Adds memory to a work request. */
    public void cover(Ownership work, long va, long len) {
        if (len > 0) {
            if (alone) {
                checkAlone(work, va, len);
            }
            work.add(va, len);
            map.begin(work, va, len);
        }
    }

    /** One owner beside another is right only if neither writes. */
    private void checkAlone(Ownership next, long va, long len) {
        for (int i = map.firstEndingAfter(va); i < map.count() && map.get(i).start < va + len; i++) {
            Section s = map.get(i);
            long from = Math.max(va, s.start);
            long n = Math.min(va + len, s.end) - from;
            for (int k = 0; k < s.opened; k++) {
                Ownership o = s.open[k];
                if (o != next && (o.hold.allows(true) || next.hold.allows(true))) {
                    report(MemoryUser.NONE, now.getAsLong(), from, n, MemoryFinding.Access.POST, s, o);
                    break;
                }
            }
        }
    }

    /**
     * Grants a range to a peer.
     *
     * @param hold one of the PEER kinds
     * @throws ConfigurationException if it is not, or the range is empty or in no allocation
     */
    public Ownership grant(long va, long len, Hold hold, Grantee to) {
        if (!hold.isGrant() || len < 1) {
            throw new ConfigurationException(
                    memory,
                    now.getAsLong(),
                    "grant of " + len + " bytes to " + to + " as " + hold.name()
                            + ": must be 1 byte or more, PEER_READS, PEER_WRITES or PEER_WRITES_POLLED");
        }
        AddressSpace watched = space;
        if (watched != null) {
            watched.find(va, len);
        }
        settle.run();
        Ownership grant = Ownership.grant(++numbers, hold, to, now.getAsLong());
        cover(grant, va, len);
        grants.add(grant);
        return grant;
    }

    /**
     * A range goes back into a pool of the program: nobody may own it any more, and whoever touches it before {@link #taken} has kept what is no longer his,
     * even if nobody else has got it yet.
     *
     * @param pool name, for reports
     */
    public Ownership free(long va, long len, String pool) {
        settle.run();
        frees(va, len);
        Ownership free = Ownership.free(++numbers, pool, now.getAsLong());
        cover(free, va, len);
        return free;
    }

    /** A range is taken out of its pool; nothing happens if it has been. */
    public void taken(Ownership free) {
        release(free, Release.TAKEN);
    }

    /** The program takes a grant back, whatever the peer may still do; nothing happens if it has ended. */
    public void revoke(Ownership grant) {
        release(grant, Release.REVOKED);
    }

    /** The peer is done with a grant, and has said so; nothing happens if it has ended. */
    public void returned(Ownership grant) {
        release(grant, Release.RETURNED);
    }

    /** Ends an ownership; nothing happens if it has ended. */
    public void release(Ownership owner, Release how) {
        if (!owner.isOpen()) {
            return;
        }
        settle.run();
        owner.close(how, now.getAsLong());
        for (int i = 0; i < owner.ranges(); i++) {
            map.end(owner, owner.va(i), owner.length(i));
        }
        if (owner.hold.isGrant()) {
            grants.remove(owner);
        }
    }

    /** A connection is in ERR or gone, and drained: the grants to its peer end. */
    public void drained(int qpn) {
        for (Ownership g : List.copyOf(grants)) {
            if (g.grantee != null && g.grantee.qpn() == qpn) {
                release(g, Release.DRAINED);
            }
        }
    }

    /** A remote key has gone: the grants to who uses it end. */
    public void keyRemoved(int rkey) {
        for (Ownership g : List.copyOf(grants)) {
            if (g.grantee != null && g.grantee.rkey() == rkey && rkey != 0) {
                release(g, Release.KEY_REMOVED);
            }
        }
    }

    /** Returns the memory behind a network address of 128 bits, null if nobody watches it. */
    public @Nullable RemoteMemory behind(long hi, long lo) {
        MemoryDirectory hosts = directory;
        return hosts == null ? null : hosts.find(hi, lo);
    }

    /**
     * A queue pair hears a peer from now on, by a reliable connection. What that one posts is told by {@link #written}; nothing is under way.
     *
     * @param peerQpn number of the peer's queue pair
     */
    public void connected(int device, int qpn, RemoteMemory peer, int peerQpn) {
        remote.connected(device, qpn, peer, peerQpn);
    }

    /** A queue pair hears nobody any more. */
    public void disconnected(int device, int qpn) {
        remote.gone(device, qpn);
    }

    /**
     * A peer has posted a WRITE to this memory: when it lands, it is for the grants that there are now, and not for later ones.
     *
     * @param work the work request, in the memory of the peer
     * @param from the peer
     * @param device of this memory that it goes to
     * @param qpn queue pair that it goes to
     * @param prepared whether the device starts it later, by itself: then nobody knows which grants it is for
     */
    public void written(
            Ownership work,
            RemoteMemory from,
            int device,
            int qpn,
            long address,
            long length,
            int rkey,
            boolean prepared) {
        WritesUnderWay queue = remote.from(from, work.queue, device, qpn);
        if (queue != null && length > 0) {
            long asOf = prepared ? PostedWrite.ANY_GRANT : numbers;
            queue.add(new PostedWrite(work, queue.peer(), address, length, rkey, asOf));
        }
    }

    /** A peer sends nothing more of what it has posted: its queue pair was emptied. */
    public void unwritten(RemoteMemory from, int peerQpn, int device, int qpn) {
        WritesUnderWay queue = remote.from(from, peerQpn, device, qpn);
        if (queue != null) {
            queue.forget();
        }
    }

    /** The program reads a range in a way that the memory does not see, such as a copy that costs time only. */
    public void reads(long va, long len) {
        touched(MemoryUser.NONE, now.getAsLong(), va, len, MemoryFinding.Access.READ);
    }

    /** The program writes a range in a way that the memory does not see. */
    public void writes(long va, long len) {
        touched(MemoryUser.NONE, now.getAsLong(), va, len, MemoryFinding.Access.WRITE);
    }

    /** The program gives memory back. */
    void frees(long va, long len) {
        touched(MemoryUser.NONE, now.getAsLong(), va, len, MemoryFinding.Access.FREE);
    }

    /** A device accesses a range. */
    void touched(long user, long ps, long va, long len, boolean write) {
        WritesUnderWay queue = write && MemoryUser.isPeer(user) ? remote.to(user) : null;
        if (queue == null) {
            touched(user, ps, va, len, write ? MemoryFinding.Access.WRITE : MemoryFinding.Access.READ);
        } else {
            landed(queue, user, ps, va, len);
        }
    }

    /** Bytes of a peer have come, of one WRITE or several. */
    private void landed(WritesUnderWay queue, long user, long ps, long va, long len) {
        long end = va + len;
        long n;
        for (long at = va; at < end; at += n) {
            PostedWrite from = queue.landing(MemoryUser.key(user), at);
            n = from == null ? end - at : Math.min(end - at, from.left());
            if (from != null) {
                queue.landed(n);
            }
            landing = from;
            try {
                touched(user, ps, at, n, MemoryFinding.Access.WRITE);
            } finally {
                landing = null;
            }
        }
    }

    private void touched(long user, long ps, long va, long len, MemoryFinding.Access access) {
        if (len <= 0) {
            return;
        }
        boolean write = access != MemoryFinding.Access.READ;
        boolean work = MemoryUser.needsWork(user);
        long end = va + len;
        long at = va;
        for (int i = map.firstEndingAfter(va); i < map.count() && map.get(i).start < end; i++) {
            Section s = map.get(i);
            if (work && s.start > at) {
                report(user, ps, at, s.start - at, access, null, null);
            }
            long from = Math.max(at, s.start);
            at = Math.min(end, s.end);
            Ownership offended = offended(s, user, write);
            if (offended != null || (work && !covered(s, user, write))) {
                report(user, ps, from, at - from, access, s, offended);
            }
        }
        if (work && at < end) {
            report(user, ps, at, end - at, access, null, null);
        }
    }

    /** Returns whose memory it is that somebody accesses; null if it is his own or nobody's. */
    private @Nullable Ownership offended(Section s, long user, boolean write) {
        if (MemoryUser.isPeer(user)) {
            return offendedByPeer(s, user, write);
        }
        boolean own = MemoryUser.isWork(user) && covered(s, user, write);
        for (int i = 0; i < s.opened && !own; i++) {
            if (write || !s.open[i].hold.isReadable()) {
                return s.open[i];
            }
        }
        return null;
    }

    private static boolean covered(Section s, long user, boolean write) {
        for (int i = 0; i < s.opened; i++) {
            if (s.open[i].covers(user, write)) {
                return true;
            }
        }
        return false;
    }

    private @Nullable Ownership offendedByPeer(Section s, long user, boolean write) {
        Ownership other = null;
        Ownership anew = null;
        for (int i = 0; i < s.opened; i++) {
            Ownership o = s.open[i];
            if (o.fits(user) && o.hold.allows(write)) {
                if (!isNewer(o)) {
                    return null;
                }
                anew = o;
            }
            if (o.hold.isGrant() || write || !o.hold.isReadable()) {
                other = o;
            }
        }
        if (anew != null) {
            return hadEarlier(s, user, write) ? anew : null;
        }
        Ownership last = s.lastGrant;
        if (other != null || last == null) {
            return other;
        }
        Release how = last.end();
        Grantee to = last.grantee;
        boolean fenced = how != null && how.isFence();
        return !fenced || (to != null && to.isNamed() && to.fits(user)) ? last : null;
    }

    /** Whether a grant began after what lands was posted. */
    private boolean isNewer(Ownership grant) {
        PostedWrite w = landing;
        return w != null && grant.number > w.asOf;
    }

    /** Whether a peer had a grant when it posted, or before: who posts before the first one is early, not late. */
    private boolean hadEarlier(Section s, long user, boolean write) {
        for (Ownership o : s.past) {
            if (o != null && o.fits(user) && o.hold.allows(write) && !isNewer(o)) {
                return true;
            }
        }
        return false;
    }

    private void report(
            long user,
            long ps,
            long va,
            long len,
            MemoryFinding.Access access,
            @Nullable Section s,
            @Nullable Ownership offended) {
        if (MemoryUser.needsWork(user) && access == MemoryFinding.Access.READ) {
            lateReads++; // a packet sent again after its first copy was acknowledged: the peer drops it
            return;
        }
        Ownership owner = offended != null && offended.isOpen() ? offended : null;
        String whose = owner == null ? "the program" : owner.owner(name(owner.device));
        long since = owner == null ? endOf(s) : owner.sincePs();
        MemoryFinding f = new MemoryFinding(
                ps, module(user), access, toucher(user), va, len, place(va), whose, since, history(s, owner));
        found++;
        int last = findings.size() - 1;
        if (last >= 0 && findings.get(last).continuedBy(f)) {
            found--;
            findings.set(last, findings.get(last).with(len));
        } else if (findings.size() < KEPT && (last < 0 || !findings.get(last).repeatedBy(f))) {
            findings.add(f);
        }
        if (throwing) {
            throw user == MemoryUser.NONE
                    ? new ConfigurationException(f.module(), ps, f.text())
                    : new ProtocolViolation(f.module(), ps, f.text());
        }
    }

    /** Returns since when nobody but the program has owned a section, 0 if nobody else ever has. */
    private static long endOf(@Nullable Section s) {
        Ownership last = s == null ? null : s.past[0];
        return last == null ? 0 : last.untilPs();
    }

    String name(int device) {
        return device < deviceNames.size() ? deviceNames.get(device) : "device " + device;
    }

    private String module(long user) {
        if (user == MemoryUser.NONE) {
            return program.get();
        }
        int device = MemoryUser.device(user);
        boolean known = (MemoryUser.isWork(user) || MemoryUser.isPeer(user)) && device < devicePaths.size();
        return known ? devicePaths.get(device) : memory;
    }

    private String toucher(long user) {
        int key = MemoryUser.key(user);
        if (user == MemoryUser.NONE) {
            return "the program";
        }
        if (!MemoryUser.isWork(user) && !MemoryUser.isPeer(user)) {
            return String.format("PCIe function %02x:%02x.%x", key >> 8 & 0xFF, key >> 3 & 0x1F, key & 7);
        }
        String qp = "QP 0x" + Integer.toHexString(MemoryUser.qpn(user)) + " of " + name(MemoryUser.device(user));
        return MemoryUser.isWork(user)
                ? "a work request of " + qp + " with lkey 0x" + Integer.toHexString(key)
                : "the peer of " + qp + " with rkey 0x" + Integer.toHexString(key);
    }

    private String place(long va) {
        AddressSpace watched = space;
        Allocation a = watched == null ? null : watched.at(va, 1);
        return a == null ? "no allocation of " + memory : a.name() + "+" + (va - a.address()) + " of " + memory;
    }

    private List<String> history(@Nullable Section s, @Nullable Ownership offended) {
        List<String> lines = new ArrayList<>();
        for (int i = OwnershipMap.HISTORY - 1; i >= 0 && s != null; i--) {
            Ownership o = s.past[i];
            if (o != null) {
                lines.add(o.owner(name(o.device)) + " " + o.life());
            }
        }
        PostedWrite w = landing;
        if (w != null && offended != null && offended.hold.isGrant() && isNewer(offended)) {
            lines.add("it comes by " + w.life() + ", before grant " + offended.number);
        }
        return lines;
    }

    /** Returns the findings that were kept, in the order found; neighbours of one access are one, and what repeats itself is kept once. */
    public List<MemoryFinding> findings() {
        return List.copyOf(findings);
    }

    /** Returns how many findings there were, those beyond {@link #KEPT} included. */
    public long count() {
        return found;
    }

    /**
     * Returns how many packets devices read anew for work requests that had completed: they were being sent again when the acknowledgement
     * came. Peers drop them, so they are no findings.
     */
    public long lateReads() {
        return lateReads;
    }

    /** Forgets the findings, not the owners. */
    public void clear() {
        findings.clear();
        found = 0;
        lateReads = 0;
    }

    /**
     * Lets posts and grants be findings from now on that give memory to one who writes it beside another owner, or to another beside one who
     * writes it: a receive that is posted twice, a slot that is granted twice. Benchmarks do that on purpose.
     */
    public void expectOneOwner() {
        alone = true;
    }

    /**
     * Lets findings stop the simulation from now on: a {@link ConfigurationException} for what the program does, a {@link ProtocolViolation} for
     * what devices and peers do.
     */
    public void throwFindings() {
        throwing = true;
    }
}
