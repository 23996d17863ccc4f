package dev.clockwire.storage.app;

import static dev.clockwire.storage.rpc.RpcMethod.When.ALWAYS;
import static dev.clockwire.storage.rpc.RpcMethod.When.RUNTIME;
import static dev.clockwire.storage.rpc.RpcMethod.When.STARTUP;

import dev.clockwire.storage.reactor.Errno;
import dev.clockwire.storage.rpc.JsonValue;
import dev.clockwire.storage.rpc.RpcException;
import dev.clockwire.storage.rpc.RpcMethods;
import dev.clockwire.storage.rpc.RpcParam;
import dev.clockwire.storage.rpc.RpcParams;
import dev.clockwire.storage.rpc.RpcReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Methods about the process itself. */
final class FrameworkMethods {
    /** Subsystems in the order they are started, each with those it needs. */
    private static final List<List<String>> SUBSYSTEMS =
            List.of(List.of("scheduler"), List.of("iobuf"), List.of("bdev", "iobuf"), List.of("nvmf", "bdev"));

    private final StorageApp app;
    private final List<RpcReply> waiting = new ArrayList<>();

    private FrameworkMethods(StorageApp app) {
        this.app = app;
    }

    static void add(StorageApp app) {
        FrameworkMethods f = new FrameworkMethods(app);
        RpcMethods m = app.methods();
        List<RpcParam> none = List.of();
        m.add("framework_start_init", STARTUP, none, (p, r) -> f.start(r));
        m.add("framework_wait_init", ALWAYS, none, (p, r) -> f.await(r));
        m.add(
                "rpc_get_methods",
                ALWAYS,
                List.of(
                        RpcParam.flag("current").optional(),
                        RpcParam.flag("include_aliases").withoutEffect()),
                (p, r) -> r.result(JsonValue.ofTexts(m.names(p.flag("current", false)))));
        m.add("spdk_get_version", ALWAYS, none, (p, r) -> r.result(version()));
        m.add("spdk_kill_instance", ALWAYS, List.of(RpcParam.text("sig_name")), (p, r) -> f.kill(p, r));
        m.add("framework_get_subsystems", ALWAYS, none, (p, r) -> r.result(subsystems()));
        m.add("framework_get_config", ALWAYS, List.of(RpcParam.text("name")), (p, r) -> r.result(f.config(p)));
        m.add("save_config", ALWAYS, none, (p, r) -> r.result(f.wholeConfig()));
        m.add(
                "framework_set_scheduler",
                ALWAYS,
                List.of(
                        RpcParam.text("name"),
                        RpcParam.integer("period", 0, Integer.MAX_VALUE).withoutEffect(),
                        RpcParam.integer("load_limit", 0, 100).withoutEffect(),
                        RpcParam.integer("core_limit", 0, 100).withoutEffect(),
                        RpcParam.integer("core_busy", 0, 100).withoutEffect()),
                f::scheduler);
        m.add("framework_get_scheduler", RUNTIME, none, (p, r) -> r.result(schedulerNow()));
        m.meant("reactor_get_stats", "framework_get_reactors");
        m.meant("framework_get_stats", "framework_get_reactors");
        m.meant("get_rpc_methods", "rpc_get_methods");
        m.meant("start_subsystem_init", "framework_start_init");
    }

    private void start(RpcReply reply) {
        app.start();
        reply.done();
        waiting.forEach(RpcReply::done);
        waiting.clear();
    }

    private void await(RpcReply reply) {
        if (app.isStarted()) {
            reply.done();
        } else {
            waiting.add(reply);
        }
    }

    private static JsonValue version() {
        return JsonValue.object()
                .with("version", "Clockwire, methods as SPDK v26.09")
                .with(
                        "fields",
                        JsonValue.object()
                                .with("major", 26)
                                .with("minor", 9)
                                .with("patch", 0)
                                .with("suffix", "-clockwire")
                                .done())
                .done();
    }

    private void kill(RpcParams p, RpcReply reply) {
        String name = p.text("sig_name").toUpperCase(Locale.ROOT);
        if (!List.of("SIGINT", "SIGTERM", "SIGKILL", "INT", "TERM", "KILL", "2", "9", "15")
                .contains(name)) {
            throw RpcException.invalid(
                    "parameter 'sig_name' is '" + p.text("sig_name") + "': must be SIGINT, SIGTERM or SIGKILL");
        }
        app.stop();
        reply.done();
    }

    private static JsonValue subsystems() {
        return JsonValue.of(SUBSYSTEMS.stream()
                .map(s -> JsonValue.object()
                        .with("subsystem", s.get(0))
                        .with("depends_on", JsonValue.ofTexts(s.subList(1, s.size())))
                        .done())
                .toList());
    }

    private JsonValue config(RpcParams p) {
        String name = p.text("name");
        if (SUBSYSTEMS.stream().noneMatch(s -> s.get(0).equals(name))) {
            throw RpcException.invalid("no subsystem '" + name + "'; known are "
                    + String.join(", ", SUBSYSTEMS.stream().map(s -> s.get(0)).toList()));
        }
        return JsonValue.of(app.config().calls(name));
    }

    private JsonValue wholeConfig() {
        return JsonValue.object()
                .with(
                        "subsystems",
                        SUBSYSTEMS.stream()
                                .map(s -> JsonValue.object()
                                        .with("subsystem", s.get(0))
                                        .with("config", app.config().calls(s.get(0)))
                                        .done())
                                .toList())
                .done();
    }

    private void scheduler(RpcParams p, RpcReply reply) {
        String name = p.text("name");
        switch (name) {
            case "static" -> {
                app.config()
                        .put(
                                "scheduler",
                                "scheduler",
                                "framework_set_scheduler",
                                JsonValue.object().with("name", name).done());
                reply.done();
            }
            case "dynamic", "gscheduler" ->
                throw new RpcException(
                        -Errno.ENOTSUP,
                        "Operation not supported: scheduler '" + name
                                + "' moves threads between cores, and verbs and queue pairs here stay with theirs: static does not");
            default -> throw new RpcException(-Errno.EINVAL, "Invalid argument: no scheduler '" + name + "'");
        }
    }

    private static JsonValue schedulerNow() {
        return JsonValue.object()
                .with("scheduler_name", "static")
                .with("scheduler_period", 0)
                .with("isolated_core_mask", "0")
                .with("scheduling_core", 0)
                .done();
    }
}
