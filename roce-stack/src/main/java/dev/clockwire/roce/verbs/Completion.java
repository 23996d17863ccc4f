package dev.clockwire.roce.verbs;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The end of a control verb, at some time of the simulation. Nothing here blocks: run the simulation until {@link #isDone}, or
 * leave a listener. Listeners run in the step that completes it.
 *
 * @param <T> what the verb gives
 */
public final class Completion<T> {
    private final List<Consumer<? super T>> listeners = new ArrayList<>();
    private final List<Consumer<? super VerbsException>> errorListeners = new ArrayList<>();
    private @Nullable T value;
    private @Nullable VerbsException failure;

    /** Creates a completion that is not done. */
    public Completion() {}

    /** Returns a completion that is done. */
    public static <T> Completion<T> of(T value) {
        Completion<T> done = new Completion<>();
        done.complete(value);
        return done;
    }

    /** Tells whether the verb has ended, well or not. */
    public boolean isDone() {
        return value != null || failure != null;
    }

    /** Tells whether the verb has ended with an error. */
    public boolean isFailed() {
        return failure != null;
    }

    /**
     * Returns what the verb gave.
     *
     * @throws VerbsException if the verb failed
     * @throws ConfigurationException if it has not ended
     */
    public T get() {
        if (failure != null) {
            throw failure;
        }
        if (value == null) {
            throw new ConfigurationException("the verb has not ended yet: run the simulation until it has");
        }
        return value;
    }

    /** Calls the listener when the verb has ended well; at once if it has already. */
    public void whenDone(Consumer<? super T> listener) {
        if (value != null) {
            listener.accept(value);
        } else {
            listeners.add(listener);
        }
    }

    /** Calls the listener when the verb has failed; at once if it has already. */
    public void whenFailed(Consumer<? super VerbsException> listener) {
        if (failure != null) {
            listener.accept(failure);
        } else {
            errorListeners.add(listener);
        }
    }

    /** Returns a completion that gives something made of what this one gives, and fails as this one fails. */
    public <R> Completion<R> map(Function<? super T, ? extends R> function) {
        Completion<R> mapped = new Completion<>();
        whenDone(x -> mapped.complete(function.apply(x)));
        whenFailed(mapped::fail);
        return mapped;
    }

    /** Ends the verb well: for providers. */
    public void complete(T result) {
        end();
        value = result;
        listeners.forEach(listener -> listener.accept(result));
    }

    /** Ends the verb with an error: for providers. */
    public void fail(VerbsException error) {
        end();
        failure = error;
        errorListeners.forEach(listener -> listener.accept(error));
    }

    private void end() {
        if (isDone()) {
            throw new InvariantViolation("a verb ended twice");
        }
    }
}
