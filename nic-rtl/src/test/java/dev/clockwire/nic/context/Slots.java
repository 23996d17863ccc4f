package dev.clockwire.nic.context;

import dev.clockwire.nic.profile.CacheSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.sched.QpArbiter;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.RequesterSpec;
import dev.clockwire.roce.transport.ResponderSpec;
import dev.clockwire.roce.wire.FlowAddress;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.State;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The places for numbers in an object and in the parts of its state, found by reflection; and objects to look into. */
final class Slots {
    private static final int DEEP = 4;

    private final ContextTable table = new ContextTable();
    private final DeviceParts parts;
    private final Clock clock;

    /**
     * A place for a number: fields from an object on, the last one a number, or an array of which the first element is meant.
     *
     * @param path the fields
     */
    record Slot(List<Field> path) {
        Field last() {
            return path.get(path.size() - 1);
        }

        private Object owner(Object of) throws IllegalAccessException {
            Object at = of;
            for (Field f : path.subList(0, path.size() - 1)) {
                at = Objects.requireNonNull(f.get(at));
            }
            return at;
        }

        Object get(Object of) throws IllegalAccessException {
            Object x = Objects.requireNonNull(last().get(owner(of)));
            return last().getType().isArray() ? Array.get(x, 0) : x;
        }

        /** Puts another value there; returns it. */
        Object change(Object of) throws IllegalAccessException {
            Object old = get(of);
            Object other =
                    old instanceof Boolean b ? !b : old.equals(one(old.getClass())) ? zero(old) : one(old.getClass());
            if (last().getType().isArray()) {
                Array.set(Objects.requireNonNull(last().get(owner(of))), 0, other);
            } else {
                last().set(owner(of), other);
            }
            return other;
        }

        private static Object one(Class<?> type) {
            return type == Integer.class ? (Object) 1 : type == Byte.class ? (Object) (byte) 1 : (Object) 1L;
        }

        private static Object zero(Object old) {
            return old instanceof Integer ? (Object) 0 : old instanceof Byte ? (Object) (byte) 0 : (Object) 0L;
        }

        @Override
        public String toString() {
            return String.join(".", path.stream().map(Field::getName).toList());
        }
    }

    /** Looks into objects of a NIC with these parameters. */
    Slots(Profile hardware) {
        Sim sim = new Sim(SimSpec.of(1));
        clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
        table.setUars(8);
        QpContext qp = new QpContext(2, QpType.RC, 1, 0, 4, 0, 4, 16, 0, 0, 0);
        qp.state = QpState.RTS;
        qp.requester = RequesterSpec.of(QpType.RC, 1024, 2, 3);
        qp.responder = ResponderSpec.of(QpType.RC, 1024, 3);
        table.add(qp);
        parts = LoneParts.of(sim, clock, hardware, table);
    }

    /** Returns the places of an object. */
    static List<Slot> of(Object object) throws IllegalAccessException {
        List<Slot> found = new ArrayList<>();
        collect(object, List.of(), found);
        return found;
    }

    private static void collect(Object object, List<Field> way, List<Slot> found) throws IllegalAccessException {
        for (Class<?> c = object.getClass();
                c.getName().startsWith("dev.clockwire.");
                c = Objects.requireNonNull(c.getSuperclass())) {
            for (Field f : c.getDeclaredFields()) {
                if (Modifier.isStatic(f.getModifiers()) || f.isSynthetic()) {
                    continue;
                }
                f.setAccessible(true);
                List<Field> path = new ArrayList<>(way);
                path.add(f);
                Class<?> type = f.getType();
                Object value = f.get(object);
                if (type.isPrimitive() ? !Modifier.isFinal(f.getModifiers()) : isNumbers(value)) {
                    found.add(new Slot(path));
                } else if (path.size() < DEEP && isSaved(value)) {
                    collect(value, path, found);
                }
            }
        }
    }

    private static boolean isSaved(@Nullable Object value) {
        boolean stream = value instanceof RandomStream; // its owner's node saves it
        return (value instanceof State && !stream) || value instanceof FlowAddress;
    }

    private static boolean isNumbers(@Nullable Object value) {
        return value != null
                && value.getClass().isArray()
                && value.getClass().getComponentType().isPrimitive()
                && Array.getLength(value) > 0;
    }

    /** Creates an object with the constructor that asks for least. */
    Object create(Class<?> type) throws ReflectiveOperationException {
        Constructor<?> c = Arrays.stream(type.getDeclaredConstructors())
                .min(Comparator.<Constructor<?>>comparingInt(Constructor::getParameterCount)
                        .thenComparing(Constructor::toString))
                .orElseThrow();
        c.setAccessible(true);
        Object[] with = new Object[c.getParameterCount()];
        for (int i = 0; i < with.length; i++) {
            with[i] = argument(c.getParameterTypes()[i]);
        }
        return c.newInstance(with);
    }

    private @Nullable Object argument(Class<?> type) throws ReflectiveOperationException {
        if (type == int.class || type == long.class) {
            return type == int.class ? (Object) 4 : (Object) 4L;
        }
        if (type == boolean.class) {
            return false;
        }
        for (Object shared : new Object[] {
            table,
            parts,
            clock,
            parts.spec(),
            parts.spec().rate(),
            parts.spec().icm(),
            parts.spec().congestion(),
            table.at(0),
            new CacheSpec(4, 2, 64, 2),
            new RandomStream(1),
            QpArbiter.of(parts.spec().queues().policy(), table)
        }) {
            if (type.isInstance(shared)) {
                return shared;
            }
        }
        if (type.isInterface()) {
            return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (p, m, a) -> null);
        }
        boolean ours =
                type.getName().startsWith("dev.clockwire.") && !type.getName().startsWith("dev.clockwire.sim.");
        return ours && !Modifier.isAbstract(type.getModifiers()) && !type.isEnum() ? create(type) : null;
    }
}
