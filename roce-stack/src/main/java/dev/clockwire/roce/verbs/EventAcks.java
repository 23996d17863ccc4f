package dev.clockwire.roce.verbs;

import java.util.ArrayList;
import java.util.List;

/** The events beside the completions that a program was given and has not acknowledged: their objects cannot be destroyed. */
final class EventAcks {
    private final List<AsyncEvent> open = new ArrayList<>();
    private final List<Waiting> waiting = new ArrayList<>();

    private record Waiting(AsyncEventType.Subject subject, int number, Runnable then) {}

    EventAcks() {}

    void taken(AsyncEvent event) {
        open.add(event);
    }

    void acknowledged(AsyncEvent event) {
        if (!open.remove(event)) {
            throw new VerbsException(Errno.EINVAL, "ack_async_event", event + " is not open");
        }
        for (Waiting w : List.copyOf(waiting)) {
            if (isFree(w.subject, w.number)) {
                waiting.remove(w);
                w.then.run();
            }
        }
    }

    /** Runs something when no event of an object is open, which may be now. */
    void whenAcknowledged(AsyncEventType.Subject subject, int number, Runnable then) {
        if (isFree(subject, number)) {
            then.run();
        } else {
            waiting.add(new Waiting(subject, number, then));
        }
    }

    private boolean isFree(AsyncEventType.Subject subject, int number) {
        for (AsyncEvent event : open) {
            if (event.number() == number && event.type().subject() == subject) {
                return false;
            }
        }
        return true;
    }
}
