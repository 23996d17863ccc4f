package dev.clockwire.bench.config;

import dev.clockwire.bench.config.model.DeviceConfig;
import dev.clockwire.bench.config.model.Parameter;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads files with configuration and applies lines of NICs to one simulated NIC, in order; all else becomes switches and hosts. */
public final class ConfigImport {
    private ConfigImport() {}

    /**
     * Reads and applies.
     *
     * @param profile hardware before the first line
     * @throws ConfigurationException if a file cannot be read or a line of a known program is wrong; it names file, line and column
     */
    public static ConfigReport of(List<Path> files, Profile profile) throws IOException {
        ConfigTarget target = new ConfigTarget(profile);
        DeviceFiles read = new DeviceFiles(new NicLines(target));
        for (Path file : files) {
            read.read(file);
        }
        for (DeviceConfig device : read.devices()) {
            if (!device.isSwitch()) {
                HostOnNic.apply(device, target, read.log());
            }
        }
        read.lint();
        List<Parameter> parameters = new ArrayList<>();
        read.devices().forEach(d -> parameters.addAll(d.parameters()));
        return new ConfigReport(
                read.log().recognised(), read.log().unknown(), read.log().findings(), target.overrides(), parameters);
    }
}
