package dev.clockwire.storage.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.KernelMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ChannelsTest {
    private final Bench b = new Bench(KernelMode.ACTIVITY, 3, Bench.SPEC);
    private final List<String> opened = new ArrayList<>();
    private final IoDevice<String> device = new IoDevice<>() {
        @Override
        public String name() {
            return "disk";
        }

        @Override
        public String open(StorageThread thread) {
            opened.add("+" + thread.name());
            return thread.name();
        }

        @Override
        public void close(String context) {
            opened.add("-" + context);
        }
    };
    private final List<StorageThread> threads = new ArrayList<>();

    @BeforeEach
    void build() {
        b.reactors.register(device);
        for (int i = 0; i < 4; i++) {
            threads.add(b.reactors.thread("t" + i));
        }
        b.sim.run(1_000_000);
    }

    private void on(int thread, Runnable what) {
        MsgFn f = b.reactors.function("on", (x, y) -> what.run());
        threads.get(thread).sendMsg(f, 0, 0);
        b.sim.run(b.sim.now() + 1_000_000);
    }

    private @Nullable IoChannel<String> channel(int thread) {
        return threads.get(thread).channels().find(device);
    }

    @Test
    void theyAreCountedAndEndLater() {
        on(0, () -> {
            IoChannel<String> c = threads.get(0).channels().get(device);
            assertThat(threads.get(0).channels().get(device)).isSameAs(c);
            assertThat(c.references()).isEqualTo(2);
            threads.get(0).channels().put(c);
            threads.get(0).channels().put(c);
            assertThat(opened).containsExactly("+t0"); // it ends by a message
        });
        assertThat(opened).containsExactly("+t0", "-t0");
        assertThat(channel(0)).isNull();
        on(0, () -> {
            IoChannel<String> c = threads.get(0).channels().get(device);
            threads.get(0).channels().put(c);
            threads.get(0).channels().get(device); // got again before the message runs
        });
        assertThat(opened).containsExactly("+t0", "-t0", "+t0");
        assertThat(channel(0)).isNotNull().extracting(IoChannel::references).isEqualTo(1);
        assertThatThrownBy(() -> threads.get(0).channels().get(device)).hasMessageContaining("from another thread");
    }

    @Test
    void aWalkVisitsThemInOrderAndTellsWhoBegan() {
        for (int i : new int[] {3, 0, 2}) {
            on(i, () -> threads.get(i).channels().get(device));
        }
        int[] failing = {-1};
        ChannelWalk<String> walk = b.reactors.walk(
                "walk",
                device,
                c -> {
                    assertThat(b.reactors.current()).isSameAs(c.thread());
                    b.note(c.context());
                    return c.context().equals("t" + failing[0]) ? -Errno.EIO : 0;
                },
                status -> b.note("done " + status + " on " + b.reactors.current()));
        on(1, walk::start);
        assertThat(b.log.stream().map(s -> s.substring(0, s.indexOf('@'))))
                .containsExactly("t0", "t2", "t3", "done 0 on thread t1");
        b.log.clear();
        failing[0] = 2;
        on(3, walk::start);
        assertThat(b.log.stream().map(s -> s.substring(0, s.indexOf('@'))))
                .containsExactly("t0", "t2", "done -5 on thread t3");
        assertThatThrownBy(walk::start).hasMessageContaining("begins outside of a thread");
    }
}
