package dev.clockwire.testkit;

import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.random.RandomStream;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** Runs a {@link SimTest} in both kernel modes and compares the traces. */
public final class SimTestExtension implements TestTemplateInvocationContextProvider {
    private static final String SEED_PROPERTY = "clockwire.seed";
    private static final Namespace HASHES = Namespace.create(SimTestExtension.class);

    /** Created by JUnit. */
    public SimTestExtension() {}

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        return Stream.of(KernelMode.values()).map(Invocation::new);
    }

    /** Returns the seed of a test: another test draws other numbers, the same test always the same. */
    static long seed(ExtensionContext context) {
        long root = Long.getLong(SEED_PROPERTY, 1);
        String id = context.getRequiredTestClass().getName() + "#"
                + context.getRequiredTestMethod().getName();
        return RandomStream.mix(root + RandomStream.hash(id));
    }

    private record Invocation(KernelMode mode) implements TestTemplateInvocationContext {
        @Override
        public String getDisplayName(int index) {
            return mode.name().toLowerCase(Locale.ROOT);
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(new OneRun(mode));
        }
    }

    /** The simulation of one run, and the comparison after it. */
    private static final class OneRun implements ParameterResolver, AfterTestExecutionCallback {
        private final KernelMode mode;
        private @Nullable Sim sim;

        OneRun(KernelMode mode) {
            this.mode = mode;
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Sim.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            SimSpec spec = SimSpec.of(seed(context)).withFullHash(true).withMode(mode);
            Sim made = new Sim(spec.withChecked(mode == KernelMode.ACTIVITY));
            SimTest test = context.getRequiredTestMethod().getAnnotation(SimTest.class);
            if (test != null) {
                made.limit(test.limitNs() * 1000);
            }
            sim = made;
            return made;
        }

        @Override
        public void afterTestExecution(ExtensionContext context) {
            Sim s = sim;
            if (s == null || context.getExecutionException().isPresent()) {
                return;
            }
            ExtensionContext.Store store = context.getParent().orElseThrow().getStore(HASHES);
            Long other = store.get(context.getRequiredTestMethod(), Long.class);
            store.put(context.getRequiredTestMethod(), s.traceHash());
            if (other != null && other != s.traceHash()) {
                throw new AssertionError(String.format(
                        "the kernel modes disagree: trace hash %016x, in %s mode %016x; repeat with -D%s=%d",
                        other, mode, s.traceHash(), SEED_PROPERTY, Long.getLong(SEED_PROPERTY, 1)));
            }
        }
    }
}
