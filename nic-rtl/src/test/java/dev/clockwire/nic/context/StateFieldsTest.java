package dev.clockwire.nic.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.Token;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each number in the state of each block is in its snapshot, and each field of a token in its copies. What rings hold is no matter of
 * single fields: the contract tests of the blocks fill them.
 */
class StateFieldsTest {
    /** Where rings begin and how full they are, by the ends of paths: what stands outside of a ring is not kept. */
    private static final List<String> OF_RINGS = List.of(
            ".head",
            ".waitingHead",
            "HeldJourneys.count",
            "EventWriter.held.count",
            "AccessLane.count",
            ".pipe.count",
            ".says.count",
            "PauseGate.waiting",
            ".queue.count",
            "TokenQueue.count",
            "IntQueue.items",
            "responding.items",
            "Disk.waiting.items",
            "toDisk.items",
            "toHost.items",
            "toRing.items",
            "LatencyState.count",
            "LatencyState.due",
            "EthFrame.bytes",
            "MacState.marks",
            "MacState.dues",
            "MacState.noticeCount",
            "CqeCompressor.open",
            "CqWaits.who",
            "CqWaits.what",
            "CqWaits.kind",
            "AccessLane.unplaced.qpns",
            "AccessLane.unplaced.parts",
            "AccessLane.unplaced.told",
            "Unplaced.qpns",
            "Unplaced.parts",
            "Unplaced.told",
            "TxSlot.pieces",
            "TxSlot.nextPiece",
            ".ring",
            ".in",
            ".reading",
            ".idleCount");

    /** Where bytes are put together, numbers of events, counts within one cycle, and a size. */
    private static final List<String> OF_ONE_CYCLE = List.of(
            ".eight",
            "EventWriter.bytes",
            "EventWriter.writtenKind",
            "EventWriter.expiredKind",
            "TranslatorState.keyPorts",
            "TranslatorState.pagePorts",
            ".maxDestRdAtomic");

    /** What arbiters find again from the order of their queues, and what they know in the middle of a scan only. */
    private static final Set<String> OF_SCANS =
            Set.of("at", "unseen", "passed", "passedCount", "ready", "since", "count", "current.count", "later.count");

    /** Parts of blocks that other tests of theirs fill: their constructors want more than a default. */
    private static final List<String> NOT_BUILT = List.of("QpcLookup$1", "QpcLookup$2", "CqcLookup$1", "NicRegisters");

    /** What a WQE keeps; the rest is read from its bytes again. */
    private static final Set<String> OF_WQES = Set.of("raw", "qpn", "madePs", "unread");

    private static List<Class<?>> classes() throws URISyntaxException, IOException, ClassNotFoundException {
        Path root = Path.of(QpContext.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        List<Class<?>> all = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root.resolve("dev/clockwire/nic"))) {
            for (Path file : files.sorted().toList()) {
                String name = root.relativize(file).toString().replace('/', '.');
                if (name.endsWith(".class") && !name.contains("-info")) {
                    all.add(Class.forName(name.substring(0, name.length() - ".class".length())));
                }
            }
        }
        return all;
    }

    private static @Nullable Method method(Class<?> of, String name, Class<?>... types) {
        for (Class<?> c = of; c != null; c = c.getSuperclass()) {
            for (Method m : c.getDeclaredMethods()) {
                if (m.getName().equals(name) && Arrays.equals(m.getParameterTypes(), types) && !m.isBridge()) {
                    m.setAccessible(true);
                    return m;
                }
            }
        }
        return null;
    }

    private static boolean isRemembered(Class<?> c) {
        boolean token = Token.class.isAssignableFrom(c);
        boolean state = method(c, "save", Snapshot.class) != null && method(c, "load", Snapshot.class) != null;
        return !Modifier.isAbstract(c.getModifiers())
                && !SimNode.class.isAssignableFrom(c)
                && !c.isInterface()
                && (token || state);
    }

    /** Returns what becomes of an object with a snapshot. */
    private static Object again(Slots slots, Object object) throws ReflectiveOperationException {
        Class<?> c = object.getClass();
        if (object instanceof Token) {
            return Objects.requireNonNull(
                    Objects.requireNonNull(method(c, "copy")).invoke(object));
        }
        Snapshot saved = new Snapshot();
        Objects.requireNonNull(method(c, "save", Snapshot.class)).invoke(object, saved);
        Object other = slots.create(c);
        saved.rewind();
        Objects.requireNonNull(method(c, "load", Snapshot.class)).invoke(other, saved);
        return other;
    }

    private static boolean isExempt(Class<?> c, Slots.Slot slot) {
        String name = slot.toString();
        String path = c.getSimpleName() + "." + name;
        return OF_RINGS.stream().anyMatch(path::endsWith)
                || OF_ONE_CYCLE.stream().anyMatch(path::endsWith)
                || (c.getPackageName().endsWith(".sched") && OF_SCANS.contains(name))
                || (c.getSimpleName().equals("Wqe") && !OF_WQES.contains(name))
                || (Token.class.isAssignableFrom(c) && name.equals("journey")); // the snapshot's own business
    }

    @ParameterizedTest
    @ValueSource(strings = {"off", "paper", "vendor", "article-literal"})
    void everyNumberIsInTheSnapshot(String dcqcn) throws ReflectiveOperationException, URISyntaxException, IOException {
        Slots slots = new Slots(Profiles.named("cx7-400g").with("nic.rate.dcqcn", dcqcn));
        List<String> lost = new ArrayList<>();
        int kept = 0;
        for (Class<?> c : classes()) {
            if (!isRemembered(c) || NOT_BUILT.stream().anyMatch(c.getName()::endsWith)) {
                continue;
            }
            for (Slots.Slot slot : Slots.of(slots.create(c))) {
                if (!isExempt(c, slot)) {
                    Object from = slots.create(c);
                    Object value = slot.change(from);
                    if (!value.equals(slot.get(again(slots, from)))) {
                        lost.add(c.getSimpleName() + "." + slot);
                    }
                    kept++;
                }
            }
        }
        assertThat(lost).isEmpty();
        assertThat(kept).isGreaterThan(300);
    }
}
