package dev.clockwire.testkit;

import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.SimException;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.IncompleteExecutionException;

/** The life of one run: its parameters, its failure, and the comparison with the run before it. */
final class OneRun
        implements BeforeEachCallback,
                ParameterResolver,
                AfterTestExecutionCallback,
                TestExecutionExceptionHandler,
                LifecycleMethodExecutionExceptionHandler {
    private static final Namespace TRACES = Namespace.create(SimTestExtension.class);
    private static final int SHOWN = 3;
    private static final List<SimParameters> OTHERS =
            ServiceLoader.load(SimParameters.class, SimParameters.class.getClassLoader()).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();

    private final SimRun run;

    OneRun(SimRun run) {
        this.run = run;
    }

    /** What runs of one test are compared by. */
    private record Trace(String kernel, long hash, SortedMap<String, Long> points) {}

    /** What a run failed with. */
    private record Failed(String kernel, String message) {}

    @Override
    public void beforeEach(ExtensionContext context) {
        FailureFiles.clear(run.folder());
    }

    @Override
    public boolean supportsParameter(ParameterContext context, ExtensionContext test) {
        Class<?> type = context.getParameter().getType();
        return type == Sim.class
                || type == SimRun.class
                || (type == long.class && context.isAnnotated(Seed.class))
                || maker(context.getParameter()) != null;
    }

    @Override
    public Object resolveParameter(ParameterContext context, ExtensionContext test) {
        Class<?> type = context.getParameter().getType();
        SimParameters other = maker(context.getParameter());
        if (other != null) {
            return other.make(context.getParameter(), run);
        }
        if (type == SimRun.class) {
            return run;
        }
        if (type == long.class) {
            return run.seed();
        }
        Arrays.stream(context.getDeclaringExecutable().getParameters())
                .filter(p -> maker(p) != null)
                .findFirst()
                .ifPresent(p -> {
                    throw new ParameterResolutionException("a " + p.getType().getSimpleName()
                            + " has a simulation of its own: leave the Sim parameter out");
                });
        return run.once(Sim.class, () -> run.watch(new Sim(run.spec())));
    }

    private static @Nullable SimParameters maker(Parameter parameter) {
        return OTHERS.stream().filter(o -> o.supports(parameter)).findFirst().orElse(null);
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        throw explained(thrown, context);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        throw explained(thrown, context);
    }

    private Throwable explained(Throwable thrown, ExtensionContext context) {
        boolean ours = thrown instanceof IncompleteExecutionException || thrown instanceof VirtualMachineError;
        Throwable cause = thrown.getCause();
        boolean wrapped = thrown instanceof ParameterResolutionException && cause instanceof SimException;
        return ours
                ? thrown
                : failure(wrapped && cause != null ? cause : thrown, context); // the mistake, not where JUnit met it
    }

    /** What another kernel said before is not said again at length. */
    private SimTestFailure failure(Throwable thrown, ExtensionContext context) {
        Failed mine = new Failed(run.kernel(), String.valueOf(thrown.getMessage()));
        Failed first = context.getParent()
                .orElseThrow()
                .getStore(TRACES)
                .getOrComputeIfAbsent("failed", key -> mine, Failed.class);
        List<String> files = FailureFiles.write(run);
        boolean again = !first.kernel.equals(mine.kernel) && first.message.equals(mine.message);
        String text = again ? FailureText.again(thrown, run, files, first.kernel) : FailureText.of(thrown, run, files);
        return SimTestFailure.of(text, thrown, run.type());
    }

    @Override
    public void afterTestExecution(ExtensionContext context) throws Exception {
        if (run.watched().isEmpty() || context.getExecutionException().isPresent()) {
            return;
        }
        ExtensionContext.Store store = context.getParent().orElseThrow().getStore(TRACES);
        Trace mine = new Trace(run.kernel(), run.traceHash(), run.observations());
        Trace first = store.getOrComputeIfAbsent(context.getRequiredTestMethod(), m -> mine, Trace.class);
        if (first.hash != mine.hash) {
            AssertionError disagreement = new AssertionError(difference(first, mine));
            throw failure(disagreement, context);
        }
    }

    private static String difference(Trace a, Trace b) {
        TreeSet<String> names = new TreeSet<>(a.points.keySet());
        names.addAll(b.points.keySet());
        names.removeIf(n -> a.points.getOrDefault(n, 0L).equals(b.points.getOrDefault(n, 0L)));
        List<String> shown = names.stream().limit(SHOWN).toList();
        return String.format(
                "the kernel modes disagree: trace hash %016x %s, %016x %s. What a block or the test does depends on"
                        + " more than the design and its seed; %d observation points differ: %s%s",
                a.hash,
                a.kernel,
                b.hash,
                b.kernel,
                names.size(),
                String.join(", ", shown),
                names.size() > SHOWN ? ", ..." : "");
    }
}
