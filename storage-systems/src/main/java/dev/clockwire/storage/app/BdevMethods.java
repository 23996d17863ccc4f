package dev.clockwire.storage.app;

import static dev.clockwire.storage.rpc.RpcMethod.When.RUNTIME;
import static dev.clockwire.storage.rpc.RpcMethod.When.STARTUP;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import dev.clockwire.storage.bdev.AioBdev;
import dev.clockwire.storage.bdev.Bdev;
import dev.clockwire.storage.bdev.BdevSpec;
import dev.clockwire.storage.bdev.DelayBdev;
import dev.clockwire.storage.bdev.DelaySpec;
import dev.clockwire.storage.bdev.ErrorBdev;
import dev.clockwire.storage.bdev.IoType;
import dev.clockwire.storage.bdev.MallocBdev;
import dev.clockwire.storage.bdev.NullBdev;
import dev.clockwire.storage.bdev.Uuids;
import dev.clockwire.storage.reactor.Errno;
import dev.clockwire.storage.rpc.JsonValue;
import dev.clockwire.storage.rpc.RpcException;
import dev.clockwire.storage.rpc.RpcMethods;
import dev.clockwire.storage.rpc.RpcParam;
import dev.clockwire.storage.rpc.RpcParams;
import dev.clockwire.storage.rpc.RpcReply;
import java.util.List;
import java.util.Locale;

/** Methods that make block devices, and that tell of them. */
final class BdevMethods {
    private static final String SUBSYSTEM = "bdev";
    private static final long US = 1_000_000L;
    private static final long LONGEST_US = 3_600_000_000L;
    private static final int MOST_POOL = 1 << 24;

    private final StorageApp app;
    private int nextMalloc;

    private BdevMethods(StorageApp app) {
        this.app = app;
    }

    static void add(StorageApp app) {
        BdevMethods b = new BdevMethods(app);
        RpcMethods m = app.methods();
        RpcParam name = RpcParam.text("name");
        RpcParam blocks = RpcParam.integer("num_blocks", 1, Long.MAX_VALUE);
        RpcParam block = RpcParam.integer("block_size", 1, Integer.MAX_VALUE);
        m.add(
                "bdev_set_options",
                STARTUP,
                List.of(
                        RpcParam.integer("bdev_io_pool_size", 1, MOST_POOL).optional(),
                        RpcParam.integer("bdev_io_cache_size", 1, MOST_POOL).optional(),
                        RpcParam.flag("bdev_auto_examine").withoutEffect(),
                        RpcParam.integer("iobuf_small_cache_size", 0, MOST_POOL).withoutEffect(),
                        RpcParam.integer("iobuf_large_cache_size", 0, MOST_POOL).withoutEffect()),
                b::options);
        m.add("bdev_wait_for_examine", RUNTIME, List.of(), (p, r) -> r.done());
        RpcParam uuid = RpcParam.text("uuid", 36).optional();
        RpcParam physical =
                RpcParam.integer("physical_block_size", 1, Integer.MAX_VALUE).withoutEffect();
        RpcParam boundary =
                RpcParam.integer("optimal_io_boundary", 0, Integer.MAX_VALUE).withoutEffect();
        m.add(
                "bdev_malloc_create",
                RUNTIME,
                List.of(blocks, block, name.optional(), uuid, physical, boundary),
                b::malloc);
        m.add("bdev_null_create", RUNTIME, List.of(name, blocks, block, uuid, physical), b::nullDevice);
        m.add(
                "bdev_delay_create",
                RUNTIME,
                List.of(
                        RpcParam.text("base_bdev_name"),
                        name,
                        RpcParam.integer("avg_read_latency", 0, LONGEST_US),
                        RpcParam.integer("p99_read_latency", 0, LONGEST_US),
                        RpcParam.integer("avg_write_latency", 0, LONGEST_US),
                        RpcParam.integer("p99_write_latency", 0, LONGEST_US)),
                b::delay);
        m.add("bdev_error_create", RUNTIME, List.of(RpcParam.text("base_name")), b::error);
        m.add(
                "bdev_error_inject_error",
                RUNTIME,
                List.of(
                        name,
                        RpcParam.choice("io_type", "clear", "read", "write", "unmap", "flush", "all"),
                        RpcParam.choice("error_type", "failure", "pending", "corrupt_data", "nomem"),
                        RpcParam.integer("num", 1, Integer.MAX_VALUE).optional()),
                b::inject);
        AioMethods.add(app);
        m.add("bdev_aio_delete", RUNTIME, List.of(name), (p, r) -> b.delete(p, r, AioBdev.class));
        m.add("bdev_malloc_delete", RUNTIME, List.of(name), (p, r) -> b.delete(p, r, MallocBdev.class));
        m.add("bdev_null_delete", RUNTIME, List.of(name), (p, r) -> b.delete(p, r, NullBdev.class));
        m.add("bdev_delay_delete", RUNTIME, List.of(name), (p, r) -> b.delete(p, r, DelayBdev.class));
        m.add("bdev_error_delete", RUNTIME, List.of(name), (p, r) -> b.delete(p, r, ErrorBdev.class));
        m.meant("delete_malloc_bdev", "bdev_malloc_delete");
        m.meant("construct_malloc_bdev", "bdev_malloc_create");
        m.meant("construct_null_bdev", "bdev_null_create");
        BdevStats.add(app);
    }

    private void options(RpcParams p, RpcReply reply) {
        BdevSpec now = app.bdevOptions().spec();
        int pool = p.count("bdev_io_pool_size", now.ioPool());
        int cache = p.count("bdev_io_cache_size", Math.min(now.ioCache(), pool));
        app.bdevOptions().pool(pool, cache);
        app.config().put(SUBSYSTEM, "", "bdev_set_options", p.given());
        reply.done();
    }

