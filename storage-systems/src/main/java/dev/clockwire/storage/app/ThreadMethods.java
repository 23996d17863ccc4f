package dev.clockwire.storage.app;

import static dev.clockwire.storage.rpc.RpcMethod.When.RUNTIME;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.reactor.CoreMask;
import dev.clockwire.storage.reactor.Errno;
import dev.clockwire.storage.reactor.IoChannel;
import dev.clockwire.storage.reactor.Poller;
import dev.clockwire.storage.reactor.PollerState;
import dev.clockwire.storage.reactor.Reactor;
import dev.clockwire.storage.reactor.StorageThread;
import dev.clockwire.storage.rpc.JsonValue;
import dev.clockwire.storage.rpc.RpcException;
import dev.clockwire.storage.rpc.RpcParam;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Methods about reactors and threads. A tick is a picosecond. */
final class ThreadMethods {
    /** Ticks of a second. */
    static final long TICK_RATE = 1_000_000_000_000L;
    /** Number of the process: there is one. */
    private static final int PID = 1;

    private ThreadMethods() {}

    static void add(StorageApp app) {
        app.methods()
                .add("framework_get_reactors", RUNTIME, List.of(), (p, r) -> r.result(reactors(app)))
                .add("thread_get_stats", RUNTIME, List.of(), (p, r) -> r.result(threads(app, ThreadMethods::stats)))
                .add("thread_get_pollers", RUNTIME, List.of(), (p, r) -> r.result(threads(app, ThreadMethods::pollers)))
                .add(
                        "thread_get_io_channels",
                        RUNTIME,
                        List.of(),
                        (p, r) -> r.result(threads(app, ThreadMethods::channels)))
                .add(
                        "thread_set_cpumask",
                        RUNTIME,
                        List.of(RpcParam.integer("id", 1, Long.MAX_VALUE), RpcParam.text("cpumask")),
                        (p, r) -> {
                            allow(app, p.integer("id"), p.text("cpumask"));
                            r.done();
                        })
                .meant("thread_get_poller", "thread_get_pollers")
                .meant("get_reactors", "framework_get_reactors");
    }

    private interface Part {
        void add(StorageThread thread, JsonValue.Builder into);
    }

    private static JsonValue threads(StorageApp app, Part part) {
        List<JsonValue> all = new ArrayList<>();
        for (StorageThread t : app.reactors().threads()) {
            if (!t.hasExited()) {
                JsonValue.Builder b = JsonValue.object().with("name", t.name()).with("id", t.id());
                part.add(t, b);
                all.add(b.done());
            }
        }
        return JsonValue.object()
                .with("tick_rate", TICK_RATE)
                .with("threads", all)
                .done();
    }

    private static JsonValue reactors(StorageApp app) {
        List<JsonValue> all = new ArrayList<>();
        for (Reactor r : app.reactors().reactors()) {
            List<JsonValue> threads = r.threads().stream()
                    .<JsonValue>map(t -> JsonValue.object()
                            .with("name", t.name())
                            .with("id", t.id())
                            .with("cpumask", mask(t))
                            .with("elapsed", t.busyPs() + t.idlePs())
                            .done())
                    .toList();
            all.add(JsonValue.object()
                    .with("lcore", r.lcore())
                    .with("numa_id", 0)
                    .with("tid", PID + all.size())
                    .with("busy", r.busyPs())
                    .with("idle", r.idlePs())
                    .with("in_interrupt", r.spec().adaptive())
                    .with("lw_threads", threads)
                    .done());
        }
        return JsonValue.object()
                .with("tick_rate", TICK_RATE)
                .with("pid", PID)
                .with("reactors", all)
                .done();
    }

    private static String mask(StorageThread t) {
        return t.cpumask().toString();
    }

    /** A thread stays on its core: the mask must have it. */
    private static void allow(StorageApp app, long id, String text) {
        StorageThread thread = app.reactors().threads().stream()
                .filter(t -> t.id() == id && !t.hasExited())
                .findFirst()
                .orElseThrow(() -> new RpcException(-Errno.ENODEV, "No such device: thread " + id));
        CoreMask mask;
        try {
            mask = CoreMask.parse(text);
        } catch (ConfigurationException e) {
            throw RpcException.invalid("parameter 'cpumask': " + e.getMessage());
        }
        if (app.reactors().reactors().stream().noneMatch(r -> mask.has(r.lcore()))) {
            throw new RpcException(
                    -Errno.EINVAL, "Invalid argument: cpumask 0x" + mask + " has no core with a reactor");
        }
        int core = thread.reactor().lcore();
        if (!mask.has(core)) {
            throw new RpcException(
                    -Errno.ENOTSUP,
                    "Operation not supported: threads do not move, as verbs and queue pairs here stay with their core;"
                            + " cpumask 0x" + mask + " lacks core " + core + " of '" + thread.name() + "'");
        }
        thread.allow(mask);
    }

    private static void stats(StorageThread t, JsonValue.Builder into) {
        into.with("cpumask", mask(t))
                .with("busy", t.busyPs())
                .with("idle", t.idlePs())
                .with("active_pollers_count", of(t, true, false).size())
                .with("timed_pollers_count", of(t, false, false).size())
                .with("paused_pollers_count", paused(t).size());
    }

    private static void pollers(StorageThread t, JsonValue.Builder into) {
        into.with("active_pollers", describe(of(t, true, false)))
                .with("timed_pollers", describe(of(t, false, false)))
                .with("paused_pollers", describe(paused(t)));
    }

    private static void channels(StorageThread t, JsonValue.Builder into) {
        List<JsonValue> all = new ArrayList<>();
        for (IoChannel<?> c : t.channels().all()) {
            all.add(JsonValue.object()
                    .with("name", c.device().name())
                    .with("ref", c.references())
                    .done());
        }
        into.with("io_channels", all);
    }

    private static List<Poller> paused(StorageThread t) {
        List<Poller> all = new ArrayList<>(of(t, true, true));
        all.addAll(of(t, false, true));
        return all;
    }

    private static List<Poller> of(StorageThread t, boolean active, boolean paused) {
        return t.pollers().stream()
                .filter(p -> p.state() != PollerState.UNREGISTERED
                        && (p.state() == PollerState.PAUSED) == paused
                        && (p.periodPs() == 0) == active)
                .toList();
    }

    private static List<JsonValue> describe(List<Poller> pollers) {
        List<JsonValue> all = new ArrayList<>();
        for (Poller p : pollers) {
            JsonValue.Builder b = JsonValue.object()
                    .with("name", p.name())
                    .with("id", p.thread().pollers().indexOf(p) + 1)
                    .with(
                            "state",
                            p.state() == PollerState.ENDING
                                    ? "unregistered"
                                    : p.state().name().toLowerCase(Locale.ROOT))
                    .with("run_count", p.runCount())
                    .with("busy_count", p.busyCount());
            if (p.periodPs() != 0) {
                b.with("period_ticks", p.periodPs());
            }
            all.add(b.done());
        }
        return all;
    }
}
