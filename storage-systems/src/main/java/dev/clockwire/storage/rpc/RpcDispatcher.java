package dev.clockwire.storage.rpc;

import dev.clockwire.sim.error.InvariantViolation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Turns requests and batches of JSON-RPC 2.0 into calls, and what comes back into answers. The calls of a batch are made one after the
 * other. A request without id is answered only if it fails, as SPDK does, and then with id null.
 */
public final class RpcDispatcher {
    private static final int LONGEST_ID = 128;
    private static final int LONGEST_BATCH = 1024;

    private final RpcMethods methods;

    /** Creates a dispatcher. */
    public RpcDispatcher(RpcMethods methods) {
        this.methods = methods;
    }

    /** Returns the methods. */
    public RpcMethods methods() {
        return methods;
    }

    /** Returns the request of a call. */
    public static JsonValue request(long id, String method, JsonValue params) {
        return JsonValue.object()
                .with("jsonrpc", "2.0")
                .with("id", id)
                .with("method", method)
                .with("params", params)
                .done();
    }

    /** Returns the answer to a text that is no JSON. */
    public static JsonValue parseError(String why) {
        return error(JsonValue.Null.VALUE, RpcError.PARSE_ERROR, "Parse error: " + why);
    }

    /**
     * Does what a value asks for.
     *
     * @param done gets the answer once, null if none is due; inside this call or later
     */
    public void handle(JsonValue request, Consumer<@Nullable JsonValue> done) {
        if (request instanceof JsonValue.Arr batch && batch.values().size() > LONGEST_BATCH) {
            done.accept(invalid(
                    JsonValue.Null.VALUE,
                    "a batch of " + batch.values().size() + " calls: must be at most " + LONGEST_BATCH));
        } else if (request instanceof JsonValue.Arr batch && !batch.values().isEmpty()) {
            new Batch(batch.values(), done).run();
        } else {
            single(request, done);
        }
    }

    private void single(JsonValue request, Consumer<@Nullable JsonValue> done) {
        if (!(request instanceof JsonValue.Obj o)) {
            String what = request instanceof JsonValue.Arr ? "an empty batch" : request.kind();
            done.accept(invalid(JsonValue.Null.VALUE, what + " is no request"));
            return;
        }
        JsonValue id = o.find("id");
        String wrong = wrong(o);
        if (!wrong.isEmpty()) {
            done.accept(invalid(id == null || !isId(id) ? JsonValue.Null.VALUE : id, wrong));
            return;
        }
        if (o.find("method") instanceof JsonValue.Text method) {
            JsonValue params = o.find("params");
            JsonValue.Obj none = JsonValue.object().done();
            methods.call(method.value(), params instanceof JsonValue.Obj p ? p : none, new Answer(id, done));
        }
    }

    /** Says what makes an object no request; empty if it is one. An empty array of parameters is none, as clients send it. */
    private static String wrong(JsonValue.Obj o) {
        List<String> seen = new ArrayList<>();
        for (JsonValue.Member m : o.members()) {
            switch (m.name()) {
                case "jsonrpc", "method", "params", "id" -> {}
                default -> {
                    return "a request has no such member: only jsonrpc, method, params and id";
                }
            }
            if (seen.contains(m.name())) {
                return "'" + m.name() + "' stands there twice";
            }
            seen.add(m.name());
        }
        JsonValue id = o.find("id");
        JsonValue params = o.find("params");
        if (!JsonValue.of("2.0").equals(o.find("jsonrpc"))) {
            return "'jsonrpc' must be \"2.0\"";
        }
        if (!(o.find("method") instanceof JsonValue.Text)) {
            return "'method' must be a string";
        }
        if (id != null && !isId(id)) {
            return "'id' must be a string or a number of at most " + LONGEST_ID + " characters, or null";
        }
        boolean isPlace = params instanceof JsonValue.Arr a && !a.values().isEmpty();
        return params == null || params instanceof JsonValue.Obj || (params instanceof JsonValue.Arr && !isPlace)
                ? ""
                : "'params' must be an object: parameters have names";
    }

    private static boolean isId(JsonValue id) {
        return (id instanceof JsonValue.Text t && t.value().length() <= LONGEST_ID)
                || (id instanceof JsonValue.Num n && n.literal().length() <= LONGEST_ID)
                || id instanceof JsonValue.Null;
    }

    private static JsonValue invalid(JsonValue id, String why) {
        return error(id, RpcError.INVALID_REQUEST, "Invalid request: " + why);
    }

    private static JsonValue error(JsonValue id, int code, String message) {
        return JsonValue.object()
                .with("jsonrpc", "2.0")
                .with("id", id)
                .with(
                        "error",
                        JsonValue.object()
                                .with("code", code)
                                .with("message", message)
                                .done())
                .done();
    }

    /** Makes the answer of one call. */
    private static final class Answer implements RpcReply {
        private final @Nullable JsonValue id;
        private final Consumer<@Nullable JsonValue> done;
        private boolean given;

        Answer(@Nullable JsonValue id, Consumer<@Nullable JsonValue> done) {
            this.id = id;
            this.done = done;
        }

        private void once() {
            if (given) {
                throw new InvariantViolation("a call was answered twice");
            }
            given = true;
        }

        @Override
        public void result(JsonValue value) {
            once();
            done.accept(
                    id == null
                            ? null
                            : JsonValue.object()
                                    .with("jsonrpc", "2.0")
                                    .with("id", id)
                                    .with("result", value)
                                    .done());
        }

        @Override
        public void error(int code, String message) {
            once();
            done.accept(RpcDispatcher.error(id == null ? JsonValue.Null.VALUE : id, code, message));
        }
    }

    /** Calls one after the other, without going deeper with each that is answered at once. */
    private final class Batch {
        private final List<JsonValue> requests;
        private final List<JsonValue> answers = new ArrayList<>();
        private final Consumer<@Nullable JsonValue> done;
        private int next;
        private boolean running;
        private boolean answered;

        Batch(List<JsonValue> requests, Consumer<@Nullable JsonValue> done) {
            this.requests = requests;
            this.done = done;
        }

        void run() {
            running = true;
            answered = true;
            while (answered && next < requests.size()) {
                answered = false;
                single(requests.get(next++), this::answer);
            }
            running = false;
            if (answered) {
                done.accept(answers.isEmpty() ? null : JsonValue.of(answers));
            }
        }

        private void answer(@Nullable JsonValue a) {
            if (a != null) {
                answers.add(a);
            }
            answered = true;
            if (!running) {
                run();
            }
        }
    }
}
