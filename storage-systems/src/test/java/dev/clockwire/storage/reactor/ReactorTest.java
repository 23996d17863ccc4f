package dev.clockwire.storage.reactor;

import static dev.clockwire.storage.reactor.Bench.CALL;
import static dev.clockwire.storage.reactor.Bench.CROSS;
import static dev.clockwire.storage.reactor.Bench.EVENTS;
import static dev.clockwire.storage.reactor.Bench.HANDLE;
import static dev.clockwire.storage.reactor.Bench.MESSAGES;
import static dev.clockwire.storage.reactor.Bench.SEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Orders, constants and accounts of a reactor, in closed form. */
class ReactorTest {
    private static Bench bench(KernelMode mode) {
        return new Bench(mode, 1, Bench.SPEC);
    }

    /** The thread comes with an event in the first round; the rounds behind it find nothing. */
    @ParameterizedTest
    @EnumSource
    void anIdlePollerCostsItsRounds(KernelMode mode) {
        Bench b = bench(mode);
        StorageThread t = b.reactors.thread("t");
        Poller p = t.poller("p", self -> {
            self.cpu().charge(11_000);
            self.quiet();
            return 0;
        });
        p.register(0);
        b.sim.run(10_000_000);
        long period = EVENTS + MESSAGES + CALL + 11_000;
        long empty = 14; // rounds that start before the event is seen, at 70 ns
        long firstCall = 1 + empty * EVENTS + EVENTS + HANDLE + MESSAGES;
        long calls = (10_000_000 - 1 - firstCall) / period + 1;
        assertThat(p.runCount()).isEqualTo(calls);
        assertThat(p.busyCount()).isZero();
        assertThat(p.idlePs()).isEqualTo(calls * (CALL + 11_000));
        assertThat(t.idlePs()).isEqualTo(HANDLE + calls * period);
        assertThat(b.reactor().idlePs()).isEqualTo(1 + empty * EVENTS + HANDLE + calls * period);
        assertThat(b.reactor().busyPs()).isZero();
        assertThat(b.reactor().rounds()).isBetween(empty + calls, empty + calls + 1);
        assertThat(b.sim.stats().value("host0.reactor0.rounds"))
                .isEqualTo(b.reactor().rounds());
        assertThat(b.reactor().pollingShare()).isGreaterThan(0.99).isLessThan(1);
    }

    @ParameterizedTest
    @EnumSource
    void busyAndIdleAreWhatThePollsReturned(KernelMode mode) {
        Bench b = bench(mode);
        StorageThread t = b.reactors.thread("t");
        int[] n = {0};
        Poller p = t.poller("p", self -> {
            n[0]++;
            self.cpu().charge(8_000);
            return n[0] % 4 == 0 ? 1 : n[0] % 4 == 1 ? -Errno.EIO : 0;
        });
        p.register(0);
        b.sim.runUntil(() -> n[0] == 41, 1_000_000_000);
        long period = EVENTS + MESSAGES + CALL + 8_000;
        assertThat(b.reactor().busyPs()).isEqualTo(10 * period);
        assertThat(t.busyPs()).isEqualTo(10 * period);
        assertThat(t.idlePs()).isEqualTo(31 * period + HANDLE); // an error counts as idle; so does the event
        assertThat(p.busyCount()).isEqualTo(10);
        assertThat(p.runCount()).isEqualTo(41);
        assertThat(p.busyPs()).isEqualTo(10 * (CALL + 8_000));
    }

    @ParameterizedTest
    @EnumSource
    void activePollersRunLastRegisteredFirstAndTimedOnesBehindThem(KernelMode mode) {
        Bench b = bench(mode);
        StorageThread t = b.reactors.thread("t");
        List<String> order = new ArrayList<>();
        for (String name : new String[] {"a", "b", "c"}) {
            t.poller(name, self -> {
                        order.add(name);
                        return 0;
                    })
                    .register(0);
        }
        for (String name : new String[] {"t1", "t2"}) { // due at the same time: first registered first
            t.poller(name, self -> {
                        order.add(name);
                        return 0;
                    })
                    .register(1);
        }
        b.sim.runUntil(() -> order.size() == 10, 1_000_000_000);
        assertThat(order).containsExactly("c", "b", "a", "t1", "t2", "c", "b", "a", "t1", "t2");
    }

