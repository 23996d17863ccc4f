package dev.clockwire.testkit;

import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;

/** How a test is repeated: its seed, and the one command. */
final class Repeat {
    /** Root of all seeds. */
    static final String SEED = "clockwire.seed";

    private Repeat() {}

    /** Returns the root seed. */
    static long rootSeed() {
        String text = System.getProperty(SEED, "1");
        try {
            return Long.decode(text);
        } catch (NumberFormatException e) {
            throw new ConfigurationException(
                    "-D" + SEED + "=" + text + ": must be a number of 64 bits, decimal or 0x...");
        }
    }

    /** Returns the folder of the module under test: surefire says it, elsewhere it is where the process runs. */
    static Path module() {
        return Path.of(System.getProperty("basedir", "")).toAbsolutePath().normalize();
    }

    /** Returns the command that runs a test again with the same seed, from {@link #root}. */
    static String command(Class<?> type, Method method, long seed) {
        Path module = module();
        Path root = root(module);
        String test = " '-Dtest="
                + type.getName()
                        .substring(
                                type.getPackageName().isEmpty()
                                        ? 0
                                        : type.getPackageName().length() + 1) + "#" + method.getName() + "' -D" + SEED
                + "=" + seed;
        return root.equals(module)
                ? "mvn test" + test
                : "mvn test -pl " + root.relativize(module) + " -am" + test
                        + " -Dsurefire.failIfNoSpecifiedTests=false";
    }

    /** Returns the folder of the project that the module is built with. */
    static Path root(Path module) {
        Path root = module;
        for (Path p = module.getParent(); p != null; p = p.getParent()) {
            if (text(p.resolve("pom.xml")).contains("<module>" + p.relativize(root) + "</module>")) {
                root = p;
            }
        }
        return root;
    }

    private static String text(Path pom) {
        try {
            return Files.isRegularFile(pom) ? Files.readString(pom) : "";
        } catch (IOException e) {
            return ""; // then it is not a project that we can name
        }
    }
}
