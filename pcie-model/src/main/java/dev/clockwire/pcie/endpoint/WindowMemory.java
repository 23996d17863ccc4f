package dev.clockwire.pcie.endpoint;

import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.link.TrainPool;
import dev.clockwire.pcie.link.TrainRing;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.stats.StatRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Memory of a device behind a range of a BAR: written and read by packets of any size, from cores and from other devices, and by the device
 * itself through ports of its own, where addresses count from 0. It belongs to the endpoint's node.
 *
 * <p>PCIe and the device have a side each, and every other access of the memory, so neither waits for the other. What comes at a side is taken in
 * its order: a read finds every write before it there, and every write to its range that came before it at the other. A write holds its credits
 * until its side has taken it, then it is on its way into memory; it gets there when somebody looks. Memory never written reads as zeros; data
 * of bulk memory keep their origin in payload mode {@code sizes}.
 */
public final class WindowMemory implements State {
    private static final int SHUT = 0;
    private static final int OPEN = 1;

    private final PcieEndpoint owner;
    private final TrainPool pool;
    private final WindowSpec spec;
    private final long bytes;
    private final AddressSpace space;
    private final long base;
    private final Side outer = new Side();
    private final Side inner = new Side();
    private final EventPort due;
    private final EventPort control;
    private final Payload found = new Payload();
    private boolean open = true;
    private long packetsIn;
    private long bytesIn;
    private long packetsOut;
    private long bytesOut;
    private long ownIn;
    private long ownOut;