    /** Next = the time asked at the poll's start + period: each call is late by up to a round, and the lateness adds up. */
    @ParameterizedTest
    @EnumSource
    void timedPollersDrift(KernelMode mode) {
        Bench b = bench(mode);
        StorageThread t = b.reactors.thread("t");
        t.poller("idle", self -> {
                    self.quiet();
                    return 0;
                })
                .register(0);
        List<Long> starts = new ArrayList<>();
        Poller timed = t.poller("timed", self -> {
            starts.add(self.nextRun());
            return 0;
        });
        timed.register(100_000);
        b.sim.run(3_000_000);
        long round = EVENTS + MESSAGES + CALL;
        assertThat(starts).hasSizeGreaterThan(20);
        for (int i = 2; i < starts.size(); i++) {
            long gap = starts.get(i) - starts.get(i - 1);
            assertThat(gap).isGreaterThanOrEqualTo(100_000).isLessThan(100_000 + round + CALL);
        }
        long drift = starts.get(starts.size() - 1) - starts.get(0) - 100_000L * (starts.size() - 1);
        assertThat(drift).isGreaterThan(round);
        assertThat(timed.runCount()).isEqualTo(starts.size());
    }

    @ParameterizedTest
    @EnumSource
    void aPollerEndsItselfAndAnother(KernelMode mode) {
        Bench b = bench(mode);
        StorageThread t = b.reactors.thread("t");
        List<String> order = new ArrayList<>();
        Poller first = t.poller("first", self -> {
            order.add("first");
            return 0;
        });
        Poller once = t.poller("once", self -> {
            order.add("once");
            self.unregister();
            first.unregister();
            assertThat(self.state()).isEqualTo(PollerState.ENDING);
            return 1;
        });
        Poller last = t.poller("last", self -> {
            order.add("last");
            if (order.size() > 4) {
                self.pause();
            }
            return 0;
        });
        Poller timer = t.poller("timer", self -> {
            order.add("timer");
            self.unregister();
            return 1;
        });
        first.register(0);
        once.register(0);
        last.register(0);
        timer.register(1);
        b.sim.run(2_000_000);
        assertThat(order).containsExactly("last", "once", "timer", "last", "last");
        assertThat(once.state()).isEqualTo(PollerState.UNREGISTERED);
        assertThat(first.state()).isEqualTo(PollerState.UNREGISTERED);
        assertThat(last.state()).isEqualTo(PollerState.PAUSED);
        assertThatThrownBy(() -> last.resume())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("from another thread");
    }

    @ParameterizedTest
    @EnumSource
    void pausedPollersAreCalledAgainWhenResumed(KernelMode mode) {
        Bench b = bench(mode);
        StorageThread t = b.reactors.thread("t");
        Poller active = t.poller("active", self -> {
            self.quiet();
            return 0;
        });
        Poller timed = t.poller("timed", self -> 1);
        MsgFn pause = b.reactors.function("pause", (x, y) -> {
            active.pause();
            timed.pause();
        });
        MsgFn resume = b.reactors.function("resume", (x, y) -> {
            active.resume();
            timed.resume();
        });
        active.register(0);
        timed.register(50_000);
        b.sim.run(1_000_000);
        t.sendMsg(pause, 0, 0);
        b.sim.run(2_000_000);
        long calls = active.runCount();
        long fired = timed.runCount();
        b.sim.run(3_000_000);
        assertThat(active.runCount()).isEqualTo(calls);
        assertThat(timed.runCount()).isEqualTo(fired).isPositive();
        t.sendMsg(resume, 0, 0);
        b.sim.run(4_000_000);
        assertThat(active.runCount()).isGreaterThan(calls + 50);
        assertThat(timed.runCount()).isGreaterThan(fired + 10);
    }

