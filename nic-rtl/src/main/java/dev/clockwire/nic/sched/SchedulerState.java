package dev.clockwire.nic.sched;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/** Per send queue: what was announced, what was fetched, what is on its way; and who may go next. */
final class SchedulerState implements State {
    int[] producer = new int[16];
    int[] fetched = new int[16];
    int[] ahead = new int[16];
    boolean[] busy = new boolean[16];
    boolean[] record = new boolean[16];
    /** Whether somebody wants to know when all that is posted has been read. */
    boolean[] closing = new boolean[16];
    /** Index behind the last block that was read. */
    int[] handed = new int[16];

    boolean[] whole = new boolean[16];
    /** Of queues whose sends others release: what was posted, what was released, and whether it does not matter. */
    int[] posted = new int[16];

    int[] enabled = new int[16];
    boolean[] open = new boolean[16];
    /** When each queue got ready, in ps, and the fetches issued by then. */
    long[] readyAt = new long[16];

    long[] issuedThen = new long[16];
    long issued;
    /** Where the WQEs begin that each queue heard of last, and when, in ps. */
    int[] newest = new int[16];

    long[] newestAt = new long[16];
    final QpArbiter ready;

    SchedulerState(QpArbiter ready) {
        this.ready = ready;
    }

    /** Makes room for a queue's slot. */
    void ensure(int q) {
        if (q < producer.length) {
            return;
        }
        resize(Math.max(q + 1, 2 * producer.length));
    }

    private void resize(int n) {
        producer = Arrays.copyOf(producer, n);
        fetched = Arrays.copyOf(fetched, n);
        ahead = Arrays.copyOf(ahead, n);
        busy = Arrays.copyOf(busy, n);
        record = Arrays.copyOf(record, n);
        closing = Arrays.copyOf(closing, n);
        handed = Arrays.copyOf(handed, n);
        whole = Arrays.copyOf(whole, n);
        posted = Arrays.copyOf(posted, n);
        enabled = Arrays.copyOf(enabled, n);
        open = Arrays.copyOf(open, n);
        readyAt = Arrays.copyOf(readyAt, n);
        issuedThen = Arrays.copyOf(issuedThen, n);
        newest = Arrays.copyOf(newest, n);
        newestAt = Arrays.copyOf(newestAt, n);
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(producer.length);
        ready.save(out);
        out.putLongs(readyAt);
        out.putLongs(issuedThen);
        out.putLong(issued);
        out.putLongs(newestAt);
        for (int q = 0; q < producer.length; q++) {
            out.putInt(producer[q]);
            out.putInt(fetched[q]);
            out.putInt(ahead[q]);
            int flags = (busy[q] ? 1 : 0) | (record[q] ? 2 : 0) | (whole[q] ? 4 : 0) | (open[q] ? 8 : 0);
            out.putInt(flags | (closing[q] ? 16 : 0));
            out.putInt(handed[q]);
            out.putInt(posted[q]);
            out.putInt(enabled[q]);
            out.putInt(newest[q]);
        }
    }

    @Override
    public void load(Snapshot in) {
        int n = in.getInt();
        resize(n); // a run may go back to a time when there were fewer
        ready.load(in);
        in.getLongs(readyAt);
        in.getLongs(issuedThen);
        issued = in.getLong();
        in.getLongs(newestAt);
        for (int q = 0; q < n; q++) {
            producer[q] = in.getInt();
            fetched[q] = in.getInt();
            ahead[q] = in.getInt();
            int flags = in.getInt();
            busy[q] = (flags & 1) != 0;
            record[q] = (flags & 2) != 0;
            whole[q] = (flags & 4) != 0;
            open[q] = (flags & 8) != 0;
            closing[q] = (flags & 16) != 0;
            handed[q] = in.getInt();
            posted[q] = in.getInt();
            enabled[q] = in.getInt();
            newest[q] = in.getInt();
        }
    }
}
