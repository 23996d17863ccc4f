package dev.clockwire.nic.doorbell;

import dev.clockwire.nic.format.Wqe;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/** A decoded doorbell on its way to the scheduler. */
public final class Doorbell extends Token {
    /** Queue pair. */
    public int qpn;
    /** Producer index in 64 B blocks, 16 bits; -1 if the doorbell record must be read. */
    public int producer;
    /** The WQE itself if it came by BlueFlame. */
    public @Nullable Wqe wqe;

    /** Creates an empty doorbell. */
    public Doorbell() {}

    @Override
    protected Doorbell copy() {
        Doorbell d = new Doorbell();
        d.qpn = qpn;
        d.producer = producer;
        d.wqe = wqe;
        return d;
    }
}
