package dev.clockwire.bench.cli;

import picocli.CommandLine.Option;

/** {@code --json}, for every command that prints results. */
public final class JsonOption {
    @Option(names = "--json", description = "Print exactly one JSON document and nothing else.")
    private boolean json;

    /** Created by picocli. */
    public JsonOption() {}

    /** Returns whether the user wants JSON. */
    public boolean wanted() {
        return json;
    }
}
