package dev.clockwire.testkit;

import java.util.Arrays;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.ValueWrapper;

/**
 * What a {@link SimTest} failed with, and all that is needed to find out why. Cause and values are those of the original, and the trace as
 * far as the test: what called it is JUnit's business.
 */
public final class SimTestFailure extends AssertionFailedError {
    private static final long serialVersionUID = 1L;

    private SimTestFailure(String text, Throwable original) {
        super(text, original.getCause());
    }

    private SimTestFailure(String text, AssertionFailedError original, ValueWrapper expected, ValueWrapper found) {
        super(text, expected, found, original.getCause());
    }

    /** Returns the failure of a test of a class. */
    static SimTestFailure of(String text, Throwable original, Class<?> test) {
        SimTestFailure failure =
                original instanceof AssertionFailedError e && e.isExpectedDefined() && e.isActualDefined()
                        ? new SimTestFailure(text, e, e.getExpected(), e.getActual())
                        : new SimTestFailure(text, original);
        failure.inherit(original, test.getName());
        return failure;
    }

    private void inherit(Throwable original, String test) {
        StackTraceElement[] trace = original.getStackTrace();
        int end = trace.length;
        while (end > 0 && !trace[end - 1].getClassName().equals(test)) {
            end--;
        }
        setStackTrace(end == 0 ? trace : Arrays.copyOf(trace, end));
        for (Throwable suppressed : original.getSuppressed()) {
            addSuppressed(suppressed);
        }
    }
}
