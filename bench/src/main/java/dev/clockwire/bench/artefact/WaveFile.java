package dev.clockwire.bench.artefact;

import dev.clockwire.sim.Sim;
import dev.clockwire.sim.export.AtomicFile;
import dev.clockwire.sim.wave.Waves;
import java.math.BigDecimal;
import java.nio.file.Path;

/** The waves of one run in their file: a window as it happens, or a ring when the run has ended. */
final class WaveFile implements AutoCloseable {
    /** Most changes that a ring keeps: 40 MB. */
    static final int RING_CHANGES = 1 << 21;

    private final Sim sim;
    private final WaveChoice choice;
    private final Waves waves;
    private final AtomicFile file;

    /**
     * Starts to watch.
     *
     * @param remark in one line, where the waves come from
     */
    WaveFile(Sim sim, Path path, WaveChoice choice, String remark) {
        this.sim = sim;
        this.choice = choice;
        waves = new Waves(sim, choice.scope());
        file = new AtomicFile(path);
        file.print("$comment " + remark.replace("$end", "$ end") + " $end\n");
        if (isRing()) {
            waves.keep(choice.ringPs(), RING_CHANGES);
        } else {
            waves.writeTo(file.writer(), choice.fromPs(), choice.toPs());
        }
    }

    boolean isRing() {
        return choice.ringPs() > 0;
    }

    /** Completes the file; the run has ended, well or not. */
    void finish() {
        if (isRing()) {
            waves.dump(file.writer());
        } else {
            waves.finish();
        }
        file.commit();
    }

    /** Returns what is not in the file, empty if it has what was asked for. */
    String remark() {
        long kept = waves.shortPs();
        if (kept >= 0) {
            return "waves.vcd has the last " + us(kept) + " of the " + us(choice.ringPs())
                    + " of --ring: more than the " + RING_CHANGES
                    + " changes that are kept; --waves SCOPE watches fewer signals";
        }
        return choice.fromPs() > sim.now()
                ? "waves.vcd has no changes: its window begins at " + us(choice.fromPs()) + ", the run ended at "
                        + us(sim.now())
                : "";
    }

    private static String us(long ps) {
        return BigDecimal.valueOf(ps, 6).stripTrailingZeros().toPlainString() + " us";
    }

    @Override
    public void close() {
        file.close();
    }
}
