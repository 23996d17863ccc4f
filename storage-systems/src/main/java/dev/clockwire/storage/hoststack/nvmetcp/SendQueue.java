package dev.clockwire.storage.hoststack.nvmetcp;

import dev.clockwire.storage.hoststack.kernel.KernelCore;
import dev.clockwire.storage.hoststack.tcp.TcpConnection;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** What a queue has to send, in order: headers as bytes, data where they are. As much of it goes into the socket as there is room. */
final class SendQueue {
    /** Nobody is told when an item was sent. */
    static final int NOBODY = -1;

    private static final int PIECE = 1 << 16;

    private final KernelCore kernel;
    private final boolean zeroCopy;
    private final IntConsumer sent;
    private final byte[] piece = new byte[PIECE];
    private @Nullable TcpConnection connection;
    /** A ring of items that are used again. */
    private Item[] items = new Item[0];

    private int head;
    private int count;
    /** Who is to be told at the end of a call. */
    private int[] told = new int[16];

    private static final class Item {
        private final byte[] header = new byte[Pdu.IC_BYTES];
        private long va;
        private int length;
        private int done;
        private int whose;
    }

    /** Creates it; {@code sent} is told of items that have gone into the socket, by what they were added with. */
    SendQueue(KernelCore kernel, boolean zeroCopy, IntConsumer sent) {
        this.kernel = kernel;
        this.zeroCopy = zeroCopy;
        this.sent = sent;
    }

    void use(TcpConnection c) {
        connection = c;
    }

    boolean isWaiting() {
        return count > 0;
    }

    void add(byte[] header, int length) {
        add(header, length, NOBODY);
    }

    void add(byte[] header, int length, int whose) {
        Item i = next(0, length, whose);
        System.arraycopy(header, 0, i.header, 0, length);
    }

    void addData(long va, int length) {
        next(va, length, NOBODY);
    }

    private Item next(long va, int length, int whose) {
        if (count == items.length) {
            Item[] more = new Item[Math.max(16, 2 * count)];
            for (int k = 0; k < more.length; k++) {
                more[k] = k < count ? items[(head + k) % count] : new Item();
            }
            items = more;
            head = 0;
        }
        Item i = items[(head + count++) % items.length];
        i.va = va;
        i.length = length;
        i.done = 0;
        i.whose = whose;
        return i;
    }

    /** Puts what fits into the socket and lets it send. */
    void send() {
        TcpConnection c = Objects.requireNonNull(connection);
        int n = 0;
        while (count > 0 && c.space() > 0) {
            Item i = items[head];
            put(c, i);
            if (i.done < i.length) {
                continue;
            }
            head = (head + 1) % items.length;
            count--;
            if (i.whose != NOBODY) {
                told = n == told.length ? Arrays.copyOf(told, 2 * n) : told;
                told[n++] = i.whose;
            }
        }
        c.push(kernel.now());
        for (int k = 0; k < n; k++) {
            sent.accept(told[k]);
        }
    }

    private void put(TcpConnection c, Item i) {
        int n = Math.min(Math.min(i.length - i.done, PIECE), c.space());
        if (i.va == 0) {
            c.write(i.header, i.done, n);
        } else {
            kernel.cpu().memory().getBytes(i.va + i.done, piece, 0, n);
            c.write(piece, 0, n);
            if (!zeroCopy) {
                kernel.copy(n);
            }
        }
        i.done += n;
    }
}
