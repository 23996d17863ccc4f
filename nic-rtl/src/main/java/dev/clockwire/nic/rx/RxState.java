package dev.clockwire.nic.rx;

import dev.clockwire.nic.stage.TokenQueue;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** Packets inside the receiver's pipeline, and its drop counters. */
final class RxState implements State {
    final TokenQueue<RocePacket> pipe = new TokenQueue<>();
    long nextEntry;
    long icrcErrors;
    long wrongQp;
    long wrongVersion;
    long wrongPkey;
    long wrongQkey;
    long wrongState;
    long wrongAddress;
    long wrongRoce;
    /** Notifications of congestion that nobody takes. */
    long cnpIgnored;

    long overruns;
    /** Bytes in the buffer. */
    long bytes;
    /** The sender is being held. */
    boolean paused;

    long pauses;
    /** There is no link. */
    boolean linkDown;

    @Override
    public void save(Snapshot out) {
        pipe.save(out);
        out.putLong(nextEntry);
        out.putLong(icrcErrors);
        out.putLong(wrongQp);
        out.putLong(wrongVersion);
        out.putLong(wrongPkey);
        out.putLong(wrongQkey);
        out.putLong(wrongState);
        out.putLong(wrongAddress);
        out.putLong(wrongRoce);
        out.putLong(cnpIgnored);
        out.putLong(overruns);
        out.putLong(bytes);
        out.putBoolean(paused);
        out.putLong(pauses);
        out.putBoolean(linkDown);
    }

    @Override
    public void load(Snapshot in) {
        pipe.load(in);
        nextEntry = in.getLong();
        icrcErrors = in.getLong();
        wrongQp = in.getLong();
        wrongVersion = in.getLong();
        wrongPkey = in.getLong();
        wrongQkey = in.getLong();
        wrongState = in.getLong();
        wrongAddress = in.getLong();
        wrongRoce = in.getLong();
        cnpIgnored = in.getLong();
        overruns = in.getLong();
        bytes = in.getLong();
        paused = in.getBoolean();
        pauses = in.getLong();
        linkDown = in.getBoolean();
    }
}
