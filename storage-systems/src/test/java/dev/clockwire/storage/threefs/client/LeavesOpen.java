package dev.clockwire.storage.threefs.client;

import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.RpcPeer;
import dev.clockwire.storage.threefs.server.ServiceSpec;
import org.jspecify.annotations.Nullable;

/** A client's operation that leaves connections open over which something late may come. */
public final class LeavesOpen extends ClientOp {
    private LeavesOpen(
            StorageClient client,
            Message m,
            long va,
            MemoryRegion region,
            StorageClient.@Nullable Channel channel,
            Outcome then) {
        super(client, m, va, region, channel, then);
    }

    /** Makes a client of such operations. */
    public static StorageClient client(Node node, ServiceSpec spec, StorageClient.Cast cast) {
        return new StorageClient(node, spec, cast, LeavesOpen::new);
    }

    @Override
    void fence(RpcPeer from, Runnable then) {
        then.run();
    }
}
