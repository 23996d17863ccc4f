package dev.clockwire.nic.send;

import dev.clockwire.roce.transport.Syndrome;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** What went wrong on the sending side, under the names that {@code hw_counters} have. */
public final class SendCounters implements State {
    private long packetSeqErr;
    private long impliedNakSeqErr;
    private long localAckTimeoutErr;
    private long rnrNakRetryErr;
    private long retriesExceeded;
    private long rnrRetriesExceeded;
    private long remoteAccessErrors;
    private long remoteInvalidRequest;
    private long cqeError;
    private long cqeFlushError;
    private long cnpHandled;
    private long cnpLost;

    SendCounters() {}

    /** Returns the negative acknowledgements for a gap that made the sender go back. */
    public long packetSeqErr() {
        return packetSeqErr;
    }

    /** Returns the answers behind a missing answer that made the sender go back. */
    public long impliedNakSeqErr() {
        return impliedNakSeqErr;
    }

    /** Returns how often the acknowledge timer made the sender go back. */
    public long localAckTimeoutErr() {
        return localAckTimeoutErr;
    }

    /** Returns the receiver-not-ready answers that were waited for. */
    public long rnrNakRetryErr() {
        return rnrNakRetryErr;
    }

    /** Returns the work requests that failed since nothing was acknowledged after all retries. */
    public long retriesExceeded() {
        return retriesExceeded;
    }

    /** Returns the work requests that failed since the receiver was not ready after all retries. */
    public long rnrRetriesExceeded() {
        return rnrRetriesExceeded;
    }

    /** Returns the work requests whose access the peer refused. */
    public long remoteAccessErrors() {
        return remoteAccessErrors;
    }

    /** Returns the work requests that the peer refused as invalid. */
    public long remoteInvalidRequest() {
        return remoteInvalidRequest;
    }

    /** Returns the error completions of send queues, flushed ones included. */
    public long cqeError() {
        return cqeError;
    }

    /** Returns the flushed work requests of send queues. */
    public long cqeFlushError() {
        return cqeFlushError;
    }

    /** Returns the notifications of congestion that reaction points acted on. */
    public long cnpHandled() {
        return cnpHandled;
    }

    /** Returns the notifications that a reaction point overlooked. */
    public long cnpLost() {
        return cnpLost;
    }

    void notified(boolean handled) {
        cnpHandled += handled ? 1 : 0;
        cnpLost += handled ? 0 : 1;
    }

    void timeout() {
        localAckTimeoutErr++;
    }

    void receiverNotReady() {
        rnrNakRetryErr++;
    }

    /** Sending went back because of an answer. */
    void retry(RocePacket answer) {
        if (answer.opcode == Opcode.RC_ACKNOWLEDGE.code() && answer.syndrome == Syndrome.NAK_SEQUENCE) {
            packetSeqErr++;
        } else {
            impliedNakSeqErr++;
        }
    }

    /** A work request ended with an error. */
    void error(WcStatus status) {
        cqeError++;
        switch (status) {
            case WR_FLUSH_ERR -> cqeFlushError++;
            case RETRY_EXC_ERR -> retriesExceeded++;
            case RNR_RETRY_EXC_ERR -> rnrRetriesExceeded++;
            case REM_ACCESS_ERR -> remoteAccessErrors++;
            case REM_INV_REQ_ERR -> remoteInvalidRequest++;
            default -> {}
        }
    }

    @Override
    public void save(Snapshot out) {
        out.putLongs(new long[] {
            packetSeqErr,
            impliedNakSeqErr,
            localAckTimeoutErr,
            rnrNakRetryErr,
            retriesExceeded,
            rnrRetriesExceeded,
            remoteAccessErrors,
            remoteInvalidRequest,
            cqeError,
            cqeFlushError,
            cnpHandled,
            cnpLost
        });
    }

    @Override
    public void load(Snapshot in) {
        long[] x = new long[12];
        in.getLongs(x);
        int i = 0;
        packetSeqErr = x[i++];
        impliedNakSeqErr = x[i++];
        localAckTimeoutErr = x[i++];
        rnrNakRetryErr = x[i++];
        retriesExceeded = x[i++];
        rnrRetriesExceeded = x[i++];
        remoteAccessErrors = x[i++];
        remoteInvalidRequest = x[i++];
        cqeError = x[i++];
        cqeFlushError = x[i++];
        cnpHandled = x[i++];
        cnpLost = x[i];
    }
}
