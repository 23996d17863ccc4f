package dev.clockwire.testkit;

import org.opentest4j.AssertionFailedError;
import org.opentest4j.ValueWrapper;

/** What a {@link SimTest} failed with, and all that is needed to find out why. Trace, cause and values are those of the original. */
public final class SimTestFailure extends AssertionFailedError {
    private static final long serialVersionUID = 1L;

    private SimTestFailure(String text, Throwable original) {
        super(text, original.getCause());
        inherit(original);
    }

    private SimTestFailure(String text, AssertionFailedError original, ValueWrapper expected, ValueWrapper found) {
        super(text, expected, found, original.getCause());
        inherit(original);
    }

    static SimTestFailure of(String text, Throwable original) {
        return original instanceof AssertionFailedError e && e.isExpectedDefined() && e.isActualDefined()
                ? new SimTestFailure(text, e, e.getExpected(), e.getActual())
                : new SimTestFailure(text, original);
    }

    private void inherit(Throwable original) {
        setStackTrace(original.getStackTrace());
        for (Throwable suppressed : original.getSuppressed()) {
            addSuppressed(suppressed);
        }
    }
}
