package dev.clockwire.roce.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.transport.ResponseResult.Action;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.state.Snapshot;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * A requester and a responder joined by two queues that may lose packets, with memory of their own and without time. A
 * work request's message is a function of its number, so every byte that arrives can be checked.
 */
final class Pair {
    static final int MEMORY = 1 << 16;
    static final int COUNTER = MEMORY - 64;
    private static final int MOST_LOST_IN_A_ROW = 3;

    final Random random;
    final double loss;
    final int mtu;
    RequesterState requester = new RequesterState(8);
    ResponderState responder = new ResponderState();
    final byte[] remote = new byte[MEMORY];
    final List<SendWork> work;
    final byte[][] local;
    final List<byte[]> received = new ArrayList<>();
    final List<Long> originals = new ArrayList<>();
    final List<Long> completed = new ArrayList<>();
    final Env env = new Env();
    int steps;

    private final Deque<RocePacket> requests = new ArrayDeque<>();
    private final Deque<RocePacket> responses = new ArrayDeque<>();
    private final RequestDecision decision = new RequestDecision();
    private final ResponseResult result = new ResponseResult();
    private byte[] receiving = new byte[0];
    private int admitted;
    private int lostInARow;

    final class Env implements ResponderEnv {
        boolean scarce;
        /** Receives that are posted and not complete; -1: the peer need not know. */
        int posted = -1;

        @Override
        public int checkRemote(int rkey, long va, long length, int access) {
            return rkey == 7 && va >= 0 && va + length <= MEMORY ? GRANTED : Syndrome.NAK_REMOTE_ACCESS;
        }

        @Override
        public boolean receiveAvailable() {
            return posted < 0 ? !scarce || random.nextInt(4) > 0 : posted > 0;
        }

        @Override
        public int receivesPosted() {
            return posted;
        }

        @Override
        public long receiveCapacity() {
            return MEMORY;
        }
    }

    Pair(List<SendWork> work, QpType type, int mtu, int firstPsn, double loss, long seed) {
        this.work = work;
        this.mtu = mtu;
        this.loss = loss;
        random = new Random(seed);
        local = new byte[work.size()][];
        requester.connect(
                RequesterSpec.of(type, mtu, 1, 2).withFirstPsn(firstPsn).withMaxRdAtomic(3));
        responder.connect(ResponderSpec.of(type, mtu, 1).withFirstPsn(firstPsn).withMaxDestRdAtomic(3));
        for (int i = 0; i < work.size(); i++) {
            local[i] = new byte[(int) work.get(i).length];
        }
    }

    static byte messageByte(long id, long offset) {
        return (byte) (id * 31 + offset * 7 + (offset >> 8));
    }

    /** Both sides use end-to-end credits; receives are posted now and then. */
    void useCredits() {
        env.posted = 0;
        requester.modify(
                RequesterSpec.of(QpType.RC, mtu, 1, 2).withMaxRdAtomic(3).withCredits(true));
        responder.modify(
                ResponderSpec.of(QpType.RC, mtu, 1).withMaxDestRdAtomic(3).withCredits(true));
    }

    boolean finished() {
        return completed.size() == work.size();
    }

    /** Does one thing that can be done now, chosen at random; recovers when nothing can. */
    void step() {
        steps++;
        while (admitted < work.size() && Requester.admit(requester, work.get(admitted)) >= 0) {
            admitted++;
        }
        if (env.posted >= 0 && random.nextInt(6) == 0) {
            env.posted += random.nextInt(4);
        }
        int choice = random.nextInt(3);
        for (int i = 0; i < 3; i++, choice = (choice + 1) % 3) {
            if (choice == 0 && Requester.canSend(requester)) {
                send();
                return;
            } else if (choice == 1 && !requests.isEmpty()) {
                respond(requests.remove());
                return;
            } else if (choice == 2 && !responses.isEmpty()) {
                RocePacket in = responses.remove();
                Requester.onResponse(requester, in, result);
                apply(in);
                return;
            }
        }
        if (requester.rnrWaiting()) {
            Requester.rnrExpired(requester);
        } else {
            Requester.onTimeout(requester, result);
            assertThat(result.action).as("%s", result.status).isNotEqualTo(Action.FAIL);
        }
    }

