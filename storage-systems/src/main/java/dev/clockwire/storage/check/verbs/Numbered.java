package dev.clockwire.storage.check.verbs;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Things by the numbers that a device has given them: asked for with every work request, so nothing is boxed. */
final class Numbered<T> {
    private int[] numbers = new int[8];
    private Object[] things = new Object[8];
    private int size;

    /** Sets what has a number; returns what had it before. */
    @Nullable
    T put(int number, T thing) {
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

    @SuppressWarnings("unchecked") // only put() sets them
    private T at(int i) {
        return (T) things[i];
    }

    @Nullable
    T get(int number) {
        int at = Arrays.binarySearch(numbers, 0, size, number);
        return at < 0 ? null : at(at);
    }

    /** Takes what has a number away. */
    @Nullable
    T remove(int number) {
        int at = Arrays.binarySearch(numbers, 0, size, number);
        if (at < 0) {
            return null;
        }
        T gone = at(at);
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
