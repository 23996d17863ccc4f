package dev.clockwire.sim.wave;

import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.error.Nearest;
import dev.clockwire.sim.export.VcdWriter;
import dev.clockwire.sim.export.WaveJson;
import dev.clockwire.sim.export.WaveRing;
import dev.clockwire.sim.trace.Signals;
import dev.clockwire.sim.trace.WaveSink;
import dev.clockwire.sim.trace.WaveSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The waves of one run: all channels, state machines and register banks of a subtree, written to a file as they happen or kept for the
 * last microseconds before a failure. Create it after building the design and before running it. Watching changes no result.
 */
public final class Waves implements WaveSink {
    private final Sim sim;
    private final Signals signals = new Signals();
    private final WaveRing initial;
    private @Nullable WaveSink sink;
    private @Nullable VcdWriter file;
    private @Nullable WaveRing ring;

    /**
     * Watches a subtree.
     *
     * @param scope hierarchical path of a scope, channel, state machine or bank, or its last names ({@code nic}, {@code nic.txMac}), which
     *     means all that are called so; empty for all
     */
    public Waves(Sim sim, String scope) {
        this.sim = sim;
        List<WaveSource> all = new ArrayList<>(sim.waveSources());
        sim.wires().forEach(w -> all.add(new ChannelWaves(w)));
        List<String> roots = scope.isEmpty() ? List.of() : resolve(scope, all);
        List<long[]> first = new ArrayList<>();
        sink = (signal, ps, value) -> first.add(new long[] {signal, value});
        for (WaveSource s : all) {
            if (scope.isEmpty() || roots.stream().anyMatch(root -> within(s.path(), root))) {
                s.trace(signals, this, sim.now());
            }
        }
        sink = null;
        initial = new WaveRing(signals, Long.MAX_VALUE, Math.max(1, first.size()));
        first.forEach(c -> initial.change((int) c[0], sim.now(), c[1]));
    }

    /**
     * Writes the changes of a window of time from now on.
     *
     * @param from start in ps
     * @param to end in ps, exclusive
     */
    public void writeTo(Appendable out, long from, long to) {
        VcdWriter w = new VcdWriter(signals, out, from, to);
        start(w);
        file = w;
    }

    /**
     * Samples a window at the edges of a clock, to be written as a timing diagram after the run.
     *
     * @param from time of the first edge in ps
     * @param period of the clock in ps
     * @param cycles 1 to {@link WaveJson#MOST_CYCLES}
     */
    public WaveJson sample(long from, long period, int cycles) {
        WaveJson diagram = new WaveJson(signals, from, period, cycles);
        start(diagram);
        return diagram;
    }

    /** Keeps the changes of the last {@code windowPs}, at most {@code capacity} of them, for {@link #dump}. */
    public void keep(long windowPs, int capacity) {
        WaveRing r = new WaveRing(signals, windowPs, capacity);
        start(r);
        ring = r;
    }

    /** Completes the file, after the run. */
    public void finish() {
        if (file == null) {
            throw new InvariantViolation("waves are finished without having been written");
        }
        file.finish(sim.now());
    }

    /** Writes what was kept, as {@link #writeTo} would have written that window; the run goes on or has failed. */
    public void dump(Appendable out) {
        if (ring == null) {
            throw new InvariantViolation("waves are dumped without having been kept");
        }
        VcdWriter w = new VcdWriter(signals, out, ring.sincePs(), Long.MAX_VALUE);
        ring.replay(w);
        w.finish(sim.now());
    }

    /** Returns how much of the window {@link #dump} has, in ps, if the changes kept do not fill it; negative if it has all. */
    public long shortPs() {
        WaveRing r = ring;
        return r != null && r.isShort() ? r.lastPs() - r.sincePs() : -1;
    }

    /** Returns the number of signals watched. */
    public int signals() {
        return signals.count();
    }

    @Override
    public void change(int signal, long ps, long value) {
        WaveSink s = sink;
        if (s != null) {
            s.change(signal, ps, value);
        }
    }

    private void start(WaveSink to) {
        if (sink != null) {
            throw new InvariantViolation("waves are started twice");
        }
        initial.replay(to);
        sink = to;
    }

    private static boolean within(String path, String root) {
        return path.equals(root) || path.startsWith(root + ".");
    }

    /** Finds the path, or leading part of one, that is called {@code scope}, or all that end with that name. */
    private static List<String> resolve(String scope, List<WaveSource> all) {
        TreeSet<String> nodes = new TreeSet<>();
        for (WaveSource s : all) {
            for (int dot = s.path().indexOf('.'); dot >= 0; dot = s.path().indexOf('.', dot + 1)) {
                nodes.add(s.path().substring(0, dot));
            }
            nodes.add(s.path());
        }
        if (nodes.contains(scope)) {
            return List.of(scope);
        }
        List<String> ends = nodes.stream().filter(n -> n.endsWith("." + scope)).toList();
        if (ends.isEmpty()) {
            throw new ConfigurationException("waves: there is no scope " + scope + hint(scope, nodes));
        }
        return ends;
    }

    private static String hint(String scope, Set<String> nodes) {
        TreeSet<String> ends = new TreeSet<>(nodes);
        TreeSet<String> tops = new TreeSet<>();
        for (String node : nodes) {
            tops.add(node.substring(0, (node + ".").indexOf('.')));
            for (int dot = node.indexOf('.'); dot >= 0; dot = node.indexOf('.', dot + 1)) {
                ends.add(node.substring(dot + 1));
            }
        }
        String nearest = Nearest.hint(scope, ends);
        return nearest.isEmpty() && !tops.isEmpty() ? "; at the top are " + String.join(", ", tops) : nearest;
    }
}
