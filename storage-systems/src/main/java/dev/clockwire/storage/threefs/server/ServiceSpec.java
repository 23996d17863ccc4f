package dev.clockwire.storage.threefs.server;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.threefs.mgmtd.ThreeFsTimes;
import dev.clockwire.storage.threefs.net.IbSocketSpec;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.rpc.Forwarding;
import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.Notice;
import dev.clockwire.storage.threefs.rpc.Places;
import dev.clockwire.storage.threefs.rpc.SlotShares;
import dev.clockwire.storage.threefs.rpc.Transfer;
import dev.clockwire.storage.threefs.rpc.WritePath;
import java.util.function.Consumer;

/**
 * What a 3FS is.
 *
 * @param path of written bytes
 * @param rule of reads
 * @param times how long everybody waits
 * @param socket sizes
 * @param chunkBytes largest chunk, a multiple of 4096 up to 64 MiB
 * @param blocks versions that a target has room for
 * @param buffers of a storage service, of {@code chunkBytes} each
 * @param slots that a service grants each writer for each place in a chain that it writes to, if bytes are pushed
 * @param crcBytePs cost of a byte of a checksum
 * @param durableChannels whether a chunk keeps who has written it; 3FS itself forgets that in a crash
 * @param transfer how bytes move beside the path
 * @param syncRule what becomes of a chunk that a target has from a later version of its chain than its predecessor
 */
public record ServiceSpec(
        DataPath path,
        ReadRule rule,
        ThreeFsTimes times,
        IbSocketSpec socket,
        int chunkBytes,
        int blocks,
        int buffers,
        int slots,
        long crcBytePs,
        boolean durableChannels,
        Transfer transfer,
        SyncRule syncRule) {
    private static final int MOST_CHUNK = 64 << 20;
    private static final int PAGE = 4096;

    /** Checks the ranges. */
    public ServiceSpec {
        if (chunkBytes < PAGE || chunkBytes > MOST_CHUNK || chunkBytes % PAGE != 0) {
            throw new ConfigurationException(
                    "3fs: chunks of " + chunkBytes + " B: must be a multiple of " + PAGE + " up to " + MOST_CHUNK);
        }
        if (path == DataPath.INLINE && chunkBytes > socket.bufferBytes()) {
            throw new ConfigurationException(
                    "3fs: chunks of " + chunkBytes + " B do not fit inline: at most " + socket.bufferBytes());
        }
        transfer.check(path);
        range("blocks", blocks, 2, 1 << 24);
        range("buffers", buffers, 1, 1 << 16);
        if (transfer.batch() > buffers) {
            throw new ConfigurationException("batch of " + transfer.batch() + " reads: a service has " + buffers
                    + " buffers: must be 1 to " + buffers);
        }
        range("slots", slots, 1, 1024);
    }

    private static void range(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ConfigurationException("3fs." + what + " " + value + " is not in " + least + ".." + most);
        }
    }

    /** Returns 3FS's defaults for chunks of a size; a checksum at 20 GB/s, as CRC-32C instructions give on one core. */
    public static ServiceSpec threeFs(DataPath path, int chunkBytes) {
        return new ServiceSpec(
                path,
                ReadRule.REJECT,
                ThreeFsTimes.threeFs(),
                IbSocketSpec.threeFs(),
                chunkBytes,
                1024,
                64,
                8,
                50,
                true,
                Transfer.usual(),
                SyncRule.REPLACE);
    }

    /** Returns a copy with another rule of reads. */
    public ServiceSpec withRule(ReadRule other) {
        Draft d = new Draft(this);
        d.rule = other;
        return d.done();
    }

    /** Returns a copy with other sockets. */
    public ServiceSpec withSocket(IbSocketSpec other) {
        Draft d = new Draft(this);
        d.socket = other;
        return d.done();
    }

    /** Returns a copy with other waits. */
    public ServiceSpec withTimes(ThreeFsTimes other) {
        Draft d = new Draft(this);
        d.times = other;
        return d.done();
    }

    /** Returns a copy with other room. */
    public ServiceSpec withRoom(int moreBlocks, int moreBuffers) {
        Draft d = new Draft(this);
        d.blocks = moreBlocks;
        d.buffers = moreBuffers;
        return d.done();
    }

    /** Returns a copy that keeps who has written a chunk, or forgets it in a crash. */
    public ServiceSpec withDurableChannels(boolean keep) {
        Draft d = new Draft(this);
        d.durableChannels = keep;
        return d.done();
    }

    /** Returns a copy that moves bytes otherwise. */
    public ServiceSpec withTransfer(Transfer other) {
        Draft d = new Draft(this);
        d.transfer = other;
        return d.done();
    }

    /** Returns a copy that brings targets up to date by another rule. */
    public ServiceSpec withSyncRule(SyncRule other) {
        Draft d = new Draft(this);
        d.syncRule = other;
        return d.done();
    }

    /** Returns a copy with so many slots for each writer and place. */
    public ServiceSpec withSlots(int each) {
        Draft d = new Draft(this);
        d.slots = each;
        return d.done();
    }

    /** Returns how a service writes to others. */
    WritePath writes(Node node, SlotShares shares, Consumer<Message> slotted) {
        return new WritePath(node, path, slots, Places.ofNode(shares.replicas()), transfer.notice(), slotted);
    }

    /**
     * Returns the buffers that a service has for slots. Twice what is granted: those of a connection that is lost come back when the writes in them end, and its
     * successor has some before that.
     *
     * @param chains of a node: who forwards by NICs has a lane to each beside the connection
     */
    int slotsOfNode(SlotShares shares, int chains) {
        int lanes = transfer.forward() == Forwarding.CPU ? 0 : shares.machines() * chains;
        return path == DataPath.PUSH ? 2 * slots * (shares.count() + lanes) : 0;
    }

    /** Returns the bytes before each buffer that a request may be written into. */
    int lead() {
        return transfer.notice() == Notice.IMM || transfer.forward() == Forwarding.ARTICLE ? PAGE : 0;
    }

    /** What copies change. */
    private static final class Draft {
        private final ServiceSpec from;
        private ReadRule rule;
        private ThreeFsTimes times;
        private IbSocketSpec socket;
        private int blocks;
        private int buffers;
        private int slots;
        private boolean durableChannels;
        private Transfer transfer;
        private SyncRule syncRule;

        Draft(ServiceSpec from) {
            this.from = from;
            rule = from.rule;
            times = from.times;
            socket = from.socket;
            blocks = from.blocks;
            buffers = from.buffers;
            slots = from.slots;
            durableChannels = from.durableChannels;
            transfer = from.transfer;
            syncRule = from.syncRule;
        }

        ServiceSpec done() {
            return new ServiceSpec(
                    from.path,
                    rule,
                    times,
                    socket,
                    from.chunkBytes,
                    blocks,
                    buffers,
                    slots,
                    from.crcBytePs,
                    durableChannels,
                    transfer,
                    syncRule);
        }
    }
}
