package dev.clockwire.nvme.media;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * One number of a medium that a user can replace.
 *
 * @param path as typed, {@code ssd.units}
 * @param unit of what is typed
 * @param scale of the medium's own unit in that
 * @param min smallest value
 * @param max largest value
 * @param meaning one sentence
 * @param optane where the numbers of p5800x and p4800x come from, with confidence
 * @param flash where those of pm9a3 come from
 * @param value the medium's
 * @param change makes a medium with another value, in its own unit
 */
public record MediaParameter(
        String path,
        String unit,
        long scale,
        long min,
        long max,
        String meaning,
        String optane,
        String flash,
        ToLongFunction<MediaSpec> value,
        Change change) {
    private static final long NS = 1000;
    private static final long MB = 1_000_000;
    private static final String FIT = "B: fits the published latency one at a time with the way to the host beside it";
    private static final String GUESS = "C: a guess that gives the published saturation";

    private static final List<MediaParameter> ALL = List.of(
            new MediaParameter(
                    "ssd.pipeline_ns",
                    "ns",
                    NS,
                    0,
                    1_000_000,
                    "A command in the controller's pipeline, one at a time",
                    "A: one over the published rate of small reads (spdk.io 2021, AnandTech)",
                    "B: one over the vendor's rate of reads",
                    MediaSpec::pipelinePs,
                    (s, x) -> copy(s, x, s.units(), s.readPs(), s.writePs(), s.linkRate(), s.fixedPs(), s.buffer())),
            new MediaParameter(
                    "ssd.units",
                    "",
                    1,
                    1,
                    4096,
                    "Units that work beside each other",
                    FIT,
                    GUESS,
                    MediaSpec::units,
                    (s, x) -> copy(
                            s,
                            s.pipelinePs(),
                            (int) x,
                            s.readPs(),
                            s.writePs(),
                            s.linkRate(),
                            s.fixedPs(),
                            s.buffer())),
            new MediaParameter(
                    "ssd.read_ns",
                    "ns",
                    NS,
                    0,
                    1_000_000_000,
                    "A unit reads a piece",
                    FIT,
                    GUESS,
                    MediaSpec::readPs,
                    (s, x) ->
                            copy(s, s.pipelinePs(), s.units(), x, s.writePs(), s.linkRate(), s.fixedPs(), s.buffer())),
            new MediaParameter(
                    "ssd.write_ns",
                    "ns",
                    NS,
                    0,
                    1_000_000_000,
                    "A unit writes a piece, without a write buffer",
                    "C: as a read, which Optane's writes are near",
                    "C: not used",
                    MediaSpec::writePs,
                    (s, x) -> copy(s, s.pipelinePs(), s.units(), s.readPs(), x, s.linkRate(), s.fixedPs(), s.buffer())),
            new MediaParameter(
                    "ssd.link_mb_s",
                    "MB/s",
                    MB,
                    0,
                    1_000_000,
                    "Link between units and controller; 0 = it takes no time",
                    "A: the published rate of large reads",
                    "B: the vendor's rate of sequential reads",
                    MediaSpec::linkRate,
                    (s, x) -> copy(s, s.pipelinePs(), s.units(), s.readPs(), s.writePs(), x, s.fixedPs(), s.buffer())),
            new MediaParameter(
                    "ssd.fixed_ns",
                    "ns",
                    NS,
                    0,
                    1_000_000_000,
                    "On top of every command",
                    FIT,
                    GUESS,
                    MediaSpec::fixedPs,
                    (s, x) -> copy(s, s.pipelinePs(), s.units(), s.readPs(), s.writePs(), s.linkRate(), x, s.buffer())),
            new MediaParameter(
                    "ssd.program_ns",
                    "ns",
                    NS,
                    1,
                    1_000_000_000,
                    "A unit programs what its write buffer gives it at a time",
                    "not used",
                    "B: the vendor's rate of sequential writes",
                    s -> s.buffer().programPs(),
                    (s, x) -> s.withBuffer(new WriteBufferSpec(
                            s.buffer().bytes(),
                            s.buffer().programBytes(),
                            x,
                            s.buffer().suspendPs()))),
            new MediaParameter(
                    "ssd.suspend_ns",
                    "ns",
                    NS,
                    0,
                    1_000_000_000,
                    "A read stops a program within this time; 0 = it waits for its end",
                    "not used",
                    "C: off; MQSim has 100 us",
                    s -> s.buffer().suspendPs(),
                    (s, x) -> s.withBuffer(new WriteBufferSpec(
                            s.buffer().bytes(),
                            s.buffer().programBytes(),
                            s.buffer().programPs(),
                            x))));

    /** Makes a medium with another value. */
    @FunctionalInterface
    public interface Change {
        /** Returns the medium. */
        MediaSpec with(MediaSpec of, long value);
    }

    private static MediaSpec copy(
            MediaSpec s,
            long pipelinePs,
            int units,
            long readPs,
            long writePs,
            long linkRate,
            long fixedPs,
            WriteBufferSpec buffer) {
        return new MediaSpec(
                s.name(),
                pipelinePs,
                units,
                s.pieceBytes(),
                readPs,
                writePs,
                s.unitRate(),
                linkRate,
                fixedPs,
                buffer,
                s.gc());
    }

    /** Returns why a medium does not use the number, as the end of a sentence; empty if it does. */
    public String withoutEffect(MediaSpec of) {
        boolean buffered = of.buffer().bytes() > 0;
        return switch (path) {
            case "ssd.read_ns" -> of.units() == 0 ? of.name() + " has no units" : "";
            case "ssd.write_ns" ->
                of.units() == 0
                        ? of.name() + " has no units"
                        : buffered ? of.name() + " has a write buffer, which ssd.program_ns empties" : "";
            case "ssd.program_ns", "ssd.suspend_ns" -> buffered ? "" : of.name() + " has no write buffer";
            default -> "";
        };
    }

    /** Returns the value that a medium has, in the unit of what is typed. */
    public long typed(MediaSpec of) {
        return value.applyAsLong(of) / scale;
    }

    /** Returns all of them. */
    public static List<MediaParameter> all() {
        return ALL;
    }

    /**
     * Returns a medium with one number replaced.
     *
     * @param path of the parameter
     * @param text a whole number in its unit
     * @throws ConfigurationException if there is no such parameter, naming the nearest, or the number is out of range
     */
    public static MediaSpec replace(MediaSpec of, String path, String text) {
        for (MediaParameter p : ALL) {
            if (p.path.equals(path)) {
                return p.change.with(of, p.parse(text) * p.scale);
            }
        }
        throw new ConfigurationException("unknown parameter " + path
                + Nearest.hint(path, ALL.stream().map(MediaParameter::path).toList()));
    }

    private long parse(String text) {
        boolean digits = text.matches("\\d{1,18}");
        if (!digits || Long.parseLong(text) < min || Long.parseLong(text) > max) {
            throw new ConfigurationException(path + "=" + text + ": allowed is a whole number from " + min + " to "
                    + max + (unit.isEmpty() ? "" : " " + unit));
        }
        return Long.parseLong(text);
    }
}
