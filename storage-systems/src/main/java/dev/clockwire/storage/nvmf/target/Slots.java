package dev.clockwire.storage.nvmf.target;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What messages between threads name by a number. A number is given again when its thing is gone and no message with it is under way, so that none reaches
 * a thing that it was not meant for, and there are never more numbers than there were things at a time.
 *
 * @param <T> what is named
 */
final class Slots<T> {
    private final List<@Nullable T> things = new ArrayList<>();
    private final ArrayDeque<Integer> free = new ArrayDeque<>();
    private int[] messages = new int[16];

    /** Returns the number that {@link #add} will give. */
    int next() {
        Integer first = free.peek();
        return first == null ? things.size() : first;
    }

    int add(T thing) {
        Integer again = free.poll();
        if (again != null) {
            things.set(again, thing);
            return again;
        }
        things.add(thing);
        if (things.size() > messages.length) {
            messages = Arrays.copyOf(messages, 2 * messages.length);
        }
        return things.size() - 1;
    }

    /** Returns the thing of a number, null if it is gone. */
    @Nullable
    T get(int number) {
        return things.get(number);
    }

    /** A message with the number leaves. */
    void sent(int number) {
        messages[number]++;
    }

    /** Such a message is there; returns the thing, null if it is gone. */
    @Nullable
    T received(int number) {
        messages[number]--;
        T thing = things.get(number);
        if (thing == null) {
            release(number);
        }
        return thing;
    }

    /** The thing of a number is gone. */
    void remove(int number) {
        if (things.get(number) != null) {
            things.set(number, null);
            release(number);
        }
    }

    private void release(int number) {
        if (messages[number] == 0) {
            free.add(number);
        }
    }

    /** Returns how many numbers there are, whether in use or not. */
    int size() {
        return things.size();
    }
}
