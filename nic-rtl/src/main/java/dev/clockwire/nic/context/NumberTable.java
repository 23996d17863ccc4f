package dev.clockwire.nic.context;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Objects by number. Each gets a slot, counted from 0 and never used again, by which blocks keep what they know of it. Numbers
 * that count up from the first are found without a search; others by open addressing.
 */
final class NumberTable<T> {
    private static final int FREE = -1;
    private static final int GOLDEN = 0x9E3779B1;

    private final int first;
    private final List<@Nullable T> items = new ArrayList<>();
    private int[] numbers = new int[16];
    private int[] hash = {FREE, FREE, FREE, FREE};

    /** Creates an empty table; {@code first} is the usual number of slot 0. */
    NumberTable(int first) {
        this.first = first;
    }

    /** Returns the slots given out so far. */
    int size() {
        return items.size();
    }

    /** Adds an object under a number that nobody has; returns its slot. */
    int add(int number, T item) {
        int slot = items.size();
        if (slot == numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * slot);
        }
        numbers[slot] = number;
        items.add(item);
        if (number != first + slot) {
            if (2 * items.size() >= hash.length) {
                rehash();
            } else {
                insert(slot);
            }
        }
        return slot;
    }

    private void rehash() {
        hash = new int[4 * hash.length];
        Arrays.fill(hash, FREE);
        for (int slot = 0; slot < items.size(); slot++) {
            if (numbers[slot] != first + slot && items.get(slot) != null) {
                insert(slot);
            }
        }
    }

    private void insert(int slot) {
        int at = place(numbers[slot]);
        while (hash[at] != FREE) {
            at = next(at);
        }
        hash[at] = slot;
    }

    private int place(int number) {
        return (number * GOLDEN) >>> (Integer.numberOfLeadingZeros(hash.length) + 1);
    }

    private int next(int at) {
        return (at + 1) & (hash.length - 1);
    }

    /** Returns the slot of a number, -1 if nobody has it. */
    int slot(int number) {
        int direct = number - first;
        if (direct >= 0 && direct < items.size() && numbers[direct] == number && items.get(direct) != null) {
            return direct;
        }
        for (int at = place(number); hash[at] != FREE; at = next(at)) {
            int slot = hash[at];
            if (numbers[slot] == number && items.get(slot) != null) {
                return slot;
            }
        }
        return FREE;
    }

    /** Returns the object of a number, null if nobody has it. */
    @Nullable
    T find(int number) {
        int slot = slot(number);
        return slot < 0 ? null : items.get(slot);
    }

    /** Returns the object in a slot, null if it was removed. */
    @Nullable
    T at(int slot) {
        return slot >= 0 && slot < items.size() ? items.get(slot) : null;
    }

    /** Takes the object of a number out; the number may be used again, the slot is not. */
    void remove(int number) {
        int slot = slot(number);
        if (slot >= 0) {
            items.set(slot, null);
        }
    }
}
