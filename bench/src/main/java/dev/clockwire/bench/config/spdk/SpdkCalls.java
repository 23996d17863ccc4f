package dev.clockwire.bench.config.spdk;

import dev.clockwire.bench.config.model.ImportLog;
import dev.clockwire.bench.config.model.Rule;
import dev.clockwire.pcie.host.CpuSpec;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.pcie.host.HostSpec;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.app.AppSpec;
import dev.clockwire.storage.app.Machine;
import dev.clockwire.storage.app.StorageApp;
import dev.clockwire.storage.reactor.CoreMask;
import dev.clockwire.storage.rpc.JsonValue;
import dev.clockwire.storage.rpc.RpcError;
import dev.clockwire.storage.rpc.RpcException;
import dev.clockwire.storage.rpc.RpcMethods;
import java.util.List;

/** Judges calls of SPDK's JSON-RPC by what the methods of a simulated target know; nothing is called. */
final class SpdkCalls {
    private static final int LONGEST = 160;

    private final RpcMethods methods;
    private final ImportLog log;

    SpdkCalls(ImportLog log) {
        this.log = log;
        Sim sim = new Sim(SimSpec.of(1));
        Host host = new Host(sim.root(), "host", HostSpec.server(), CpuSpec.server(), PayloadMode.BYTES);
        methods = new StorageApp(Machine.bare(host), AppSpec.on(CoreMask.first(1))).methods();
    }

    /** Says what a call does; the log has been turned to its line. */
    void judge(String method, JsonValue.Obj params) {
        List<String> idle;
        try {
            idle = methods.check(method, params);
        } catch (RpcException e) {
            log.effect("no effect: the target answers with error " + e.code());
            boolean unknown = e.code() == RpcError.METHOD_NOT_FOUND;
            log.finding(
                    unknown ? Rule.NO_SUCH_METHOD : Rule.BAD_VALUE,
                    e.code(),
                    method + ": " + e.getMessage(),
                    unknown ? "rpc_get_methods lists the methods" : "see the method's parameters in SPDK's jsonrpc.md");
            return;
        }
        String text = params.text();
        log.effect("a call of the simulated target (nvmf target): " + method + " "
                + (text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text));
        for (String name : idle) {
            log.finding(
                    Rule.HAS_NO_EFFECT_HERE,
                    0,
                    method + ": parameter '" + name + "' is taken and changes nothing here",
                    "nothing, it is right");
        }
    }

    /** Says of a method whose words are not read only whether there is one. */
    void name(String method) {
        if (methods.find(method) == null) {
            judge(method, JsonValue.object().done());
        } else {
            log.effect("a call of the simulated target (nvmf rpc " + method + "); its words are not read");
        }
    }

    /** Says that SPDK has something that the simulation passes over. */
    void passOver(String what) {
        log.effect("no effect here: " + what);
        log.finding(Rule.HAS_NO_EFFECT_HERE, 0, what, "nothing, it is right");
    }
}
