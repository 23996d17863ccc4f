package dev.clockwire.bench.yaml;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.List;

/** Several mistakes in a file: the message has a line for each. */
public final class ConfigurationMistakes extends ConfigurationException {
    private static final long serialVersionUID = 1L;

    ConfigurationMistakes(List<String> lines) {
        super(String.join("\n", lines));
    }
}
