package dev.clockwire.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Token;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Uses an event queue as the kernel does and compares it with a plain sorted set after each step. */
final class QueueDriver {
    final EventQueue queue;
    final TreeSet<Row> due = new TreeSet<>();
    final RandomStream random;
    long now;
    long popped;
    private long sent;

    QueueDriver(EventQueue queue, long seed) {
        this.queue = queue;
        random = RandomStream.named(seed, "queue");
    }

    /** What was inserted; the key names its port and the order of sending. */
    record Row(long at, long key, long a, long b, @Nullable Token token) implements Comparable<Row> {
        @Override
        public int compareTo(Row o) {
            int c = Long.compare(at, o.at);
            return c != 0 ? c : Long.compare(key, o.key);
        }
    }

    /** Inserts an event of a port, with a token now and then. */
    Row insert(long at, int port) {
        long key = ((long) port << EventPort.ORDINAL_SHIFT) | (sent++ << 8) | random.below(EventPort.MAX_KIND);
        Token token = random.below(3) == 0 ? new TestToken(sent, at) : null;
        Row row = new Row(at, key, random.nextLong(), random.nextLong(), token);
        due.add(row);
        queue.insert(now, at, key, row.a, row.b, token);
        check();
        return row;
    }

    private void check() {
        assertThat(queue.size).isEqualTo(due.size());
        assertThat(queue.bound).isLessThanOrEqualTo(first());
    }

    private long first() {
        return due.isEmpty() ? Long.MAX_VALUE : due.first().at;
    }

    /** Takes the events of the next instant at or before the limit; if there is none the limit is now. */
    boolean instant(long limit) {
        long t = queue.next(limit);
        assertThat(t).isEqualTo(first() <= limit ? first() : Long.MAX_VALUE);
        check();
        if (t == Long.MAX_VALUE) {
            now = limit;
            return false;
        }
        assertThat(queue.openTop()).isEqualTo(t);
        now = t;
        do {
            pop();
        } while (queue.openTop() == t);
        assertThat(first()).as("next instant").isGreaterThan(t);
        return true;
    }

    private void pop() {
        int e = queue.pop();
        popped++;
        Row wanted = due.pollFirst();
        assertThat(wanted).isNotNull();
        long flag = wanted.token == null ? 0 : EventQueue.HAS_TOKEN;
        assertThat(queue.key(e)).isEqualTo(wanted.key | flag);
        assertThat(queue.a(e)).isEqualTo(wanted.a);
        assertThat(queue.b(e)).isEqualTo(wanted.b);
        if (flag != 0) {
            assertThat(queue.token(e)).isSameAs(wanted.token);
        }
        check();
    }

    /** Compares what the queue says that it holds. */
    void look() {
        Set<Row> seen = new HashSet<>();
        queue.each((at, key, a, b, token) -> assertThat(seen.add(new Row(at, key & ~EventQueue.HAS_TOKEN, a, b, token)))
                .isTrue());
        assertThat(seen).isEqualTo(new HashSet<>(due));
        check();
    }

    /** Takes everything. */
    void finish() {
        while (!due.isEmpty()) {
            assertThat(instant(Long.MAX_VALUE - 1)).isTrue();
        }
        assertThat(queue.next(Long.MAX_VALUE - 1)).isEqualTo(Long.MAX_VALUE);
    }
}
