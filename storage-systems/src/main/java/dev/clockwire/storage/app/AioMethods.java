package dev.clockwire.storage.app;

import static dev.clockwire.storage.rpc.RpcMethod.When.RUNTIME;

import dev.clockwire.nvme.store.MemoryStore;
import dev.clockwire.storage.bdev.AioBdev;
import dev.clockwire.storage.bdev.AioSpec;
import dev.clockwire.storage.reactor.Errno;
import dev.clockwire.storage.rpc.JsonValue;
import dev.clockwire.storage.rpc.RpcException;
import dev.clockwire.storage.rpc.RpcParam;
import dev.clockwire.storage.rpc.RpcParams;
import dev.clockwire.storage.rpc.RpcReply;
import java.util.List;

/** A block device over a file: as large as the file, and zeros in memory; no file is read or written. */
final class AioMethods {
    private static final int BLOCK = 512;

    private final StorageApp app;

    private AioMethods(StorageApp app) {
        this.app = app;
    }

    static void add(StorageApp app) {
        AioMethods a = new AioMethods(app);
        app.methods()
                .add(
                        "bdev_aio_create",
                        RUNTIME,
                        List.of(
                                RpcParam.text("name"),
                                RpcParam.text("filename"),
                                RpcParam.integer("block_size", 1, 65_536).optional(),
                                RpcParam.flag("readonly").withoutEffect(),
                                RpcParam.flag("fallocate").withoutEffect(),
                                RpcParam.text("uuid", 36).optional()),
                        a::create)
                .meant("construct_aio_bdev", "bdev_aio_create")
                .meant("bdev_uring_create", "bdev_aio_create");
    }

    private void create(RpcParams p, RpcReply reply) {
        String name = p.text("name");
        String file = p.text("filename");
        BdevMethods.requireFree(app, name);
        String uuid = BdevMethods.uuid(p);
        int block = p.count("block_size", BLOCK);
        long bytes = app.bytesOf(file);
        if (bytes < 0) {
            throw new RpcException(-Errno.ENOENT, "No such file or directory: '" + file + "' is no regular file here");
        }
        if (bytes < block || bytes % block != 0) {
            throw new RpcException(
                    -Errno.EINVAL,
                    "Invalid argument: '" + file + "' has " + bytes + " B, no multiple of block_size " + block);
        }
        MemoryStore zeros =
                new MemoryStore(name, block, bytes / block, app.host().memory().mode());
        BdevMethods.identify(new AioBdev(app.bdevs(), name, zeros, AioSpec.usual()), uuid);
        app.config().put("bdev", name, "bdev_aio_create", p.given());
        app.remark("bdev_aio_create: '" + file + "' says how large " + name + " is; its blocks are zeros in memory");
        reply.result(JsonValue.of(name));
    }
}
