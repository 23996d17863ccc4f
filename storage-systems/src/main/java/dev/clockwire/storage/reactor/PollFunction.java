package dev.clockwire.storage.reactor;

/** What a poller does each time. */
@FunctionalInterface
public interface PollFunction {
    /**
     * Polls once, on the poller's thread; memory is as of the start of this call. It charges {@link Poller#cpu} for its work and, where
     * it can, says with {@link Poller#quiet} that polls like this one need not be simulated.
     *
     * @return more than 0 if there was work, 0 if not, a negated {@link Errno} if something failed; only the first counts as busy
     */
    int poll(Poller self);
}
