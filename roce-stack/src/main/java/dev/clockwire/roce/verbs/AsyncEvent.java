package dev.clockwire.roce.verbs;

/**
 * Something that happened beside the completions ({@code ibv_async_event}).
 *
 * @param type what happened
 * @param number of the queue pair, completion queue, shared receive queue or port that is concerned
 */
public record AsyncEvent(AsyncEventType type, int number) {}
