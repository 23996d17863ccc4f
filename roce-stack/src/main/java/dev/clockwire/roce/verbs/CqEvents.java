package dev.clockwire.roce.verbs;

import org.jspecify.annotations.Nullable;

/** Hands the events of one completion queue to its channel. */
final class CqEvents implements Runnable {
    @Nullable
    CompletionQueue queue;

    private final CompletionChannel channel;

    CqEvents(CompletionChannel channel) {
        this.channel = channel;
    }

    @Override
    public void run() {
        CompletionQueue of = queue;
        if (of != null) {
            channel.deliver(of);
        }
    }
}
