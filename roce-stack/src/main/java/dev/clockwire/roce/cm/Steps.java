package dev.clockwire.roce.cm;

import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.VerbsException;

/** One control verb after the other. */
final class Steps {
    private Steps() {}

    /** Modifies a queue pair step by step, then runs what follows; the first failure ends {@code whole}. */
    static void modify(QueuePair qp, Completion<?> whole, Runnable then, QpAttributes... steps) {
        modify(qp, whole, then, 0, steps);
    }

    private static void modify(QueuePair qp, Completion<?> whole, Runnable then, int at, QpAttributes... steps) {
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
        step.whenDone(done -> modify(qp, whole, then, at + 1, steps));
    }
}
