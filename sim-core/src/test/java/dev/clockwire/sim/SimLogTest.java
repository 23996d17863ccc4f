package dev.clockwire.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** Lines carry time and path, and are written only at the levels that are on. */
class SimLogTest {
    private final Sim sim = new Sim(SimSpec.of(1));
    private final Lines lines = new Lines();
    private final SimLog log = new SimLog(sim, "nic.tx", lines);

    @SuppressWarnings("serial") // never written
    private static final class Lines extends LegacyAbstractLogger {
        private final transient List<String> written = new ArrayList<>();
        private Level level = Level.TRACE;

        @Override
        protected @Nullable String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        protected void handleNormalizedLoggingCall(
                Level at, @Nullable Marker marker, String text, Object @Nullable [] values, @Nullable Throwable t) {
            written.add(at + " "
                    + MessageFormatter.basicArrayFormat(text, Objects.requireNonNullElse(values, new Object[0])));
        }

        private boolean on(Level x) {
            return x.toInt() >= level.toInt();
        }

        @Override
        public boolean isTraceEnabled() {
            return on(Level.TRACE);
        }

        @Override
        public boolean isDebugEnabled() {
            return on(Level.DEBUG);
        }

        @Override
        public boolean isInfoEnabled() {
            return on(Level.INFO);
        }

        @Override
        public boolean isWarnEnabled() {
            return on(Level.WARN);
        }

        @Override
        public boolean isErrorEnabled() {
            return on(Level.ERROR);
        }
    }

    private void writeAll() {
        log.debug("a");
        log.debug("b {}", 1);
        log.debug("c {} {}", 2, 3);
        log.info("d");
        log.warn("e");
    }

    @Test
    void linesCarryTimeAndPath() {
        sim.run(1_234_007);
        writeAll();
        assertThat(log.debug()).isTrue();
        String head = " [1234.007 ns] nic.tx: ";
        assertThat(lines.written)
                .containsExactly(
                        "DEBUG" + head + "a",
                        "DEBUG" + head + "b 1",
                        "DEBUG" + head + "c 2 3",
                        "INFO" + head + "d",
                        "WARN" + head + "e");
    }

    @Test
    void aLevelThatIsOffWritesNothing() {
        lines.level = Level.INFO;
        writeAll();
        assertThat(log.debug()).isFalse();
        assertThat(lines.written).containsExactly("INFO [0.000 ns] nic.tx: d", "WARN [0.000 ns] nic.tx: e");
        lines.level = Level.ERROR;
        writeAll();
        assertThat(lines.written).hasSize(2);
    }

    @Test
    void aNodeKeepsItsLog() {
        LambdaModule m = new LambdaModule(sim.root(), "m", new Clock(sim.root(), "c", Frequency.mhz(1)));
        assertThat(m.log()).isSameAs(m.log());
    }
}
