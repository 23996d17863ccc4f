package dev.clockwire.storage.app;

import static dev.clockwire.storage.rpc.RpcMethod.When.RUNTIME;

import dev.clockwire.storage.bdev.AioBdev;
import dev.clockwire.storage.bdev.Bdev;
import dev.clockwire.storage.bdev.DelayBdev;
import dev.clockwire.storage.bdev.ErrorBdev;
import dev.clockwire.storage.bdev.IoStat;
import dev.clockwire.storage.bdev.IoType;
import dev.clockwire.storage.bdev.MallocBdev;
import dev.clockwire.storage.bdev.NullBdev;
import dev.clockwire.storage.bdev.NvmeBdev;
import dev.clockwire.storage.rpc.JsonValue;
import dev.clockwire.storage.rpc.RpcParam;
import dev.clockwire.storage.rpc.RpcParams;
import java.util.List;
import java.util.Locale;

/** Methods that tell of block devices. */
final class BdevStats {
    private BdevStats() {}

    static void add(StorageApp app) {
        app.methods()
                .add(
                        "bdev_get_bdevs",
                        RUNTIME,
                        List.of(
                                RpcParam.text("name").optional(),
                                RpcParam.integer("timeout", 0, Integer.MAX_VALUE)
                                        .withoutEffect()),
                        (p, r) -> r.result(JsonValue.of(chosen(app, p).stream()
                                .map(b -> describe(app, b))
                                .toList())))
                .add(
                        "bdev_get_iostat",
                        RUNTIME,
                        List.of(
                                RpcParam.text("name").optional(),
                                RpcParam.flag("per_channel").withoutEffect(),
                                RpcParam.choice("reset_mode", "none").optional()),
                        (p, r) -> r.result(iostat(app, p)))
                .meant("get_bdevs", "bdev_get_bdevs");
    }

    private static List<Bdev> chosen(StorageApp app, RpcParams p) {
        String name = p.find("name");
        return name == null ? app.bdevs().all() : List.of(BdevMethods.bdev(app, name));
    }

    private static JsonValue.Obj describe(StorageApp app, Bdev b) {
        JsonValue.Builder types = JsonValue.object();
        for (IoType t : IoType.values()) {
            types.with(t.name().toLowerCase(Locale.ROOT), b.supports(t));
        }
        JsonValue.Builder all = JsonValue.object()
                .with("name", b.name())
                .with("aliases", JsonValue.ofTexts(List.of(b.uuid())))
                .with("product_name", product(b))
                .with("block_size", b.blockBytes())
                .with("num_blocks", b.blocks())
                .with("uuid", b.uuid())
                .with(
                        "assigned_rate_limits",
                        JsonValue.object()
                                .with("rw_ios_per_sec", 0)
                                .with("rw_mbytes_per_sec", 0)
                                .with("r_mbytes_per_sec", 0)
                                .with("w_mbytes_per_sec", 0)
                                .done())
                .with("claimed", b.claimedBy() != null);
        if (b.claimedBy() != null) {
            all.with("claim_type", "exclusive_write");
        }
        return all.with("zoned", false)
                .with("supported_io_types", types.done())
                .with("driver_specific", specific(app, b))
                .done();
    }

    private static String product(Bdev b) {
        if (b instanceof MallocBdev) {
            return "Malloc disk";
        }
        if (b instanceof NullBdev) {
            return "Null disk";
        }
        if (b instanceof DelayBdev) {
            return "delay";
        }
        if (b instanceof AioBdev) {
            return "AIO disk";
        }
        return b instanceof ErrorBdev ? "Error Injection Disk" : "NVMe disk";
    }

    private static JsonValue.Obj specific(StorageApp app, Bdev b) {
        JsonValue.Builder s = JsonValue.object();
        if (b instanceof NvmeBdev n) {
            s.with("nvme", List.of(nvme(app.nvme().address(n.ssd()), n.nsid())));
        }
        if (b instanceof AioBdev) {
            JsonValue file = app.config().given("bdev", b.name()).find("filename");
            s.with(
                    "aio",
                    JsonValue.object()
                            .with("filename", file == null ? JsonValue.of("") : file)
                            .with("block_size_override", b.blockBytes())
                            .done());
        }
        for (Bdev below : app.bdevs().all()) {
            if (b.name().equals(below.claimedBy())) {
                JsonValue.Builder d = JsonValue.object().with("name", b.name());
                d.with(b instanceof DelayBdev ? "base_bdev_name" : "base_bdev", below.name());
                s.with(b instanceof DelayBdev ? "delay" : "error_disk", d.done());
            }
        }
        return s.done();
    }

    private static JsonValue.Obj nvme(String address, int nsid) {
        JsonValue.Obj trid = JsonValue.object()
                .with("trtype", "PCIe")
                .with("traddr", address)
                .done();
        return JsonValue.object()
                .with("pci_address", address)
                .with("trid", trid)
                .with("ns_data", JsonValue.object().with("id", nsid).done())
                .done();
    }

    private static JsonValue iostat(StorageApp app, RpcParams p) {
        List<JsonValue.Obj> all =
                chosen(app, p).stream().map(b -> stat(b.name(), b.iostat())).toList();
        return JsonValue.object()
                .with("tick_rate", ThreadMethods.TICK_RATE)
                .with("ticks", app.host().now())
                .with("bdevs", all)
                .done();
    }

    private static JsonValue.Obj stat(String name, IoStat s) {
        JsonValue.Builder b = JsonValue.object().with("name", name);
        b.with("bytes_read", s.read().bytes()).with("num_read_ops", s.read().ops());
        b.with("bytes_written", s.write().bytes())
                .with("num_write_ops", s.write().ops());
        b.with("bytes_unmapped", s.unmap().bytes())
                .with("num_unmap_ops", s.unmap().ops());
        b.with("bytes_copied", 0).with("num_copy_ops", 0);
        ticks(b, "read", s.read());
        ticks(b, "write", s.write());
        ticks(b, "unmap", s.unmap());
        b.with("copy_latency_ticks", 0).with("max_copy_latency_ticks", 0).with("min_copy_latency_ticks", 0);
        JsonValue.Builder errors = JsonValue.object();
        if (s.errors() != 0) {
            errors.with("failed", s.errors());
        }
        return b.with("io_error", errors.done()).done();
    }

    private static void ticks(JsonValue.Builder b, String what, IoStat.Kind k) {
        b.with(what + "_latency_ticks", k.latencyTicks());
        b.with("max_" + what + "_latency_ticks", k.maxTicks());
        b.with("min_" + what + "_latency_ticks", k.minTicks());
    }
}
