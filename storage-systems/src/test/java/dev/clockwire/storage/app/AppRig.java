package dev.clockwire.storage.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.pcie.host.CpuSpec;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.pcie.host.HostSpec;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.reactor.CoreMask;
import dev.clockwire.storage.rpc.JsonValue;

/** A process on a host without devices, and what tests ask it. */
final class AppRig {
    final Sim sim = new Sim(SimSpec.of(1).withWatchdogPs(0));
    final Host host = new Host(sim.root(), "host0", HostSpec.server(), CpuSpec.server(), PayloadMode.BYTES);
    final StorageApp app;

    AppRig(AppSpec spec) {
        sim.elaborate();
        app = new StorageApp(Machine.bare(host), spec);
    }

    static AppRig onOneCore() {
        return new AppRig(AppSpec.on(CoreMask.first(1)));
    }

    /** Returns the result of a call that must go well. */
    JsonValue ok(String method, JsonValue.Builder params) {
        JsonValue.Obj answer = app.call(method, params.done());
        JsonValue result = answer.find("result");
        assertThat(result).as(answer.text()).isNotNull();
        return result == null ? JsonValue.Null.VALUE : result;
    }

    JsonValue ok(String method) {
        return ok(method, JsonValue.object());
    }

    /** Checks that a call fails. */
    void fails(int code, String words, String method, JsonValue.Builder params) {
        assertThat(app.call(method, params.done()).text())
                .contains("\"code\":" + code + ",")
                .contains(words);
    }

    static JsonValue.Builder params() {
        return JsonValue.object();
    }

    /** Returns a part of a value, by names and numbers. */
    static JsonValue at(JsonValue v, Object... path) {
        JsonValue now = v;
        for (Object step : path) {
            JsonValue next = step instanceof Integer i
                    ? now instanceof JsonValue.Arr a ? a.values().get(i) : null
                    : now instanceof JsonValue.Obj o ? o.find(step.toString()) : null;
            assertThat(next).as(step + " of " + now.text()).isNotNull();
            now = next == null ? JsonValue.Null.VALUE : next;
        }
        return now;
    }

    static long number(JsonValue v, Object... path) {
        return Long.parseLong(at(v, path).text());
    }
}
