package dev.clockwire.testkit;

import dev.clockwire.sim.KernelMode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/** Runs a {@link SimTest} once for each kernel. */
public final class SimTestExtension implements TestTemplateInvocationContextProvider {
    /** Created by JUnit. */
    public SimTestExtension() {}

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        SimTest settings = AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), SimTest.class)
                .orElseThrow();
        return Arrays.stream(settings.modes())
                .distinct()
                .map(mode -> new Invocation(
                        mode,
                        new SimRun(context.getRequiredTestClass(), context.getRequiredTestMethod(), mode, settings)));
    }

    private record Invocation(KernelMode mode, SimRun run) implements TestTemplateInvocationContext {
        @Override
        public String getDisplayName(int index) {
            return mode.name().toLowerCase(Locale.ROOT);
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(new OneRun(run));
        }
    }
}
