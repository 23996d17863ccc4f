package dev.clockwire.storage.app;

import static dev.clockwire.storage.rpc.RpcMethod.When.ALWAYS;

import dev.clockwire.storage.rpc.JsonValue;
import dev.clockwire.storage.rpc.RpcParam;
import java.util.List;
import java.util.Locale;

/** Levels of logs: kept and told, and without effect, as the simulation has no log of SPDK's. */
final class LogMethods {
    private static final String[] LEVELS = {"ERROR", "WARNING", "NOTICE", "INFO", "DEBUG"};

    private LogMethods() {}

    static void add(StorageApp app) {
        level(app, "log_set_level", "log_get_level");
        level(app, "log_set_print_level", "log_get_print_level");
    }

    private static void level(StorageApp app, String set, String get) {
        String[] level = {"NOTICE"}; // SPDK's default
        app.methods()
                .add(set, ALWAYS, List.of(RpcParam.choice("level", LEVELS)), (p, r) -> {
                    level[0] = p.text("level").toUpperCase(Locale.ROOT);
                    app.remark(set + ": has no effect here: there is no log; remarks are told at once");
                    r.done();
                })
                .add(get, ALWAYS, List.of(), (p, r) -> r.result(JsonValue.of(level[0])));
    }
}
