package dev.clockwire.testkit;

import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.trace.TraceHash;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.platform.commons.support.AnnotationSupport;

/** One run of a {@link SimTest}: the parameters of its simulation, who is watched, and what a failure shows and leaves. */
public final class SimRun {
    private static final long MOST_CYCLES = 1_000_000_000_000L;

    private final Class<?> type;
    private final Method method;
    private final KernelMode mode;
    private final SimTest settings;
    private final long rootSeed;
    private final List<Watched> watched = new ArrayList<>();
    private final List<Section> sections = new ArrayList<>();
    private final List<Keep> kept = new ArrayList<>();
    private final Map<String, Object> made = new TreeMap<>();

    SimRun(Class<?> type, Method method, KernelMode mode, SimTest settings) {
        this.type = type;
        this.method = method;
        this.mode = mode;
        this.settings = settings;
        rootSeed = Repeat.rootSeed();
        if (settings.maxCycles() < 1 || settings.maxCycles() > MOST_CYCLES) {
            throw new ConfigurationException(
                    "maxCycles = " + settings.maxCycles() + " of @SimTest: must be 1 to " + MOST_CYCLES);
        }
    }

    /** Events of one kind that a failure shows. */
    record Section(String title, Supplier<List<SimEvent>> events) {}

    /** A file that a failure leaves. */
    record Keep(Artefact kind, String name, FileMaker maker) {}

    /** Writes a file. */
    @FunctionalInterface
    public interface FileMaker {
        /** Writes the whole file. */
        void write(Path file);
    }

    /** Returns the seed of this test: another test draws other numbers, the same test always the same. */
    public long seed() {
        return RandomStream.mix(rootSeed + RandomStream.hash(type.getName() + "#" + method.getName()));
    }

    /** Returns what a simulation of this run is made from: the test's seed, the run's kernel, every channel observed. */
    public SimSpec spec() {
        return SimSpec.of(seed()).withFullHash(true).withMode(mode).withChecked(mode == KernelMode.ACTIVITY);
    }

    /**
     * Watches a simulation that the test, or another kit, has made from {@link #spec}: it is limited, a failure tells of it, and its trace
     * must be the same in all kernels. Call it before the simulation runs.
     */
    public Sim watch(Sim sim) {
        watched.add(new Watched(sim, settings.maxCycles(), wants(Artefact.WAVES)));
        return sim;
    }

    /** Returns what was made under this name before in this run, or makes it: two parameters of one type are the same object. */
    public <T> T once(Class<T> what, Supplier<T> maker) {
        Object known = made.get(what.getName());
        if (known == null) {
            known = maker.get();
            made.put(what.getName(), known);
        }
        return what.cast(known);
    }

    /** Returns an annotation of the test's method, or else of its class. */
    public <A extends Annotation> Optional<A> annotation(Class<A> what) {
        Optional<A> own = AnnotationSupport.findAnnotation(method, what);
        return own.isPresent() ? own : AnnotationSupport.findAnnotation(type, what);
    }

    /**
     * Lets a failure show the last events of another kind than words in channels.
     *
     * @param title what they are, one word
     * @param events by time; asked for after the failure
     */
    public void shows(String title, Supplier<List<SimEvent>> events) {
        sections.add(new Section(title, events));
    }

    /** Lets a failure leave another file if the test wants that kind. */
    public void keeps(Artefact kind, String name, FileMaker maker) {
        kept.add(new Keep(kind, name, maker));
    }

    Class<?> type() {
        return type;
    }

    long maxCycles() {
        return settings.maxCycles();
    }

    boolean wants(Artefact what) {
        return List.of(settings.onFailure()).contains(what);
    }

    List<Watched> watched() {
        return watched;
    }

    List<Section> sections() {
        return sections;
    }

    List<Keep> kept() {
        return kept;
    }

    /** Returns the name of the kernel. */
    String kernel() {
        return mode.name().toLowerCase(Locale.ROOT);
    }

    /** Returns the one command that repeats the test with the same seed. */
    public String command() {
        return Repeat.command(type, method, rootSeed);
    }

    /** Returns the seeds for people. */
    String seeds() {
        return rootSeed + " for all tests (-D" + Repeat.SEED + "), so 0x" + Long.toHexString(seed()) + " for this one";
    }

    /** Returns where the artefacts of this run lie. */
    Path folder() {
        return Repeat.module().resolve(Path.of("target", "simtest", type.getName(), method.getName(), kernel()));
    }

    /** Returns the digest of all that was watched. */
    long traceHash() {
        long h = 0;
        for (int i = 0; i < watched.size(); i++) {
            h = TraceHash.combine(h, "" + i, watched.get(i).sim.traceHash(), 0);
        }
        return h;
    }

    /** Returns the digests of all observation points of all that was watched. */
    SortedMap<String, Long> observations() {
        SortedMap<String, Long> all = new TreeMap<>();
        for (int i = 0; i < watched.size(); i++) {
            String prefix = watched.size() == 1 ? "" : i + ":";
            watched.get(i).sim.observations().forEach((path, digest) -> all.put(prefix + path, digest));
        }
        return all;
    }
}