    /** Returns a device. */
    static Bdev bdev(StorageApp app, String name) {
        List<Bdev> all = app.bdevs().all();
        for (Bdev b : all) {
            if (b.name().equals(name)) {
                return b;
            }
        }
        throw new RpcException(
                -Errno.ENODEV,
                "No such device: bdev '" + name + "'"
                        + Nearest.hint(name, all.stream().map(Bdev::name).toList()));
    }

    /** Checks that a name can be given to a new device. */
    static void requireFree(StorageApp app, String name) {
        if (isTaken(app, name)) {
            throw new RpcException(-Errno.EEXIST, "File exists: bdev '" + name + "'");
        }
    }

    private static boolean isTaken(StorageApp app, String name) {
        return app.bdevs().all().stream().anyMatch(b -> b.name().equals(name));
    }

    private Bdev unclaimed(String name) {
        Bdev b = bdev(app, name);
        if (b.claimedBy() != null) {
            throw new RpcException(
                    -Errno.EPERM, "Operation not permitted: bdev '" + name + "' is claimed by " + b.claimedBy());
        }
        return b;
    }

    private void made(String method, String name, RpcParams p, RpcReply reply, JsonValue result) {
        app.config().put(SUBSYSTEM, name, method, p.given());
        reply.result(result);
    }

    private void malloc(RpcParams p, RpcReply reply) {
        String name = p.text("name", "");
        boolean given = !name.isEmpty();
        while (name.isEmpty() || (!given && isTaken(app, name))) {
            name = "Malloc" + nextMalloc++;
        }
        requireFree(app, name);
        String uuid = uuid(p);
        identify(new MallocBdev(app.bdevs(), name, p.count("block_size", 0), p.integer("num_blocks")), uuid);
        made("bdev_malloc_create", name, p, reply, JsonValue.of(name));
    }

    /** Returns the UUID of a call, checked before anything is made; empty if there is none. */
    static String uuid(RpcParams p) {
        String given = p.text("uuid", "");
        try {
            return given.isEmpty() ? "" : Uuids.checked(given);
        } catch (ConfigurationException e) {
            throw RpcException.invalid("parameter " + e.getMessage());
        }
    }

    static void identify(Bdev device, String uuid) {
        if (!uuid.isEmpty()) {
            device.identify(uuid);
        }
    }

    private void nullDevice(RpcParams p, RpcReply reply) {
        String name = p.text("name");
        requireFree(app, name);
        String uuid = uuid(p);
        identify(new NullBdev(app.bdevs(), name, p.count("block_size", 0), p.integer("num_blocks")), uuid);
        made("bdev_null_create", name, p, reply, JsonValue.of(name));
    }

    private void delay(RpcParams p, RpcReply reply) {
        String name = p.text("name");
        requireFree(app, name);
        DelaySpec spec = new DelaySpec(
                p.integer("avg_read_latency") * US,
                p.integer("p99_read_latency") * US,
                p.integer("avg_write_latency") * US,
                p.integer("p99_write_latency") * US);
        new DelayBdev(app.bdevs(), name, unclaimed(p.text("base_bdev_name")), spec);
        made("bdev_delay_create", name, p, reply, JsonValue.of(name));
    }

    private void error(RpcParams p, RpcReply reply) {
        String name = "EE_" + p.text("base_name");
        requireFree(app, name);
        new ErrorBdev(app.bdevs(), name, unclaimed(p.text("base_name")));
        made("bdev_error_create", name, p, reply, JsonValue.Bool.TRUE);
    }

    private void delete(RpcParams p, RpcReply reply, Class<? extends Bdev> kind) {
        Bdev device = bdev(app, p.text("name"));
        if (!kind.isInstance(device)) {
            throw new RpcException(
                    -Errno.ENODEV, "No such device: bdev '" + device.name() + "' is of another kind than that");
        }
        if (BdevRemoval.isGoing(device)) {
            throw new RpcException(
                    -Errno.EBUSY, "Device or resource busy: bdev '" + device.name() + "' is being removed");
        }
        new BdevRemoval(app).remove(device, reply::done);
    }

    private void inject(RpcParams p, RpcReply reply) {
        if (!(bdev(app, p.text("name")) instanceof ErrorBdev device)) {
            throw new RpcException(
                    -Errno.ENODEV, "No such device: bdev '" + p.text("name") + "' was not made by bdev_error_create");
        }
        String type = p.choice("io_type", "");
        String error = p.choice("error_type", "");
        if (error.equals("pending")) {
            throw new RpcException(
                    -Errno.ENOTSUP, "Operation not supported: error_type 'pending' is not simulated; others are");
        }
        ErrorBdev.Fault fault = ErrorBdev.Fault.valueOf(error.toUpperCase(Locale.ROOT));
        long num = p.integer("num", 1);
        switch (type) {
            case "clear" -> all(device, ErrorBdev.Fault.FAILURE, 0);
            case "all" -> all(device, fault, num);
            default -> device.inject(IoType.valueOf(type.toUpperCase(Locale.ROOT)), fault, 1, num);
        }
        reply.done();
    }

    private static void all(ErrorBdev device, ErrorBdev.Fault fault, long count) {
        for (IoType t : IoType.values()) {
            boolean movesData = t == IoType.READ || t == IoType.WRITE;
            if (movesData || fault != ErrorBdev.Fault.CORRUPT_DATA) {
                device.inject(t, fault, 1, count);
            }
        }
    }
}
