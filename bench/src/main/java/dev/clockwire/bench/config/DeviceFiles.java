package dev.clockwire.bench.config;

import dev.clockwire.bench.config.app.CephOptions;
import dev.clockwire.bench.config.app.ThreeFsOptions;
import dev.clockwire.bench.config.comware.ComwareReader;
import dev.clockwire.bench.config.host.HostReader;
import dev.clockwire.bench.config.lint.Lint;
import dev.clockwire.bench.config.model.DeviceConfig;
import dev.clockwire.bench.config.model.ImportLog;
import dev.clockwire.bench.config.sonic.SonicReader;
import dev.clockwire.bench.config.spdk.SpdkLines;
import dev.clockwire.bench.config.spdk.SpdkReader;
import dev.clockwire.bench.config.text.ConfigLine;
import dev.clockwire.bench.config.text.ShellVariables;
import dev.clockwire.bench.yaml.PlacedJson;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads files of switches and hosts, each of which may hold lines of several programs, and lines of one NIC among them. */
public final class DeviceFiles {
    private static final int MOST_BYTES = 64 << 20;
    /** Longer lines are no commands, and are not looked at. */
    private static final int LONGEST_LINE = 8192;

    private static final int SHOWN = 120;
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private final ImportLog log = new ImportLog();
    private final List<DeviceConfig> devices = new ArrayList<>();
    private final NicLines nic;
    /** The one host that all files are about; null if each file is about its own. */
    private @Nullable HostReader only;

    /** Creates a reader; lines of a NIC's own tools go to where {@code nic} says. */
    DeviceFiles(NicLines nic) {
        this.nic = nic;
    }

    /**
     * Reads files for the switches and hosts of a fabric.
     *
     * @throws ConfigurationException if one cannot be read, or a line of a known program is wrong; it names file, line and column
     */
    public static DeviceFiles of(List<Path> files) throws IOException {
        DeviceFiles read = new DeviceFiles(NicLines.NONE);
        for (Path file : files) {
            read.read(file);
        }
        return read;
    }

    /**
     * Reads files that are all about one host.
     *
     * @throws ConfigurationException as {@link #of}
     */
    public static DeviceFiles ofHost(String name, List<Path> files) throws IOException {
        DeviceFiles read = new DeviceFiles(NicLines.NONE);
        HostReader host = new HostReader(name, read.log);
        read.only = host;
        for (Path file : files) {
            read.read(file);
        }
        read.add(host.device());
        return read;
    }

    /** Returns what was said while reading. */
    public ImportLog log() {
        return log;
    }

    /** Returns the switches and hosts that the files speak of. */
    public List<DeviceConfig> devices() {
        return List.copyOf(devices);
    }

    /** Looks at all devices together. */
    public void lint() {
        Lint.check(devices, log);
    }

    void read(Path file) throws IOException {
        String name = nameOf(file);
        List<String> lines = lines(file);
        String first = lines.stream()
                .map(String::strip)
                .filter(l -> !l.isEmpty())
                .findFirst()
                .orElse("");
        if (first.startsWith("{")) {
            String text = String.join("\n", lines);
            PlacedJson root = PlacedJson.parse(file.toString(), text);
            if (SpdkReader.knows(root)) {
                SpdkReader.read(file.toString(), text, root, log);
            } else {
                devices.add(SonicReader.read(file.toString(), name, text, log));
            }
            return;
        }
        ComwareReader comware = new ComwareReader(name, log);
        HostReader shared = only;
        HostReader host = shared == null ? new HostReader(name, log) : shared;
        CephOptions ceph = new CephOptions(host, log);
        ThreeFsOptions threefs = new ThreeFsOptions(host, log);
        SpdkLines spdk = new SpdkLines(log);
        ShellVariables variables = new ShellVariables();
        int number = 0;
        for (String text : lines) {
            number++;
            if (text.length() > LONGEST_LINE) {
                log.unknown(file.toString(), number, text.substring(0, SHOWN) + "...");
                continue;
            }
            ConfigLine line = ConfigLine.of(file.toString(), number, variables.expand(text));
            if (line.words().isEmpty()) {
                if (text.strip().equals("#")) {
                    comware.separator();
                }
            } else if (!spdk.read(line)
                    && !nic.read(line, log, host)
                    && !host.read(line)
                    && !threefs.read(line)
                    && !ceph.read(line)
                    && !comware.read(line)) {
                if (variables.sets(text)) {
                    log.begin(line.file(), number, line.text(), "shell");
                    log.effect("a variable of the script");
                } else {
                    log.unknown(line.file(), number, line.text());
                }
            }
        }
        comware.close();
        ceph.close();
        add(comware.device());
        if (shared == null) {
            add(host.device());
        }
    }

    private void add(@Nullable DeviceConfig device) {
        if (device != null) {
            devices.add(device);
        }
    }

    private static String nameOf(Path file) {
        Path last = file.getFileName();
        String name = last == null ? file.toString() : last.toString();
        int dot = name.lastIndexOf('.');
        return dot > 0 ? name.substring(0, dot) : name;
    }

    private static List<String> lines(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new ConfigurationException(file + ": a directory, expected a file");
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MOST_BYTES + 1);
        }
        if (bytes.length > MOST_BYTES) {
            throw new ConfigurationException(file + ": more than " + MOST_BYTES + " B: no configuration is so long");
        }
        try {
            CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            int begin = text.length() > 0 && text.charAt(0) == BYTE_ORDER_MARK ? 1 : 0;
            return text.subSequence(begin, text.length()).toString().lines().toList();
        } catch (CharacterCodingException e) {
            throw new ConfigurationException(file + ": not a text file in UTF-8");
        }
    }
}
