package dev.clockwire.nvme.ctrl;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** All queues by their numbers; 0 is the admin pair. */
final class Queues implements State {
    private final SubmissionQueue[] submission;
    private final CompletionQueue[] completion;

    Queues(int ioQueues) {
        submission = new SubmissionQueue[ioQueues + 1];
        completion = new CompletionQueue[ioQueues + 1];
        for (int i = 0; i <= ioQueues; i++) {
            submission[i] = new SubmissionQueue(i);
            completion[i] = new CompletionQueue(i);
        }
    }

    int count() {
        return submission.length;
    }

    SubmissionQueue sq(int id) {
        return submission[id];
    }

    CompletionQueue cq(int id) {
        return completion[id];
    }

    boolean hasSq(int id) {
        return id < submission.length && submission[id].live;
    }

    boolean hasCq(int id) {
        return id < completion.length && completion[id].live;
    }

    /** Whether any I/O queue exists. */
    boolean anyIo() {
        for (int i = 1; i < submission.length; i++) {
            if (submission[i].live || completion[i].live) {
                return true;
            }
        }
        return false;
    }

    void closeAll() {
        for (int i = 0; i < submission.length; i++) {
            submission[i].live = false;
            submission[i].tail = submission[i].fetch;
            completion[i].live = false;
            completion[i].waiting.clear();
        }
    }

    @Override
    public void save(Snapshot out) {
        for (int i = 0; i < submission.length; i++) {
            submission[i].save(out);
            completion[i].save(out);
        }
    }

    @Override
    public void load(Snapshot in) {
        for (int i = 0; i < submission.length; i++) {
            submission[i].load(in);
            completion[i].load(in);
        }
    }
}
