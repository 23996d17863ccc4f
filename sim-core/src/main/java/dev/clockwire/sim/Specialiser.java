package dev.clockwire.sim;

import dev.clockwire.sim.error.InvariantViolation;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Makes code for one design: the class file of a template is defined again as a hidden class whose static final fields are the
 * modules, so that the JIT sees constants and calls each tick directly. Needs no byte-code library and no generated source.
 */
final class Specialiser {
    private Specialiser() {}

    /** Returns the code of the word of 64 modules with this number. */
    static Word word(SimModule[] modules, int word) {
        Word[] groups = new Word[8];
        for (int g = 0; g < 8; g++) {
            int from = Math.min(modules.length, word * 64 + g * 8);
            int to = Math.min(modules.length, from + 8);
            groups[g] = from == to
                    ? (awake, cycle) -> 0
                    : define("GroupTemplate", Arrays.copyOf(Arrays.copyOfRange(modules, from, to), 8));
        }
        return define("WordTemplate", groups);
    }

    private static Word define(String template, Object data) {
        try (InputStream in = Specialiser.class.getResourceAsStream(template + ".class")) {
            if (in == null) {
                throw new InvariantViolation(template + ".class is not beside the kernel");
            }
            return (Word) MethodHandles.lookup()
                    .defineHiddenClassWithClassData(in.readAllBytes(), data, true)
                    .lookupClass()
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (IOException | ReflectiveOperationException e) {
            throw new InvariantViolation("cannot specialise the run loop", e);
        }
    }

    /** Returns the data the class of this lookup was defined with. */
    static <T> T data(MethodHandles.Lookup lookup, Class<T> type) {
        try {
            T data = MethodHandles.classData(lookup, "_", type);
            if (data == null) {
                throw new InvariantViolation(lookup.lookupClass() + " is a template");
            }
            return data;
        } catch (IllegalAccessException e) {
            throw new InvariantViolation("cannot read the data of " + lookup.lookupClass(), e);
        }
    }

    static int count(@Nullable SimModule[] modules) {
        int n = 0;
        for (SimModule m : modules) {
            n += m == null ? 0 : 1;
        }
        return n;
    }
}
