package dev.clockwire.roce.verbs;

import java.util.ArrayDeque;
import java.util.Deque;

/** Where the events of completion queues come out ({@code ibv_comp_channel}): one for each time a queue was armed and fired. */
public final class CompletionChannel {
    private final Deque<CompletionQueue> events = new ArrayDeque<>();
    private final Deque<Completion<CompletionQueue>> waiting = new ArrayDeque<>();

    /** Creates a channel. */
    public CompletionChannel() {}

    /**
     * Returns the queue of the next event, now or when it comes ({@code get_cq_event}). Each must be acknowledged with {@link
     * CompletionQueue#ackEvents}.
     */
    public Completion<CompletionQueue> cqEvent() {
        CompletionQueue next = events.poll();
        if (next != null) {
            next.eventTaken();
            return Completion.of(next);
        }
        Completion<CompletionQueue> wait = new Completion<>();
        waiting.add(wait);
        return wait;
    }

    void deliver(CompletionQueue queue) {
        Completion<CompletionQueue> first = waiting.poll();
        if (first != null) {
            queue.eventTaken();
            first.complete(queue);
        } else {
            events.add(queue);
        }
    }

    /** A queue is destroyed: its events that nobody took are gone. */
    void forget(CompletionQueue queue) {
        events.removeIf(of -> of == queue);
    }
}
