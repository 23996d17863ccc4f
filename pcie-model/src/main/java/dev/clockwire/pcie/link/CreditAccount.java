package dev.clockwire.pcie.link;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/**
 * The credits of one flow-control class at the transmitter. Returns whose time is known when a packet leaves are kept as
 * (time, data) and taken when somebody looks, so they need no event; others are given with {@link #give}.
 */
final class CreditAccount implements State {
    private static final long NEVER = Long.MAX_VALUE;

    private final int headerLimit;
    private final int dataLimit;
    private final boolean infinite;
    private int headers;
    private int data;
    private long[] due = new long[16];
    private int[] units = new int[16];
    private int first;
    private int pending;

    CreditAccount(int headerLimit, int dataLimit) {
        this.headerLimit = headerLimit;
        this.dataLimit = dataLimit;
        infinite = headerLimit == 0 && dataLimit == 0;
        headers = headerLimit;
        data = dataLimit;
    }

    /** Returns whether nothing is counted at all. */
    boolean infinite() {
        return infinite;
    }

    /** Returns whether one packet with these data units may leave at a time; times do not go back between calls. */
    boolean enough(int dataUnits, long at) {
        while (pending > 0 && due[first] <= at) {
            headers++;
            data += units[first];
            first = first + 1 & due.length - 1;
            pending--;
        }
        return (headerLimit == 0 || headers > 0) && (dataLimit == 0 || data >= dataUnits);
    }

    /** Returns whether packets without data have credits whatever comes back. */
    boolean spare(int packets) {
        return headerLimit == 0 || headers >= packets;
    }

    /** Takes the credits of one packet, which come back at a time, or when somebody says so if that is negative; times do not go back. */
    void pay(int dataUnits, long returnPs) {
        headers--;
        data -= dataUnits;
        if (returnPs >= 0) {
            returnAt(dataUnits, returnPs);
        }
    }

    private void returnAt(int dataUnits, long at) {
        if (pending == due.length) {
            grow();
        }
        int i = first + pending & due.length - 1;
        due[i] = at;
        units[i] = dataUnits;
        pending++;
    }

    /** Gives credits back now. */
    void give(int headerUnits, int dataUnits) {
        headers += headerUnits;
        data += dataUnits;
    }

    /** Returns the time of the next known return, {@code Long.MAX_VALUE} if none is known. */
    long nextReturn() {
        return pending == 0 ? NEVER : due[first];
    }

    /** Returns the header credits in use, returns not yet taken included. */
    int headersInUse() {
        return headerLimit - headers;
    }

    /** Returns the data credits in use, returns not yet taken included. */
    int dataInUse() {
        return dataLimit - data;
    }

    int dataLimit() {
        return dataLimit;
    }

    private void grow() {
        int n = due.length;
        long[] t = new long[2 * n];
        int[] u = new int[2 * n];
        for (int i = 0; i < pending; i++) {
            t[i] = due[first + i & n - 1];
            u[i] = units[first + i & n - 1];
        }
        due = t;
        units = u;
        first = 0;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(headers);
        out.putInt(data);
        out.putInt(pending);
        for (int i = 0; i < pending; i++) {
            int at = first + i & due.length - 1;
            out.putLong(due[at]);
            out.putInt(units[at]);
        }
    }

    @Override
    public void load(Snapshot in) {
        headers = in.getInt();
        data = in.getInt();
        int n = in.getInt();
        first = 0;
        pending = 0;
        Arrays.fill(due, 0);
        for (int i = 0; i < n; i++) {
            long at = in.getLong();
            returnAt(in.getInt(), at);
        }
    }
}
