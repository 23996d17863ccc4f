package dev.clockwire.storage.bdev;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.storage.reactor.Errno;
import dev.clockwire.storage.reactor.IoChannel;
import dev.clockwire.storage.reactor.MsgFn;
import dev.clockwire.storage.reactor.StorageThread;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A device on another one, some of whose I/Os go wrong as told. */
public final class ErrorBdev extends Bdev {
    private final Bdev below;
    private final Map<IoType, Plan> plans = new EnumMap<>(IoType.class);
    private final List<@Nullable BdevIo> pending = new ArrayList<>();
    private final MsgFn end;

    /** What goes wrong. */
    public enum Fault {
        /** It fails, without reaching the device below. */
        FAILURE,
        /** There is no room for it now. */
        NOMEM,
        /** It is never heard of again, until {@link ErrorBdev#failPending}; it does not reach the device below. */
        PENDING,
        /** It is done, and the first byte of a read's memory, or of what a write stores, is another one. In mode bytes only. */
        CORRUPT_DATA
    }

    /** Creates the device and claims the one below. */
    public ErrorBdev(Bdevs bdevs, String name, Bdev below) {
        super(bdevs, name, below.blockBytes(), below.blocks());
        below.claim(name);
        this.below = below;
        end = bdevs.reactors().function(name + ".release", (i, b) -> end((int) i));
        for (IoType t : IoType.values()) {
            plans.put(t, new Plan());
        }
    }

    /**
     * Lets I/Os of a type go wrong; replaces what was told of the type before.
     *
     * @param nth the first that does, 1 for the next one
     * @param count how many do; 0 takes the plan back
     */
    public void inject(IoType type, Fault fault, long nth, long count) {
        if (nth < 1 || count < 0) {
            throw new ConfigurationException("error bdev " + name() + ": " + count + " errors from I/O " + nth
                    + ": must be 0 or more, from 1 or more");
        }
        if (fault == Fault.CORRUPT_DATA && type != IoType.READ && type != IoType.WRITE) {
            throw new ConfigurationException("error bdev " + name() + ": " + type + " moves no data to corrupt");
        }
        plan(type).set(fault, nth - 1, count);
    }

    /** Ends what is pending, as a failure: each I/O on its thread. */
    public void failPending() {
        for (int i = 0; i < pending.size(); i++) {
            BdevIo io = pending.get(i);
            if (io != null && io.channel().thread().sendMsg(end, i, 0) != 0) {
                throw new ConfigurationException("error bdev " + name() + ": the message pool is empty");
            }
        }
    }

    /** Returns how many I/Os are pending. */
    public long pending() {
        return pending.stream().filter(Objects::nonNull).count();
    }

    private void end(int i) {
        BdevIo io = pending.get(i);
        pending.set(i, null);
        if (io != null) {
            io.complete(BdevStatus.FAILED);
        }
    }

    private Plan plan(IoType type) {
        Plan p = plans.get(type);
        if (p == null) {
            throw new ConfigurationException("error bdev " + name() + " knows no " + type);
        }
        return p;
    }

    @Override
    public boolean supports(IoType type) {
        return below.supports(type);
    }

    @Override
    protected @Nullable ModuleChannel moduleChannel(StorageThread thread) {
        return new Below(thread.channels().get(below));
    }

    @Override
    protected void submit(BdevChannel channel, BdevIo io) {
        Fault fault = plan(io.type()).next();
        io.at = 0;
        if (fault == Fault.FAILURE || fault == Fault.NOMEM) {
            io.complete(fault == Fault.NOMEM ? BdevStatus.NOMEM : BdevStatus.FAILED);
            return;
        }
        if (fault == Fault.PENDING) {
            pending.add(io);
            return;
        }
        if (fault == Fault.CORRUPT_DATA) {
            io.at = 1; // marks it
            if (io.type() == IoType.WRITE) {
                flip(channel, io);
            }
        }
        if (channel.module() instanceof Below b) {
            pass(b.channel.context(), io);
        }
    }

    /** Memory that a write read wrong is right again when it has ended. */
    @Override
    protected void belowDone(BdevIo io, BdevStatus how) {
        if (io.at != 0 && how == BdevStatus.SUCCESS) {
            flip(io.channel(), io);
        }
        io.complete(how);
    }

    private static void flip(BdevChannel channel, BdevIo io) {
        AddressSpace memory = channel.cpu().memory();
        byte[] b = new byte[1];
        memory.getBytes(io.va(), b, 0, 1);
        b[0] ^= (byte) 0xff;
        memory.putBytes(io.va(), b, 0, 1);
    }

    /** Hands an I/O to the device below, as one of its own; if the pool has none there is no room now. */
    static void pass(BdevChannel below, BdevIo io) {
        int rc = below.submit(io.type(), io.lba(), io.blocks(), io.va(), io, 0);
        if (rc != 0) {
            io.complete(rc == -Errno.ENOMEM ? BdevStatus.NOMEM : BdevStatus.FAILED);
        }
    }

    @Override
    public void save(Snapshot out) {
        if (pending() > 0) {
            throw new ConfigurationException(
                    "error bdev " + name() + ": " + pending() + " pending I/Os are not recorded");
        }
        super.save(out);
        for (IoType t : IoType.values()) {
            plan(t).save(out);
        }
    }

    @Override
    public void load(Snapshot in) {
        super.load(in);
        for (IoType t : IoType.values()) {
            plan(t).load(in);
        }
    }

    private record Below(IoChannel<BdevChannel> channel) implements ModuleChannel {
        @Override
        public void close() {
            channel.thread().channels().put(channel);
        }
    }

    /** Which of the I/Os of a type go wrong, and how. */
    private static final class Plan {
        private Fault fault = Fault.FAILURE;
        private long skip;
        private long left;

        void set(Fault what, long after, long count) {
            fault = what;
            skip = after;
            left = count;
        }

        @Nullable
        Fault next() {
            if (left == 0) {
                return null;
            }
            if (skip > 0) {
                skip--;
                return null;
            }
            left--;
            return fault;
        }

        void save(Snapshot out) {
            out.putString(fault.name());
            out.putLong(skip);
            out.putLong(left);
        }

        void load(Snapshot in) {
            fault = Fault.valueOf(in.getString());
            skip = in.getLong();
            left = in.getLong();
        }
    }
}