    WindowMemory(PcieEndpoint owner, TrainPool pool, String name, WindowSpec spec, long bytes) {
        this.owner = owner;
        this.pool = pool;
        this.spec = spec;
        this.bytes = bytes;
        space = new AddressSpace(owner.path() + "." + name, PayloadMode.SIZES);
        base = space.allocate(name, bytes, Allocation.Kind.BULK, 4096).address();
        due = new Due(name);
        control = new EventPort(owner, name + "Control") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                open = kind == OPEN;
            }
        };
        register(owner.sim().stats(), owner.path() + "." + name);
    }

    private void register(StatRegistry stats, String p) {
        stats.reading(p + ".writes", "packets", "memory writes that came over PCIe", () -> packetsIn);
        stats.reading(p + ".written_bytes", "bytes", "bytes of these writes", () -> bytesIn);
        stats.reading(p + ".reads", "packets", "memory reads that came over PCIe", () -> packetsOut);
        stats.reading(p + ".read_bytes", "bytes", "bytes that these reads asked for", () -> bytesOut);
        stats.reading(p + ".own_written_bytes", "bytes", "bytes that the device itself wrote", () -> ownIn);
        stats.reading(p + ".own_read_bytes", "bytes", "bytes that the device itself read", () -> ownOut);
    }

    /** Returns the bytes. */
    public long bytes() {
        return bytes;
    }

    /** Returns the parameters. */
    public WindowSpec spec() {
        return spec;
    }

    /** Opens or shuts the window, 1 ps later: while it is shut, requests over PCIe are unsupported. What it holds stays. */
    public void open(boolean is) {
        control.send(owner.now() + 1, is ? OPEN : SHUT, 0, 0);
    }

    /** Shuts the window from the beginning; before time 0. */
    public void shut() {
        open = false;
    }

    /** Returns a port for {@link DmaRead}s of one block of the device. */
    public EventPort readPort(String client) {
        return new EventPort(owner, space.name() + ".read." + client) {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                if (!(token instanceof DmaRead r)) {
                    throw new InvariantViolation(path(), now(), "something other than a DmaRead was sent");
                }
                inside(r.address, r.length);
                ownOut += r.length;
                r.issuedPs = now();
                due.send(asked(inner, outer, r.address, r.length), 0, 0, 0, r);
            }
        };
    }

    /** Returns a port for {@link DmaWrite}s of one block of the device; each comes back when its side has taken it. */
    public EventPort writePort(String client) {
        return new EventPort(owner, space.name() + ".write." + client) {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                if (!(token instanceof DmaWrite w)) {
                    throw new InvariantViolation(path(), now(), "something other than a DmaWrite was sent");
                }
                write(w);
            }
        };
    }

    private void inside(long offset, int length) {
        if (offset < 0 || length < 0 || offset > bytes - length) {
            throw new ConfigurationException(
                    owner.path(),
                    owner.now(),
                    space.name() + " has no " + length + " bytes from " + offset + " on: it has " + bytes);
        }
    }

    private void write(DmaWrite w) {
        inside(w.address, w.length);
        ownIn += w.length;
        TlpTrain t = pool.take().writes(base + w.address, w.length, 4096, owner.id());
        t.data.appendFrom(w.data, w.offset, w.length);
        w.leftPs = write(inner, t, w.address, w.length);
        if (w.done != null) {
            w.done.write(w);
        } else if (w.donePort != null) {
            w.donePort.send(Math.max(w.leftPs, owner.now() + 1), 0, 0, 0, w);
        } else {
            w.goHome();
        }
    }

    /** Queues writes of one range whose address is one in here; returns when its side has taken them. */
    private long write(Side at, TlpTrain train, long offset, int length) {
        settle(owner.now());
        long taken = at.take(owner.now(), spec.holdsPs(offset, length));
        at.last = taken + spec.writePs();
        for (int i = 0; i < train.count; i++) {
            train.arrival[i] = at.last;
        }
        at.add(train);
        return taken;
    }

    /** Takes over a packet that came over PCIe; returns when its credits are free. */
    long store(TlpTrain packet, long offset) {
        int n = packet.length();
        packetsIn++;
        bytesIn += n;
        long arrived = owner.now();
        packet.address = base + offset;
        long end = write(outer, packet, offset, n);
        owner.stampCommit(packet, arrived, outer.last);
        return end;
    }

    /** Takes a request that came over PCIe; returns when its data are there to be read. */
    long load(long offset, int length) {
        packetsOut++;
        bytesOut += length;
        return asked(outer, inner, offset, length);
    }

    /** Returns when what has come so far over PCIe has been taken. */
    long freeAt() {
        return outer.free;
    }

    private long asked(Side at, Side other, long offset, int length) {
        settle(owner.now());
        long there = at.take(owner.now(), spec.holdsPs(offset, length)) + spec.readPs();
        return Math.max(there, Math.max(at.last, other.lastTo(base + offset, length)) + 1);
    }

    /** Whether requests over PCIe are served. */
    boolean isOpen() {
        return open;
    }

    /** Appends what somebody sees who looks now; takes no time, so it is for programs outside of the simulation. */
    public void peek(long offset, int length, Payload into) {
        inside(offset, length);
        read(offset, length, into);
    }

    /** Appends what is there now. */
    void read(long offset, int length, Payload into) {
        settle(owner.now());
        found.clear();
        space.read(base + offset, length, found);
        if (found.isBytes()) {
            into.appendFrom(found, 0, length);
            return;
        }
        int at = 0;
        for (int i = 0; i < found.pieces(); i++) {
            int n = found.pieceLength(i);
            if (found.isBytes(i) || found.writer(i) != 0) {
                into.appendFrom(found, at, n);
            } else {
                into.appendZeros(n);
            }
            at += n;
        }
    }

    /** Brings memory to the content that somebody sees who looks at a time. */
    private void settle(long now) {
        while (true) {
            Side first = inner.head() < outer.head() ? inner : outer;
            if (first.head() >= now) {
                return;
            }
            TlpTrain t = first.remove();
            space.write(t.address, t.data, 0, t.length());
            pool.give(t);
        }
    }

    /** One side: until when it is busy, and its writes that are on their way into memory, in the order in which they get there. */
    private static final class Side extends TrainRing {
        private long free;
        private long last = -1;

        /** Lets an access follow those before it; returns when it has been taken. */
        long take(long now, long holdsPs) {
            free = Math.max(free, now) + holdsPs;
            return free;
        }

        void add(TlpTrain train) {
            push(train, 0, train.count, 0);
        }

        TlpTrain remove() {
            TlpTrain t = train();
            pop();
            return t;
        }

        /** Returns when the last of them to a range is in memory, -1 if there is none. */
        long lastTo(long address, int length) {
            for (int k = size() - 1; k >= 0; k--) {
                TlpTrain t = train(k);
                if (t.address < address + length && address < t.address + t.length()) {
                    return t.arrival[0];
                }
            }
            return -1;
        }

        @Override
        public void save(Snapshot out) {
            super.save(out);
            out.putLong(free);
            out.putLong(last);
        }

        @Override
        public void load(Snapshot in) {
            super.load(in);
            free = in.getLong();
            last = in.getLong();
        }
    }

    /** Reads of the device itself whose data are there. */
    private final class Due extends EventPort {
        Due(String name) {
            super(owner, name + "Due");
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            if (token instanceof DmaRead r) {
                read(r.address, r.length, r.into);
                r.donePs = now();
                if (r.reply != null) {
                    r.reply.write(r);
                } else if (r.replyPort != null) {
                    r.replyPort.send(now() + 1, 0, 0, 0, r);
                }
            }
        }
    }

    @Override
    public void save(Snapshot out) {
        space.save(out);
        outer.save(out);
        inner.save(out);
        out.putBoolean(open);
        out.putLong(packetsIn);
        out.putLong(bytesIn);
        out.putLong(packetsOut);
        out.putLong(bytesOut);
        out.putLong(ownIn);
        out.putLong(ownOut);
    }

    @Override
    public void load(Snapshot in) {
        space.load(in);
        outer.load(in);
        inner.load(in);
        open = in.getBoolean();
        packetsIn = in.getLong();
        bytesIn = in.getLong();
        packetsOut = in.getLong();
        bytesOut = in.getLong();
        ownIn = in.getLong();
        ownOut = in.getLong();
    }
}