    @ParameterizedTest
    @EnumSource
    void messagesComeInBatchesOfEightAndNeverInline(KernelMode mode) {
        Bench b = bench(mode);
        StorageThread t = b.reactors.thread("t");
        int[] inline = {0};
        MsgFn say = b.reactors.function("say", (x, y) -> b.note("m" + x));
        MsgFn burst = b.reactors.function("burst", (x, y) -> {
            for (int i = 0; i < 20; i++) {
                assertThat(t.sendMsg(say, i, 0)).isZero();
            }
            inline[0] = b.log.size();
        });
        b.sim.run(1_000_000);
        t.sendMsg(burst, 0, 0);
        b.sim.run(2_000_000);
        assertThat(inline[0]).isZero();
        assertThat(b.log).hasSize(20);
        long[] at = b.log.stream()
                .mapToLong(s -> Long.parseLong(s.substring(s.indexOf('@') + 1)))
                .toArray();
        for (int i = 1; i < 20; i++) {
            assertThat(at[i] - at[i - 1]).isEqualTo(i % 8 == 0 ? EVENTS + MESSAGES + HANDLE : HANDLE);
        }
        assertThat(at[0] + 19 * HANDLE + 2 * (EVENTS + MESSAGES)).isEqualTo(at[19]);
        assertThat(b.reactors.messagePool().free()).isEqualTo(262_143 - 1_024 - 1 + 1);
    }

