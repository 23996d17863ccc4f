package dev.clockwire.storage.nvmf.initiator;

import dev.clockwire.nvme.fabrics.RdmaPrivateData;
import dev.clockwire.roce.cm.CmEvent;
import dev.clockwire.roce.cm.CmId;
import dev.clockwire.roce.cm.CmParameters;
import dev.clockwire.roce.cm.CmPhase;
import dev.clockwire.roce.cm.CmReason;
import dev.clockwire.roce.cm.PrivateData;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import java.util.EnumSet;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a queue, from the creation of its queue pair to the end of it. The connection manager lives on the main thread and control
 * verbs end outside of all threads; everything comes back to the queue's thread as a message.
 */
final class RdmaLink {
    private static final int RNR_FOREVER = 7;
    private static final EnumSet<AccessFlag> ACCESS =
            EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);

    private final NvmfHost host;
    private final PollGroup group;
    private final SubsystemAddress where;
    private final RdmaPrivateData.Request request;
    private final Events events;
    private Phase phase = Phase.CREATING;
    private int commands;
    private @Nullable CmId id;
    private @Nullable QueuePair qp;
    private @Nullable Runnable closed;

    /** Where it is in its life. */
    private enum Phase {
        CREATING,
        CONNECTING,
        UP,
        DOWN,
        CLOSED
    }

    /** Is told, on the queue's thread, what happens. */
    interface Events {
        /** The queue pair is there: receives can be posted. */
        void ready(QueuePair qp);

        /** Both sides may send; the target takes so many commands. */
        void up(int commands);

        /** There is no connection, or none any more. */
        void down(String why);
    }

    RdmaLink(NvmfHost host, PollGroup group, SubsystemAddress where, RdmaPrivateData.Request request, Events events) {
        this.host = host;
        this.group = group;
        this.where = where;
        this.request = request;
        this.events = events;
    }

    void open() {
        int entries = request.receives();
        QpInit init = QpInit.of(QpType.RC, group.cq(), new QpCapabilities(entries, entries, 2, 1, 0));
        host.on(host.main(), () -> {
            host.cmPoller().hurry();
            CmId made = host.manager().createId(e -> host.on(group.thread(), () -> heard(e)));
            id = made;
            var creation = made.createQp(group.pd(), init, ACCESS);
            creation.whenDone(q -> host.on(group.thread(), () -> created(made, q)));
            creation.whenFailed(error -> host.on(group.thread(), () -> down("no queue pair: " + error.getMessage())));
        });
    }

    private void created(CmId made, QueuePair made2) {
        if (phase != Phase.CREATING) {
            made2.close();
            return;
        }
        qp = made2;
        phase = Phase.CONNECTING;
        events.ready(made2);
        int reads = host.device().attributes().maxQpRdAtomic();
        CmParameters parameters = new CmParameters(
                Math.min(255, reads), 0, false, host.spec().retryCount(), RNR_FOREVER, PrivateData.of(request.bytes()));
        host.on(host.main(), () -> made.connect(where.gid(), where.service(), parameters));
    }

    private void heard(CmEvent e) {
        switch (e.type()) {
            case CONNECT_RESPONSE ->
                commands = RdmaPrivateData.replied(
                                e.privateData().bytes(RdmaPrivateData.BYTES), 0, RdmaPrivateData.BYTES)
                        .orElse(0);
            case ESTABLISHED -> established();
            case REJECTED -> down(refusal(e));
            case UNREACHABLE -> down(where + " does not answer");
            case CONNECT_ERROR -> down("the queue pair could not be prepared");
            case DISCONNECTED -> down("the target has ended the connection");
            case DEVICE_REMOVAL -> removed();
            default -> {}
        }
    }

    /** The device has failed. A verb that creates the queue pair is sure to fail as well, and tells. */
    private void removed() {
        if (phase != Phase.CREATING) {
            down(NvmfHost.DEVICE_FAILED);
        }
    }

    private static String refusal(CmEvent e) {
        byte[] b = e.privateData().bytes(RdmaPrivateData.REJECT_BYTES);
        int status = b[2] & 0xFF;
        String why = "refused, " + CmReason.text(e.reason()).toLowerCase(Locale.ROOT);
        return status == 0 ? why : why + ", NVMe status " + status;
    }

    private void established() {
        if (phase != Phase.CONNECTING) {
            return;
        }
        settled();
        if (closed != null) {
            phase = Phase.DOWN;
            end();
        } else if (commands == 0) {
            down("the reply says nothing of its receive queue");
        } else {
            phase = Phase.UP;
            events.up(commands);
        }
    }

    private void settled() {
        host.on(host.main(), host.cmPoller()::relax);
    }

    private void down(String why) {
        if (phase == Phase.DOWN || phase == Phase.CLOSED) {
            return;
        }
        if (phase != Phase.UP) {
            settled();
        }
        phase = Phase.DOWN;
        if (closed != null) {
            end();
        } else {
            events.down(why);
        }
    }

    /** Ends the connection; what was posted is never heard of again. */
    void close(Runnable then) {
        closed = then;
        if (phase == Phase.UP || phase == Phase.DOWN) {
            phase = Phase.DOWN;
            end();
        }
    }

    private void end() {
        CmId connection = id;
        QueuePair pair = qp;
        host.on(host.main(), () -> {
            if (connection != null && connection.phase() == CmPhase.ESTABLISHED) {
                connection.disconnect();
            }
            if (pair == null) {
                host.on(group.thread(), this::ended);
            } else {
                pair.destroy().whenDone(q -> host.on(group.thread(), this::ended));
            }
        });
    }

    private void ended() {
        phase = Phase.CLOSED;
        Runnable then = closed;
        if (then != null) {
            then.run();
        }
    }
}
