package dev.clockwire.storage.check.verbs;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Things in the order of the numbers that a device has given them. They are asked for with every work request: nothing is boxed, and what was asked for last is near. */
final class Numbered<T> {
    private static final int NEAR = 256;

    private final int[] nearNumbers = new int[NEAR];
    private final @Nullable Object[] near = new @Nullable Object[NEAR];
    private int[] numbers = new int[8];
    private Object[] things = new Object[8];
    private int size;

    /** Sets what has a number; returns what had it before. */
    @Nullable
    T put(int number, T thing) {
        keepNear(number, thing);
        int at = Arrays.binarySearch(numbers, 0, size, number);
        if (at >= 0) {
            T before = at(at);
            things[at] = thing;
            return before;
        }
        if (size == numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * size);
            things = Arrays.copyOf(things, 2 * size);
        }
        int to = -at - 1;
        System.arraycopy(numbers, to, numbers, to + 1, size - to);
        System.arraycopy(things, to, things, to + 1, size - to);
        numbers[to] = number;
        things[to] = thing;
        size++;
        return null;
    }

    private T at(int i) {
        return cast(things[i]);
    }

    @SuppressWarnings("unchecked") // only put() sets them
    private T cast(Object thing) {
        return (T) thing;
    }

    @Nullable
    T get(int number) {
        int slot = slot(number);
        Object last = near[slot];
        if (last != null && nearNumbers[slot] == number) {
            return cast(last);
        }
        int at = Arrays.binarySearch(numbers, 0, size, number);
        if (at < 0) {
            return null;
        }
        keepNear(number, things[at]);
        return at(at);
    }

    private static int slot(int number) {
        return number & (NEAR - 1);
    }

    private void keepNear(int number, Object thing) {
        int slot = slot(number);
        nearNumbers[slot] = number;
        near[slot] = thing;
    }

    /** Takes what has a number away. */
    @Nullable
    T remove(int number) {
        int at = Arrays.binarySearch(numbers, 0, size, number);
        if (at < 0) {
            return null;
        }
        T gone = at(at);
        if (nearNumbers[slot(number)] == number) {
            near[slot(number)] = null;
        }
        size--;
        System.arraycopy(numbers, at + 1, numbers, at, size - at);
        System.arraycopy(things, at + 1, things, at, size - at);
        return gone;
    }

    void forEach(Consumer<T> what) {
        for (int i = 0; i < size; i++) {
            what.accept(at(i));
        }
    }
}
