package dev.clockwire.storage.rpc;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import dev.clockwire.sim.error.SimException;
import dev.clockwire.storage.reactor.Errno;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The methods of one process by name, and who is called when. */
public final class RpcMethods {
    private static final int LONGEST_QUOTE = 64;

    private final TreeMap<String, RpcMethod> byName = new TreeMap<>();
    private final TreeMap<String, String> otherNames = new TreeMap<>();
    private final BooleanSupplier started;
    private final Consumer<String> remarks;

    /**
     * Creates a table without methods.
     *
     * @param started tells whether the framework is
     * @param remarks takes what callers should know although it is no error
     */
    public RpcMethods(BooleanSupplier started, Consumer<String> remarks) {
        this.started = started;
        this.remarks = remarks;
    }

    /** Adds a method. */
    public RpcMethods add(String name, RpcMethod.When when, List<RpcParam> params, RpcMethod.Handler handler) {
        if (byName.putIfAbsent(name, new RpcMethod(name, when, params, handler)) != null) {
            throw new ConfigurationException("method " + name + " exists already");
        }
        return this;
    }

    /** Says which method people mean by a name that never was one. */
    public RpcMethods meant(String wrong, String right) {
        otherNames.put(wrong, right);
        return this;
    }

    /** Returns the names in alphabetical order, of all methods or of those that can be called now. */
    public List<String> names(boolean nowOnly) {
        List<String> names = new ArrayList<>();
        byName.values().forEach(m -> {
            if (!nowOnly || mayCall(m)) {
                names.add(m.name());
            }
        });
        return names;
    }

    /** Returns a method, null if there is none of that name. */
    public @Nullable RpcMethod find(String name) {
        return byName.get(name);
    }

    /** Returns whether a method can be called in this state. */
    public boolean mayCall(RpcMethod m) {
        return m.when() == RpcMethod.When.ALWAYS || started.getAsBoolean() == (m.when() == RpcMethod.When.RUNTIME);
    }

    /** Calls a method. Whatever it throws of what models throw becomes an answer. */
    public void call(String name, JsonValue.Obj params, RpcReply reply) {
        try {
            RpcMethod m = byName.get(name);
            if (m == null) {
                throw new RpcException(RpcError.METHOD_NOT_FOUND, notFound(name));
            }
            if (!mayCall(m)) {
                throw new RpcException(
                        RpcError.INVALID_STATE,
                        "Method may only be called " + (m.when() == RpcMethod.When.STARTUP ? "before" : "after")
                                + " framework is initialized using framework_start_init RPC.");
            }
            for (String idle : check(name, params)) {
                remarks.accept(name + ": parameter '" + idle + "' has no effect here");
            }
            m.handler().call(RpcParams.check(m.params(), params), reply);
        } catch (RpcException e) {
            reply.error(e.code(), text(e));
        } catch (ConfigurationException e) {
            reply.error(-Errno.EINVAL, text(e));
        }
    }

    /**
     * Looks at a call and makes none.
     *
     * @return the parameters among those given that change nothing here
     * @throws RpcException that says what is wrong with the method's name or a parameter
     */
    public List<String> check(String name, JsonValue.Obj params) {
        RpcMethod m = byName.get(name);
        if (m == null) {
            throw new RpcException(RpcError.METHOD_NOT_FOUND, notFound(name));
        }
        RpcParams checked = RpcParams.check(m.params(), params);
        return m.params().stream()
                .filter(p -> p.idle() && checked.has(p.name()))
                .map(RpcParam::name)
                .toList();
    }

    private static String text(SimException e) {
        String text = e.getMessage();
        return text == null ? "" : text;
    }

    private String notFound(String name) {
        String shown = name.length() > LONGEST_QUOTE ? name.substring(0, LONGEST_QUOTE) : name;
        String right = otherNames.get(name);
        String hint = right != null ? "; did you mean " + right + "?" : Nearest.hint(shown, names(false));
        return "Method not found: '" + shown + "'" + hint;
    }
}
