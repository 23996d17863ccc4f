package dev.clockwire.pcie.link;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Packets that have left and are not acknowledged, the oldest first. Once the other end has accepted a packet its train may be in use
 * for something else; what is needed to send a packet again is therefore kept here, and the train only handed on.
 */
final class RetryBuffer implements State {
    private @Nullable TlpTrain[] trains = new @Nullable TlpTrain[64];
    private int[] index = new int[64];
    private int[] wire = new int[64];
    private int[] kind = new int[64];
    private int[] sequence = new int[64];
    private long[] digest = new long[64];
    private int first;
    private int size;
    private int bytes;

    int size() {
        return size;
    }

    /** Returns the bytes on the wire of all packets. */
    int bytes() {
        return bytes;
    }

    void add(TlpTrain train, int packet, int wireBytes, int flowClass, int number, long headerDigest) {
        if (size == trains.length) {
            grow();
        }
        int at = at(size++);
        trains[at] = train;
        index[at] = packet;
        wire[at] = wireBytes;
        kind[at] = flowClass;
        sequence[at] = number;
        digest[at] = headerDigest;
        bytes += wireBytes;
    }

    private int at(int i) {
        return first + i & trains.length - 1;
    }

    /** Drops the oldest packets. */
    void drop(int n) {
        for (int i = 0; i < n; i++) {
            trains[first] = null;
            bytes -= wire[first];
            first = first + 1 & trains.length - 1;
        }
        size -= n;
    }

    @Nullable
    TlpTrain train(int i) {
        return trains[at(i)];
    }

    int packet(int i) {
        return index[at(i)];
    }

    int wireBytes(int i) {
        return wire[at(i)];
    }

    int flowClass(int i) {
        return kind[at(i)];
    }

    int sequence(int i) {
        return sequence[at(i)];
    }

    long digest(int i) {
        return digest[at(i)];
    }

    private void grow() {
        int n = trains.length;
        RetryBuffer old = new RetryBuffer();
        old.trains = trains;
        old.index = index;
        old.wire = wire;
        old.kind = kind;
        old.sequence = sequence;
        old.digest = digest;
        old.first = first;
        trains = new @Nullable TlpTrain[2 * n];
        index = new int[2 * n];
        wire = new int[2 * n];
        kind = new int[2 * n];
        sequence = new int[2 * n];
        digest = new long[2 * n];
        first = 0;
        for (int i = 0; i < n; i++) {
            trains[i] = old.train(i);
            index[i] = old.packet(i);
            wire[i] = old.wireBytes(i);
            kind[i] = old.flowClass(i);
            sequence[i] = old.sequence(i);
            digest[i] = old.digest(i);
        }
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(size);
        for (int i = 0; i < size; i++) {
            out.putToken(train(i));
            out.putInt(packet(i));
            out.putInt(wireBytes(i));
            out.putInt(flowClass(i));
            out.putInt(sequence(i));
            out.putLong(digest(i));
        }
    }

    @Override
    public void load(Snapshot in) {
        Arrays.fill(trains, null);
        first = 0;
        size = 0;
        bytes = 0;
        for (int n = in.getInt(); n > 0; n--) {
            if (in.getToken() instanceof TlpTrain train) {
                int packet = in.getInt();
                int wireBytes = in.getInt();
                int flowClass = in.getInt();
                int number = in.getInt();
                add(train, packet, wireBytes, flowClass, number, in.getLong());
            }
        }
    }
}
