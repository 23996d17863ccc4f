package dev.clockwire.bench.rpc;

import dev.clockwire.storage.app.StorageApp;
import dev.clockwire.storage.rpc.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A simulated target that is configured by a file and by requests. */
public final class SimTarget {
    private final StorageApp app;
    private final ConfigFile config;
    private final List<String> remarks = new ArrayList<>();
    private boolean configured;

    /**
     * Starts a target: with what the file says of the time before the framework is started, and all of it unless it is to wait.
     *
     * @param app one that waits for {@code framework_start_init}
     * @param waits whether somebody else will call that
     * @throws dev.clockwire.sim.error.ConfigurationException if a call of the file fails
     */
    public SimTarget(StorageApp app, ConfigFile config, boolean waits) {
        this.app = app;
        this.config = config;
        config.apply(app, remarks::add);
        if (!waits) {
            app.start();
            configure();
        }
    }

    /** What the file says of the time after the start is done as soon as somebody has started the framework. */
    private void configure() {
        if (app.isStarted() && !configured) {
            configured = true;
            config.apply(app, remarks::add);
        }
    }

    /**
     * Answers a request or a batch of them.
     *
     * @return null if no answer is due
     */
    public @Nullable JsonValue handle(JsonValue request) {
        JsonValue answer = app.handle(request);
        configure();
        return answer;
    }

    /** Returns what the user should know although it was no error, since this was asked last. */
    public List<String> remarks() {
        remarks.addAll(app.remarks());
        List<String> told = List.copyOf(remarks);
        remarks.clear();
        return told;
    }

    /** Returns whether a request has told it to end. */
    public boolean isStopped() {
        return app.isStopped();
    }

    /** Returns the process. */
    public StorageApp app() {
        return app;
    }
}
