package dev.clockwire.bench.cli;

import dev.clockwire.bench.rpc.RpcSocket;
import dev.clockwire.bench.rpc.SimTarget;
import dev.clockwire.storage.rpc.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code nvmf target}: a simulated {@code nvmf_tgt}. */
@Command(
        name = "target",
        description = "Configure a simulated nvmf_tgt and, with -r or --out, serve JSON-RPC on a Unix socket until"
                + " spdk_kill_instance or Ctrl-C.")
final class NvmfTargetCommand extends ClockwireTask {
    private static final String SOCKET = "rpc.sock";
    private static final String CONFIG = "config.json";

    @Mixin
    private TargetOptions options = new TargetOptions();

    @Option(
            names = {"-r", "--rpc-socket"},
            paramLabel = "SOCKET",
            description = "Unix socket to serve (default with --out: " + SOCKET + " there).")
    private @Nullable Path socket;

    @Option(names = "--out", paramLabel = "DIR", description = "Leave the configuration at the end there.")
    private @Nullable Path out;

    @Mixin
    private JsonOption json = new JsonOption();

    NvmfTargetCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws IOException {
        SimTarget target = options.start(console());
        if (out == null) {
            boolean ended = socket == null || serve(target, socket);
            print(target);
            return ended ? ExitCode.OK : ExitCode.INTERRUPTED;
        }
        try (OutputDirectory files = OutputDirectory.at(out)) {
            boolean isNew = !Files.exists(out);
            Files.createDirectories(out);
            boolean ended;
            try {
                ended = serve(target, socket == null ? out.resolve(SOCKET) : socket);
            } catch (IOException e) {
                if (isNew) {
                    Files.deleteIfExists(out);
                }
                throw e;
            }
            Files.writeString(files.file(CONFIG), saved(target).indented() + "\n");
            if (ended) {
                files.keep();
            } else {
                files.keepInterrupted();
            }
            print(target);
            return ended ? ExitCode.OK : ExitCode.INTERRUPTED;
        }
    }

    /** Serves until somebody ends it; returns whether that was by a request. */
    private boolean serve(SimTarget target, Path at) throws IOException {
        try (RpcSocket server = new RpcSocket(at, request -> {
            JsonValue answer = target.handle(request);
            target.remarks().forEach(console()::note);
            return answer;
        })) {
            if (!json.wanted()) {
                console().now("listening on " + at);
            }
            server.serve(() -> target.isStopped() || Interrupt.requested());
        }
        return target.isStopped();
    }

    private void print(SimTarget target) {
        if (json.wanted()) {
            console()
                    .json(new JsonDocument("nvmf-target")
                            .with("profile", options.profile())
                            .with("seed", options.seed())
                            .withJson("result", saved(target).text()));
        } else if (socket == null && out == null) {
            console().line(saved(target).indented());
        }
    }

    private static JsonValue saved(SimTarget target) {
        JsonValue result =
                target.app().call("save_config", JsonValue.object().done()).find("result");
        return result == null ? JsonValue.Null.VALUE : result;
    }
}
