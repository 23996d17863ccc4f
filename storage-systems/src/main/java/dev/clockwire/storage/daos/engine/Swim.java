package dev.clockwire.storage.daos.engine;

import dev.clockwire.storage.daos.pool.DaosTimes;
import dev.clockwire.storage.daos.pool.TargetState;
import dev.clockwire.storage.daos.rpc.Rpc;
import dev.clockwire.storage.daos.rpc.RpcOp;
import dev.clockwire.storage.daos.rpc.RpcStatus;
import java.util.Arrays;

/**
 * Failure detection after SWIM: an engine pings another one each period, in turn. If that is silent it has a third one ask; if that hears nothing either it suspects it, and
 * reports it to the pool service if it stays silent.
 */
final class Swim {
    private static final long NEVER = Long.MAX_VALUE;

    private final Engine engine;
    private final long[] silentSince;
    private int turn;

    Swim(Engine engine) {
        this.engine = engine;
        silentSince = new long[engine.net().engines()];
        Arrays.fill(silentSince, NEVER);
        turn = engine.me();
    }

    private DaosTimes times() {
        return engine.spec().times();
    }

    void start() {
        engine.worker().after(times().swimPeriod(), this::period, 0, 0);
    }

    private void period(long a, long b) {
        int n = engine.net().engines();
        for (int i = 0; i < n; i++) {
            turn = (turn + 1) % n;
            if (turn != engine.me() && engine.map().state(turn) != TargetState.DOWN) {
                ping(turn);
                break;
            }
        }
        engine.worker().after(times().swimPeriod(), this::period, 0, 0);
    }

    private void ping(int to) {
        engine.call(to, new Rpc(RpcOp.PING), times().swimPing(), answer -> {
            if (answer.status == RpcStatus.OK) {
                silentSince[to] = NEVER;
            } else {
                ask(to);
            }
        });
    }

    private void ask(int about) {
        int n = engine.net().engines();
        for (int i = 1; i < n; i++) {
            int third = (about + i) % n;
            if (third != engine.me() && third != about && engine.map().state(third) != TargetState.DOWN) {
                Rpc m = new Rpc(RpcOp.PING_FOR);
                m.argument = about;
                engine.call(third, m, 2 * times().swimPing(), answer -> heard(about, answer.status == RpcStatus.OK));
                return;
            }
        }
        heard(about, false);
    }

    private void heard(int about, boolean alive) {
        long now = engine.worker().now();
        if (alive) {
            silentSince[about] = NEVER;
        } else if (silentSince[about] == NEVER) {
            silentSince[about] = now;
        } else if (now - silentSince[about] >= times().swimSuspect()) {
            Rpc m = new Rpc(RpcOp.SUSPECT);
            m.argument = about;
            engine.context()
                    .call(
                            engine.net().manager().number(),
                            m,
                            times().rpc(),
                            answer -> engine.maps().learn(answer));
        }
    }

    /** Pings somebody for somebody else. */
    void pingFor(Rpc m) {
        engine.call(
                (int) m.argument,
                new Rpc(RpcOp.PING),
                times().swimPing(),
                answer -> engine.context().answer(m, new Rpc().answers(m, answer.status)));
    }
}
