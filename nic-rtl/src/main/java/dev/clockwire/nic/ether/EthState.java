package dev.clockwire.nic.ether;

import dev.clockwire.nic.stage.TokenQueue;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import org.jspecify.annotations.Nullable;

/** Rings, frames on their way and counters of the Ethernet block. */
final class EthState implements State {
    /** Send and receive queues at most. */
    static final int QUEUES = 64;
    /** Frames whose payload is being read, a power of two. */
    static final int JOBS = 16;
    /** Receives of a queue known ahead, a power of two. */
    static final int AHEAD = 32;

    /** Index behind the newest that the driver has announced, 16 bits, and the next to read; sends and receives. */
    final long[] sendProducer = new long[QUEUES];

    final long[] sendFetched = new long[QUEUES];
    final long[] receiveProducer = new long[QUEUES];
    final long[] receiveFetched = new long[QUEUES];
    final long[] receiveUsed = new long[QUEUES];
    /** Reads of receives are under way. */
    final long[] receiveReading = new long[QUEUES];

    final long[] receiveAddress = new long[QUEUES * AHEAD];
    final long[] receiveBytes = new long[QUEUES * AHEAD];

    /** Whose turn it is among the send queues. */
    int turn;
    /** A read of send WQEs is under way. */
    boolean sendReading;
    /** WQEs that came and are not taken apart. */
    @Nullable
    DmaRead current;

    int unpacked;

    private final @Nullable EthFrame[] jobs = new EthFrame[JOBS];
    final long[] jobQueue = new long[JOBS];
    final long[] jobIndex = new long[JOBS];
    final long[] jobReady = new long[JOBS];
    /** Checksums that the device is to make. */
    final long[] jobChecksums = new long[JOBS];

    int jobHead;
    int jobCount;

    /** Frames received, in the pipeline. */
    final TokenQueue<EthFrame> pipe = new TokenQueue<>();

    long nextEntry;

    final long[] rxPackets = new long[QUEUES];
    final long[] rxBytes = new long[QUEUES];
    final long[] txPackets = new long[QUEUES];
    final long[] txBytes = new long[QUEUES];
    final long[] drops = new long[EthCounter.COUNT];

    @Nullable
    EthFrame job(int slot) {
        return jobs[slot];
    }

    void setJob(int slot, @Nullable EthFrame frame) {
        jobs[slot] = frame;
    }

    private long[][] arrays() {
        return new long[][] {
            sendProducer,
            sendFetched,
            receiveProducer,
            receiveFetched,
            receiveUsed,
            receiveReading,
            receiveAddress,
            receiveBytes,
            jobQueue,
            jobIndex,
            jobReady,
            jobChecksums,
            rxPackets,
            rxBytes,
            txPackets,
            txBytes,
            drops
        };
    }

    @Override
    public void save(Snapshot out) {
        for (long[] array : arrays()) {
            out.putLongs(array);
        }
        out.putInt(turn);
        out.putBoolean(sendReading);
        out.putToken(current);
        out.putInt(unpacked);
        for (EthFrame job : jobs) {
            out.putToken(job);
        }
        out.putInt(jobHead);
        out.putInt(jobCount);
        pipe.save(out);
        out.putLong(nextEntry);
    }

    @Override
    public void load(Snapshot in) {
        for (long[] array : arrays()) {
            in.getLongs(array);
        }
        turn = in.getInt();
        sendReading = in.getBoolean();
        current = (DmaRead) in.getToken();
        unpacked = in.getInt();
        for (int i = 0; i < JOBS; i++) {
            jobs[i] = (EthFrame) in.getToken();
        }
        jobHead = in.getInt();
        jobCount = in.getInt();
        pipe.load(in);
        nextEntry = in.getLong();
    }
}
