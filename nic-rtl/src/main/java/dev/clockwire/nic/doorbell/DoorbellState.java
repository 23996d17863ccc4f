package dev.clockwire.nic.doorbell;

import dev.clockwire.nic.format.Wqe;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** The write being decoded and the BlueFlame buffer being filled. */
final class DoorbellState implements State {
    final byte[] bytes = new byte[Uar.BLUEFLAME_BYTES];
    int filled;
    long due;
    long errors;

    void begin() {
        filled = 0;
    }

    void add(byte[] block) {
        System.arraycopy(block, 0, bytes, filled, Wqe.BLOCK);
        filled += Wqe.BLOCK;
    }

    @Override
    public void save(Snapshot out) {
        out.putBytes(bytes, 0, bytes.length);
        out.putInt(filled);
        out.putLong(due);
        out.putLong(errors);
    }

    @Override
    public void load(Snapshot in) {
        in.getBytes(bytes, 0, bytes.length);
        filled = in.getInt();
        due = in.getLong();
        errors = in.getLong();
    }
}
