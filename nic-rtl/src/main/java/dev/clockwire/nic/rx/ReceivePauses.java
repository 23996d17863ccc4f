package dev.clockwire.nic.rx;

import dev.clockwire.nic.profile.CongestionSpec;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** What each class has in the receive buffer, and which of them the sender was asked not to send. */
final class ReceivePauses implements State {
    private static final int CLASS_SHIFT = 3;

    private final CongestionSpec spec;
    private final int[] bytes = new int[PauseFrame.CLASSES];
    /** Bit n: class n is held. */
    private int held;
    /** A timer that says it again runs. */
    boolean refreshing;

    ReceivePauses(CongestionSpec spec) {
        this.spec = spec;
    }

    private int placeOf(int dscp) {
        return spec.wholeLink() ? 0 : dscp >> CLASS_SHIFT;
    }

    /** Takes bytes in; returns the classes that must be stopped now, bit n for class n. */
    int arrived(int dscp, int count) {
        int c = placeOf(dscp);
        bytes[c] += count;
        int bit = 1 << c;
        boolean stops = bytes[c] > spec.xoffBytes() && (spec.paused() & bit) != 0 && (held & bit) == 0;
        held |= stops ? bit : 0;
        return stops ? bit : 0;
    }

    /** Lets bytes out; returns the classes that may go on, bit n for class n. */
    int left(int dscp, int count) {
        int c = placeOf(dscp);
        bytes[c] -= count;
        int bit = 1 << c;
        boolean resumes = (held & bit) != 0 && bytes[c] <= spec.xonBytes();
        held &= resumes ? ~bit : -1;
        return resumes ? bit : 0;
    }

    int held() {
        return held;
    }

    @Override
    public void save(Snapshot out) {
        for (int n : bytes) {
            out.putInt(n);
        }
        out.putInt(held);
        out.putBoolean(refreshing);
    }

    @Override
    public void load(Snapshot in) {
        for (int c = 0; c < bytes.length; c++) {
            bytes[c] = in.getInt();
        }
        held = in.getInt();
        refreshing = in.getBoolean();
    }
}
