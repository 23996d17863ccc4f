package dev.clockwire.storage.hoststack.kernel;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** What a kernel has done on a core; copies are those by the core, not by devices. */
public final class KernelCounts implements State {
    long interrupts;
    long softirqs;
    long contextSwitches;
    long syscalls;
    long copies;
    long copiedBytes;
    long vainPs;

    KernelCounts() {}

    /** Returns the interrupts, timers' too. */
    public long interrupts() {
        return interrupts;
    }

    /** Returns the entries into softirqs. */
    public long softirqs() {
        return softirqs;
    }

    /** Returns the switches between threads, to and from idleness too. */
    public long contextSwitches() {
        return contextSwitches;
    }

    /** Returns the system calls. */
    public long syscalls() {
        return syscalls;
    }

    /** Returns the copies of data of I/Os, one for each piece. */
    public long copies() {
        return copies;
    }

    /** Returns the bytes that these had. */
    public long copiedBytes() {
        return copiedBytes;
    }

    /** Returns the time of polls of queues that found nothing, in ps. */
    public long vainPs() {
        return vainPs;
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(interrupts);
        out.putLong(softirqs);
        out.putLong(contextSwitches);
        out.putLong(syscalls);
        out.putLong(copies);
        out.putLong(copiedBytes);
        out.putLong(vainPs);
    }

    @Override
    public void load(Snapshot in) {
        interrupts = in.getLong();
        softirqs = in.getLong();
        contextSwitches = in.getLong();
        syscalls = in.getLong();
        copies = in.getLong();
        copiedBytes = in.getLong();
        vainPs = in.getLong();
    }
}
