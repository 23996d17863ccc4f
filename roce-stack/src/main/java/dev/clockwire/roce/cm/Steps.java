package dev.clockwire.roce.cm;

import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.VerbsException;
import java.util.function.BooleanSupplier;

/** One control verb after the other. */
final class Steps {
    private Steps() {}

    /** Modifies a queue pair step by step, then runs what follows; the first failure ends {@code whole}. */
    static void modify(QueuePair qp, Completion<?> whole, Runnable then, QpAttributes... steps) {
        modify(qp, whole, () -> true, then, 0, steps);
    }

    /**
     * The same, of which somebody may want no more.
     *
     * @param goesOn asked behind each step: whether there is to be another, and what follows
     */
    static void modify(
            QueuePair qp, Completion<?> whole, BooleanSupplier goesOn, Runnable then, QpAttributes... steps) {
        modify(qp, whole, goesOn, then, 0, steps);
    }

    private static void modify(
            QueuePair qp, Completion<?> whole, BooleanSupplier goesOn, Runnable then, int at, QpAttributes... steps) {
        if (at > 0 && !goesOn.getAsBoolean()) {
            return;
        }
        if (at == steps.length) {
            then.run();
            return;
        }
        Completion<QueuePair> step;
        try {
            step = qp.modify(steps[at]);
        } catch (VerbsException gone) { // its device has failed between two steps
            whole.fail(gone);
            return;
        }
        step.whenFailed(whole::fail);
        step.whenDone(done -> modify(qp, whole, goesOn, then, at + 1, steps));
    }
}
