package dev.clockwire.storage.hoststack.nvmetcp;

import dev.clockwire.storage.hoststack.kernel.KernelCore;
import dev.clockwire.storage.hoststack.tcp.TcpConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a queue has to send, in order: headers as bytes, data where they are. As much of it goes into the socket as there is room. */
final class SendQueue {
    private static final int PIECE = 1 << 16;

    private final KernelCore kernel;
    private final boolean zeroCopy;
    private final List<Item> items = new ArrayList<>();
    private final byte[] piece = new byte[PIECE];
    private @Nullable TcpConnection connection;

    private static final class Item {
        private final byte[] header;
        private final long va;
        private final int length;
        private final @Nullable Runnable sent;
        private int done;

        Item(byte[] header, long va, int length, @Nullable Runnable sent) {
            this.header = header;
            this.va = va;
            this.length = length;
            this.sent = sent;
        }
    }

    SendQueue(KernelCore kernel, boolean zeroCopy) {
        this.kernel = kernel;
        this.zeroCopy = zeroCopy;
    }

    void use(TcpConnection c) {
        connection = c;
    }

    boolean isWaiting() {
        return !items.isEmpty();
    }

    void add(byte[] header, int length) {
        add(header, length, null);
    }

    /** Adds a header; {@code sent} is called when it has gone into the socket and this was told of. */
    void add(byte[] header, int length, @Nullable Runnable sent) {
        items.add(new Item(java.util.Arrays.copyOf(header, length), 0, length, sent));
    }

    void addData(long va, int length) {
        items.add(new Item(new byte[0], va, length, null));
    }

    /** Puts what fits into the socket and lets it send. */
    void send() {
        TcpConnection c = Objects.requireNonNull(connection);
        List<Runnable> told = new ArrayList<>();
        while (!items.isEmpty() && c.space() > 0) {
            Item i = items.get(0);
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
            if (i.done == i.length) {
                items.remove(0);
                if (i.sent != null) {
                    told.add(i.sent);
                }
            }
        }
        c.push(kernel.now());
        told.forEach(Runnable::run);
    }
}