    private boolean lost() {
        boolean lost = random.nextDouble() < loss && lostInARow < MOST_LOST_IN_A_ROW;
        lostInARow = lost ? lostInARow + 1 : 0;
        return lost;
    }

    private void send() {
        long entry = requester.cursorEntry();
        int packet = requester.cursorPacket();
        RocePacket out = new RocePacket();
        long offset = Requester.fillRequest(requester, entry, packet, out);
        long id = requester.id(entry);
        for (int i = 0; i < out.payloadLength; i++) {
            out.payload.appendBytes(new byte[] {messageByte(id, offset + i)}, 0, 1);
        }
        if (Requester.sent(requester, entry, packet)) {
            completed.add(id);
        }
        if (!lost()) {
            requests.add(out);
        }
    }

    private void reply(RocePacket out) {
        if (!lost()) {
            responses.add(out);
        }
    }

    private void respond(RocePacket in) {
        Responder.onRequest(responder, in, env, decision);
        RocePacket out = new RocePacket();
        switch (decision.action) {
            case WRITE -> in.payload.copyTo(0, remote, (int) decision.va, (int) decision.length);
            case SEND -> {
                receiving = Arrays.copyOf(receiving, (int) (decision.offset + decision.length));
                in.payload.copyTo(0, receiving, (int) decision.offset, (int) decision.length);
            }
            case READ, REREAD -> read();
            case ATOMIC -> {
                ByteBuffer cell = ByteBuffer.wrap(remote);
                long before = cell.getLong((int) decision.va);
                cell.putLong((int) decision.va, before + decision.swapAdd);
                Responder.atomicDone(responder, decision.resource, in.psn, before);
                Responder.fillAtomicAck(responder, in.psn, decision.syndrome, decision.msn, before, out);
                reply(out);
            }
            case REPLAY_ATOMIC -> {
                Responder.fillAtomicAck(responder, in.psn, decision.syndrome, decision.msn, decision.original, out);
                reply(out);
            }
            case NAK -> {
                // Who obeys credits meets no lack of receives but with a question, or because the last message took the
                // receive.
                assertThat(env.posted < 0 || !Syndrome.isRnr(decision.syndrome) || in.ackReq)
                        .isTrue();
                assertThat(decision.qpError).isFalse();
                Responder.fillAck(responder, decision.ackPsn, decision.syndrome, decision.msn, out);
                reply(out);
            }
            case DROP, REACK -> assertThat(decision.completesReceive).isFalse();
        }
        if (decision.completesReceive && env.posted > 0) {
            env.posted--;
        }
        if (decision.completesReceive && !decision.receiveOfWrite) {
            received.add(Arrays.copyOf(receiving, (int) decision.byteLength));
        }
        if (decision.ackDue) {
            Responder.fillAck(responder, decision.ackPsn, decision.syndrome, decision.msn, out);
            reply(out);
        }
    }

    private void read() {
        for (int i = 0; i < decision.responses; i++) {
            RocePacket out = new RocePacket();
            long offset = Responder.fillReadResponse(
                    responder, decision.ackPsn, decision.length, i, decision.syndrome, decision.msn, out);
            out.payload.appendBytes(remote, (int) (decision.va + offset), out.payloadLength);
            reply(out);
        }
    }

    private void apply(RocePacket in) {
        assertThat(result.action).as("%s", result.status).isNotEqualTo(Action.FAIL);
        if (result.place) {
            byte[] target = local[(int) requester.id(result.placeEntry)];
            if (result.atomic) {
                originals.add(result.original);
            } else {
                in.payload.copyTo(0, target, (int) result.placeOffset, result.placeLength);
            }
        }
        for (int i = 0; i < result.completed; i++) {
            completed.add(requester.id(result.firstCompleted + i));
        }
    }

    /** Replaces both states by copies that went through a snapshot. */
    void throughASnapshot() {
        Snapshot snapshot = new Snapshot();
        requester.save(snapshot);
        responder.save(snapshot);
        requester = new RequesterState(8);
        responder = new ResponderState();
        requester.load(snapshot);
        responder.load(snapshot);
    }
}