    @ParameterizedTest
    @EnumSource
    void messagesOfOneSenderKeepTheirOrderAndCrossCoresInTime(KernelMode mode) {
        Bench b = new Bench(mode, 3, Bench.SPEC);
        StorageThread to = b.reactors.thread("to");
        List<Long> sent = new ArrayList<>();
        MsgFn got = b.reactors.function("got", (from, i) -> b.note(from + ":" + i));
        MsgFn go = b.reactors.function("go", (from, y) -> {
            for (int i = 0; i < 10; i++) {
                to.sendMsg(got, from, i);
                sent.add(b.reactors.now());
            }
        });
        StorageThread x = b.reactors.thread("x");
        StorageThread y = b.reactors.thread("y");
        b.sim.run(1_000_000);
        x.sendMsg(go, 1, 0);
        y.sendMsg(go, 2, 0);
        b.sim.run(3_000_000);
        assertThat(b.log).hasSize(20);
        for (int from = 1; from <= 2; from++) {
            String prefix = from + ":";
            assertThat(b.log.stream().filter(s -> s.startsWith(prefix)).map(s -> s.substring(2, s.indexOf('@'))))
                    .containsExactly("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
        }
        long firstSeen = Long.parseLong(b.log.get(0).substring(b.log.get(0).indexOf('@') + 1));
        assertThat(firstSeen - sent.get(0)).isBetween(CROSS + HANDLE, CROSS + MESSAGES + HANDLE + EVENTS + MESSAGES);
        assertThat(sent.get(1) - sent.get(0)).isEqualTo(SEND);
    }

    @Test
    void poolsRunDry() {
        Bench b = new Bench(KernelMode.ACTIVITY, 1, Bench.SPEC.withPools(3, 10, 4));
        StorageThread t = b.reactors.thread("t");
        MsgFn nothing = b.reactors.function("nothing", (x, y) -> {});
        int[] got = {0, 0};
        MsgFn flood = b.reactors.function("flood", (x, y) -> {
            while (t.sendMsg(nothing, 0, 0) == 0) {
                got[0]++;
            }
            got[1] = t.sendMsg(nothing, 0, 0);
        });
        b.sim.run(1_000_000);
        assertThat(t.sendMsg(flood, 0, 0)).isZero();
        b.sim.run(2_000_000);
        assertThat(got[0]).isEqualTo(9); // the tenth is the one that floods
        assertThat(got[1]).isEqualTo(-Errno.ENOMEM);
        assertThat(b.reactors.messagePool().failures()).isEqualTo(2);
        for (int i = 0; i < 3; i++) {
            assertThat(b.reactor().sendEvent(nothing, 0, 0)).isZero();
        }
        assertThat(b.reactor().sendEvent(nothing, 0, 0)).isEqualTo(-Errno.ENOMEM);
        b.sim.run(3_000_000);
        assertThat(b.reactors.eventPool().free()).isEqualTo(3);
        assertThat(t.sendMsg(nothing, 0, 0)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void eventsComeInBatchesOfEight(KernelMode mode) {
        Bench b = bench(mode);
        MsgFn say = b.reactors.function("say", (x, y) -> b.note("e" + x));
        for (int i = 0; i < 17; i++) {
            b.reactor().sendEvent(say, i, 0);
        }
        b.sim.run(1_000_000);
        long[] at = b.log.stream()
                .mapToLong(s -> Long.parseLong(s.substring(s.indexOf('@') + 1)))
                .toArray();
        for (int i = 1; i < 17; i++) {
            assertThat(at[i] - at[i - 1]).isEqualTo(i % 8 == 0 ? EVENTS + HANDLE : HANDLE);
        }
        assertThat(b.reactor().idlePs()).isBetween(999_999L, 999_999 + EVENTS); // no thread: all of it is idle
    }

    @Test
    void aThreadEndsWhenNothingIsLeft() {
        Bench b = bench(KernelMode.ACTIVITY);
        StorageThread t = b.reactors.thread("t");
        StorageThread u = b.reactors.thread("u");
        Poller p = t.poller("p", self -> 0);
        p.register(0);
        MsgFn exit = b.reactors.function("exit", (x, y) -> t.exit());
        MsgFn end = b.reactors.function("end", (x, y) -> p.unregister());
        b.sim.run(1_000_000);
        t.sendMsg(exit, 0, 0);
        b.sim.run(2_000_000);
        assertThat(t.hasExited()).isFalse();
        t.sendMsg(end, 0, 0);
        b.sim.run(3_000_000);
        assertThat(t.hasExited()).isTrue();
        assertThat(b.reactor().threads()).containsExactly(u);
        assertThatThrownBy(() -> t.sendMsg(exit, 0, 0)).hasMessageContaining("which has ended");
    }

    @Test
    void aPollerHasAtMostFourFunctionsBehindIt() {
        Bench b = bench(KernelMode.ACTIVITY);
        StorageThread t = b.reactors.thread("t");
        List<Boolean> room = new ArrayList<>();
        MsgFn after = b.reactors.function("after", (x, y) -> b.note("after" + x));
        Poller p = t.poller("p", self -> {
            for (int i = 0; i < 5; i++) {
                room.add(t.afterPoller(after, i, 0));
            }
            assertThat(b.log).isEmpty();
            self.unregister();
            return 1;
        });
        p.register(0);
        b.sim.run(1_000_000);
        assertThat(room).containsExactly(true, true, true, true, false);
        assertThat(b.log).hasSize(4);
    }

    @Test
    void mistakesAreNamed() {
        Bench b = bench(KernelMode.ACTIVITY);
        StorageThread t = b.reactors.thread("t");
        Poller p = t.poller("p", self -> 0);
        assertThatThrownBy(() -> p.register(-1)).hasMessageContaining("period -1 ps: must be 0 or more");
        p.register(0);
        assertThatThrownBy(() -> p.register(0)).hasMessageContaining("poller p is registered already, waiting");
        assertThatThrownBy(() -> b.reactors.thread("x", CoreMask.parse("0x2")))
                .hasMessageContaining("thread x may run on cores 0x2: reactors run on 0x1");
        assertThatThrownBy(() -> b.reactors.reactor(7)).hasMessageContaining("no reactor on core 7");
        assertThatThrownBy(() -> new ReactorSpec(0, 1, 1, 0, 0, 1, false, 1, 1, 0))
                .hasMessageContaining("reactor.eventRingPs 0 is not in 1..1000000000");
        assertThatThrownBy(() -> Bench.SPEC.withPools(1, 5, 6)).hasMessageContaining("messageCache 6 is not in 0..5");
    }
}
