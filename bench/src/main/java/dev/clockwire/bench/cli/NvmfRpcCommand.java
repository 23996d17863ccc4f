package dev.clockwire.bench.cli;

import dev.clockwire.bench.rpc.JsonBroken;
import dev.clockwire.bench.rpc.JsonText;
import dev.clockwire.bench.rpc.RpcClient;
import dev.clockwire.bench.rpc.SimTarget;
import dev.clockwire.storage.rpc.JsonValue;
import dev.clockwire.storage.rpc.RpcDispatcher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code nvmf rpc METHOD [JSON]}: one call. */
@Command(
        name = "rpc",
        description = "Call a method of SPDK's JSON-RPC: of a simulated target made for it, or of one that serves a"
                + " socket (-r).")
final class NvmfRpcCommand extends ClockwireTask {
    @Parameters(index = "0", paramLabel = "METHOD", description = "Name of the method; rpc_get_methods lists them.")
    private String method = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "JSON", description = "Its parameters, an object.")
    private String params = "{}";

    @Option(
            names = {"-r", "--rpc-socket"},
            paramLabel = "SOCKET",
            description = "Unix socket of a target that runs.")
    private @Nullable Path socket;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private TargetOptions options = new TargetOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    NvmfRpcCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws IOException {
        checkSocket();
        JsonValue.Obj answer = answer(RpcDispatcher.request(1, method, parsed()));
        JsonValue error = answer.find("error");
        JsonValue result = answer.find("result");
        if (json.wanted()) {
            JsonDocument document = new JsonDocument("nvmf-rpc");
            for (JsonValue.Member m : answer.members()) {
                document.withJson(m.name(), m.value().text());
            }
            console().json(document);
        } else {
            JsonValue shown = error == null ? result : error;
            if (shown != null) {
                console().line(shown.indented());
            }
        }
        return error == null ? ExitCode.OK : ExitCode.CHECK_FAILED;
    }

    /** Options of a target mean nothing to one that runs. */
    private void checkSocket() {
        CommandSpec typed = spec;
        if (socket == null || typed == null) {
            return;
        }
        for (OptionSpec o : typed.commandLine().getParseResult().matchedOptions()) {
            List<String> names = List.of(o.names());
            if (!names.contains("-r") && !names.contains("--json")) {
                List<String> line = typed.commandLine().getParseResult().originalArgs();
                String name = names.stream().filter(line::contains).findFirst().orElse(o.longestName());
                throw CliException.usage("-r " + socket + " and " + name
                        + " exclude each other: -r calls a target that runs, " + name
                        + " is of one that is made for the call");
            }
        }
    }

    private JsonValue parsed() {
        try {
            return JsonText.parse(params);
        } catch (JsonBroken e) {
            throw CliException.usage("parameters are no JSON: " + e.getMessage());
        }
    }

    private JsonValue.Obj answer(JsonValue request) throws IOException {
        JsonValue answer;
        if (socket == null) {
            SimTarget target = options.start(console());
            answer = target.handle(request);
            target.remarks().forEach(console()::note);
        } else {
            answer = asked(socket, request);
        }
        if (answer instanceof JsonValue.Obj o) {
            return o;
        }
        throw CliException.input("the answer is no JSON-RPC");
    }

    private static JsonValue asked(Path socket, JsonValue request) throws IOException {
        try {
            return RpcClient.call(socket, request);
        } catch (JsonBroken e) {
            throw CliException.input("socket " + socket + " answers what is no JSON: " + e.getMessage());
        }
    }
}
