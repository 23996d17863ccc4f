package dev.clockwire.bench.replay;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.clockwire.sim.Sim;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A captured Linux host meets the simulated target: every message of the captured target comes again, from the reply of the connection manager
 * to the last response: opcodes packet by packet, remote addresses and keys, invalidated keys, and all bytes of responses and data.
 */
class NvmfReplayTest {
    private static final long STEP = ReplayTarget.STEP;
    private static final long LONGEST_STEP = 20_000_000_000L;
    private static final long LONGEST = 30_000_000_000_000L;

    static Stream<Arguments> captures() {
        List<Arguments> all = new ArrayList<>();
        for (Path p : Captures.everywhere()) {
            boolean wanted = p.getFileName().toString().startsWith("nvmeof-");
            boolean again =
                    all.stream().anyMatch(a -> ((Path) a.get()[0]).getFileName().equals(p.getFileName()));
            if (wanted && !again) {
                all.add(Arguments.of(p, true));
                all.add(Arguments.of(p, false));
            }
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("captures")
    void theTargetAnswersAsTheCapturedOneDid(Path file, boolean soft) {
        ReplayTarget target = new ReplayTarget(file, soft);
        CapturedHost host = target.host;
        Sim sim = target.lab.sim();
        target.fill();
        if (file.toString().contains("read-retry")) {
            for (int n = 384; n <= 405; n++) {
                host.lost.add(n); // never arrived: the captured target asks again for what they carried
            }
        }
        for (CapturedHost.Step s : host.steps) {
            long until = sim.now() + LONGEST;
            for (long step = STEP; !host.isDue(s) && sim.now() < until; step = Math.min(2 * step, LONGEST_STEP)) {
                sim.run(sim.now() + step);
            }
            assertTrue(
                    host.isDue(s),
                    () -> "before frame " + s.number + ": " + s.before + ", said " + host.simulated.counts());
            host.send(s);
            sim.run(sim.now() + STEP);
        }
        sim.run(sim.now() + 1000 * STEP);
        assertEquals(host.captured.messages.keySet(), host.simulated.messages.keySet());
        host.captured.messages.forEach((qp, wanted) -> {
            List<String> got = host.simulated.messages.getOrDefault(qp, List.of());
            for (int i = 0; i < Math.min(wanted.size(), got.size()); i++) {
                String where = "message " + i + " to queue pair " + qp;
                assertEquals(around(wanted.get(i), got.get(i)), around(got.get(i), wanted.get(i)), where);
            }
            assertEquals(wanted.size(), got.size(), "messages to queue pair " + qp);
        });
        holdsWhatWasWritten(target);
    }

    /** Returns what stands around the first difference, a message being long. */
    private static String around(String text, String other) {
        int at = 0;
        while (at < Math.min(text.length(), other.length()) && text.charAt(at) == other.charAt(at)) {
            at++;
        }
        boolean same = text.equals(other);
        return same ? "" : at + ": " + text.substring(Math.max(0, at - 40), Math.min(text.length(), at + 80));
    }

    private static void holdsWhatWasWritten(ReplayTarget target) {
        byte[] small = new byte[4096];
        for (int i = 0; i < small.length; i++) {
            small[i] = (byte) (3 * i + 1);
        }
        assertArrayEquals(small, target.read(2048, 8));
        byte[] large = new byte[128 << 10];
        for (int i = 0; i < large.length / 4; i++) {
            for (int k = 0; k < 4; k++) {
                large[4 * i + k] = (byte) ((0xA000_0000 | i) >>> (8 * k));
            }
        }
        assertArrayEquals(large, target.read(4096, 256));
    }
}
