package dev.clockwire.nic.doorbell;

import dev.clockwire.nic.format.Wqe;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.List;

/** The write being decoded, and for each queue pair the BlueFlame WQE being put together: cores may send theirs at once. */
final class DoorbellState implements State {
    private final List<Piece> pieces = new ArrayList<>();
    long due;
    long errors;
    /** Queue pair of an interleaved WQE whose doorbell is still to be rung; -1 if there is none. */
    int owed = -1;

    /** What has come of one BlueFlame WQE. */
    static final class Piece {
        final byte[] bytes = new byte[Uar.BLUEFLAME_BYTES];
        int filled;
        /** Bytes of interleaved WQEs that are still to come: nobody can tell whose they are, so they are thrown away. */
        int mixed;
        /** When the last of it came. */
        long lastPs;

        void begin() {
            filled = 0;
        }

        void add(byte[] block) {
            System.arraycopy(block, 0, bytes, filled, Wqe.BLOCK);
            filled += Wqe.BLOCK;
        }
    }

    Piece piece(int q) {
        while (q >= pieces.size()) {
            pieces.add(new Piece());
        }
        return pieces.get(q);
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(pieces.size());
        for (int i = 0; i < pieces.size(); i++) {
            Piece p = pieces.get(i);
            out.putBytes(p.bytes, 0, p.bytes.length);
            out.putInt(p.filled);
            out.putInt(p.mixed);
            out.putLong(p.lastPs);
        }
        out.putLong(due);
        out.putLong(errors);
        out.putInt(owed);
    }

    @Override
    public void load(Snapshot in) {
        pieces.clear();
        for (int n = in.getInt(), q = 0; q < n; q++) {
            Piece p = piece(q);
            in.getBytes(p.bytes, 0, p.bytes.length);
            p.filled = in.getInt();
            p.mixed = in.getInt();
            p.lastPs = in.getLong();
        }
        due = in.getLong();
        errors = in.getLong();
        owed = in.getInt();
    }
}
