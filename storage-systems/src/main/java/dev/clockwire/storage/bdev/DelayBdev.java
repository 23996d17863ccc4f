package dev.clockwire.storage.bdev;

import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.storage.reactor.IoChannel;
import dev.clockwire.storage.reactor.StorageThread;
import org.jspecify.annotations.Nullable;

/** A device on another one, whose reads and writes end some time later; other I/Os pass. */
public final class DelayBdev extends Bdev {
    private static final int ONE_IN = 100;

    private final Bdev below;
    private final DelaySpec spec;
    private final RandomStream random;

    /** Creates the device and claims the one below. */
    public DelayBdev(Bdevs bdevs, String name, Bdev below, DelaySpec spec) {
        super(bdevs, name, below.blockBytes(), below.blocks());
        below.claim(name);
        this.below = below;
        this.spec = spec;
        random = bdevs.reactors().host().sim().random("bdev." + name);
    }

    @Override
    public boolean supports(IoType type) {
        return below.supports(type);
    }

    @Override
    protected @Nullable ModuleChannel moduleChannel(StorageThread thread) {
        return new Below(thread, below, new DoneQueue(thread, name() + ".delay", 4));
    }

    @Override
    protected void submit(BdevChannel channel, BdevIo io) {
        if (channel.module() instanceof Below b) {
            b.pass(io);
        }
    }

    /** The delay begins when the device below has done its part. */
    @Override
    protected void belowDone(BdevIo io, BdevStatus how) {
        boolean isRead = io.type() == IoType.READ;
        if ((!isRead && io.type() != IoType.WRITE) || !(io.channel().module() instanceof Below b)) {
            io.complete(how);
            return;
        }
        boolean isSlow = random.below(ONE_IN) == 0;
        long ps =
                isRead ? isSlow ? spec.p99ReadPs() : spec.avgReadPs() : isSlow ? spec.p99WritePs() : spec.avgWritePs();
        b.done.add((isRead ? 0 : 2) + (isSlow ? 1 : 0), io, io.channel().cpu().now() + ps, how);
    }

    @Override
    public void save(Snapshot out) {
        super.save(out);
        random.save(out);
    }

    @Override
    public void load(Snapshot in) {
        super.load(in);
        random.load(in);
    }

    /** A channel's channel to the device below. */
    private record Below(IoChannel<BdevChannel> channel, DoneQueue done) implements ModuleChannel {
        Below(StorageThread thread, Bdev below, DoneQueue done) {
            this(thread.channels().get(below), done);
        }

        void pass(BdevIo io) {
            ErrorBdev.pass(channel.context(), io);
        }

        @Override
        public void close() {
            done.close();
            channel.thread().channels().put(channel);
        }
    }
}
