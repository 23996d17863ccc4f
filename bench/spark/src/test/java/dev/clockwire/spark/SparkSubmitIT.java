package dev.clockwire.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.launcher.JavaModuleOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The one jar, submitted as {@code spark-submit} does, to a Spark that has nothing else of ours on its class path. */
class SparkSubmitIT {
    private static final Path TARGET = Path.of("target").toAbsolutePath();

    @TempDir
    private Path folder;

    private int submit(String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx1g"));
        command.addAll(List.of(JavaModuleOptions.defaultModuleOptionArray()));
        command.addAll(List.of(
                "-cp", Files.readString(TARGET.resolve("spark.classpath")).strip()));
        command.add("org.apache.spark.deploy.SparkSubmit");
        for (String conf : List.of("driver.bindAddress=127.0.0.1", "driver.host=127.0.0.1", "ui.enabled=false")) {
            command.addAll(List.of("--conf", "spark." + conf));
        }
        command.addAll(List.of("--conf", "spark.local.dir=" + folder.resolve("spark")));
        command.addAll(List.of("--master", "local[2]", "--class", "dev.clockwire.spark.SparkSweep"));
        command.add(TARGET.resolve("clockwire-spark.jar").toString());
        command.addAll(List.of(args));
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("stdout").toFile())
                .redirectError(folder.resolve("stderr").toFile())
                .start()
                .waitFor();
    }

    @Test
    void theJarDoesWhatTheLocalEngineDoes() throws IOException, InterruptedException {
        Path plan = Files.writeString(folder.resolve("everything.yaml"), Local.EVERYTHING);
        Local.Said local = Local.sweep(plan, folder.resolve("everything"));
        Files.move(folder.resolve("everything"), folder.resolve("local"));
        int code = submit("everything.yaml");
        assertThat(code).as(Files.readString(folder.resolve("stderr"))).isEqualTo(local.code());
        assertThat(folder.resolve("stdout")).hasContent("12 runs, 8 failed, in everything");
        assertThat(Local.files(folder.resolve("everything"))).isEqualTo(Local.files(folder.resolve("local")));
        assertThat(folder.resolve("stderr")).content().doesNotContain("SLF4J(W)", "LinkageError");
    }

    @Test
    void aMistakeIsOneLine() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("wrong.yaml"), "command: perftest write-lat\nrepeat: [\n");
        assertThat(submit("wrong.yaml")).isEqualTo(3);
        assertThat(Files.readString(folder.resolve("stderr")).lines().filter(l -> l.startsWith("clockwire: ")))
                .hasSize(1)
                .allMatch(l -> l.contains("wrong.yaml"));
    }
}
