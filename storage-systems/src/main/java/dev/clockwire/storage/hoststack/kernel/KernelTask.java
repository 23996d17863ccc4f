package dev.clockwire.storage.hoststack.kernel;

/** A thread of a core: a program's, or a kworker's work. Ready ones take turns. */
public abstract class KernelTask {
    private final String name;
    boolean ready;
    /** When an interrupt was taken for it last. */
    long interruptedAt = Long.MIN_VALUE / 2;

    /** Creates a task that sleeps. */
    protected KernelTask(String name) {
        this.name = name;
    }

    /** Runs until it sleeps or has used its share; returns whether it wants to go on. */
    protected abstract boolean run();

    @Override
    public String toString() {
        return name;
    }
}
