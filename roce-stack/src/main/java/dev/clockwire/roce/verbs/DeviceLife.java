package dev.clockwire.roce.verbs;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** For providers: how often a device has failed, and whether its driver has started it anew since. */
public final class DeviceLife implements State {
    private int failures;
    private boolean absent;

    /** Creates the life of a device that is there. */
    public DeviceLife() {}

    /** The device has failed; returns how often by now. */
    public int failed() {
        absent = true;
        return ++failures;
    }

    /** The driver has started the device anew, behind one of its failures: it is there unless it has failed again. */
    public void started(int failure) {
        absent = absent && failure != failures;
    }

    /** Returns whether the device can be opened. */
    public boolean isPresent() {
        return !absent;
    }

    /** Returns how often it has failed: what was opened when it was fewer is lost. */
    public int failures() {
        return failures;
    }

    /** Returns why a verb fails that was asked of a device opened before its last failure. */
    public static VerbsException lost(String verb, String device) {
        return new VerbsException(Errno.EIO, verb, device + " has failed: it must be opened again when it is back");
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(failures);
        out.putBoolean(absent);
    }

    @Override
    public void load(Snapshot in) {
        failures = in.getInt();
        absent = in.getBoolean();
    }
}
