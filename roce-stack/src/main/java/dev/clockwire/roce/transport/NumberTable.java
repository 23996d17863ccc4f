package dev.clockwire.roce.transport;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Objects by number, for numbers that others choose: queue pairs by QPN, memory by key. A look-up costs no more than two
 * array accesses and allocates nothing; the order of numbers is never visible.
 *
 * @param <T> what is kept
 */
public final class NumberTable<T> {
    private static final int FIRST = 16;
    private static final int GOLDEN = 0x9E3779B1;

    private int[] numbers = new int[FIRST];
    private @Nullable Object[] values = new @Nullable Object[FIRST];
    private int shift = Integer.SIZE - Integer.numberOfTrailingZeros(FIRST);
    private int size;

    /** Creates an empty table. */
    public NumberTable() {}

    /** Returns the objects in the table. */
    public int size() {
        return size;
    }

    /** Returns the object of a number, null if there is none. */
    @SuppressWarnings("unchecked") // only put() fills the array
    public @Nullable T get(int number) {
        int i = (number * GOLDEN) >>> shift;
        while (values[i] != null) {
            if (numbers[i] == number) {
                return (T) values[i];
            }
            i = i + 1 & numbers.length - 1;
        }
        return null;
    }

    /** Puts an object under a number, instead of the one that is there. */
    public void put(int number, T value) {
        int i = (number * GOLDEN) >>> shift;
        while (values[i] != null && numbers[i] != number) {
            i = i + 1 & numbers.length - 1;
        }
        size += values[i] == null ? 1 : 0;
        numbers[i] = number;
        values[i] = value;
        if (2 * size > numbers.length) {
            rebuild(2 * numbers.length);
        }
    }

    /** Takes the object of a number away, if there is one. */
    public void remove(int number) {
        int i = (number * GOLDEN) >>> shift;
        while (values[i] != null && numbers[i] != number) {
            i = i + 1 & numbers.length - 1;
        }
        if (values[i] != null) {
            values[i] = null;
            size--;
            closeGap(i);
        }
    }

    /** Takes all objects away, each of which is handed over, in an order that means nothing. */
    @SuppressWarnings("unchecked") // only put() fills the array
    public void clear(Consumer<? super T> gone) {
        for (int i = 0; i < values.length; i++) {
            if (values[i] != null) {
                gone.accept((T) values[i]);
                values[i] = null;
            }
        }
        size = 0;
    }

    /** Moves those back that stood behind the gap only because it was taken. */
    private void closeGap(int gap) {
        int mask = numbers.length - 1;
        for (int i = gap + 1 & mask; values[i] != null; i = i + 1 & mask) {
            int home = (numbers[i] * GOLDEN) >>> shift;
            if ((i - home & mask) >= (i - gap & mask)) {
                numbers[gap] = numbers[i];
                values[gap] = values[i];
                values[i] = null;
                gap = i;
            }
        }
    }

    private void rebuild(int capacity) {
        int[] oldNumbers = numbers;
        @Nullable Object[] oldValues = values;
        numbers = new int[capacity];
        values = new @Nullable Object[capacity];
        shift = Integer.SIZE - Integer.numberOfTrailingZeros(capacity);
        for (int j = 0; j < oldNumbers.length; j++) {
            if (oldValues[j] != null) {
                int i = (oldNumbers[j] * GOLDEN) >>> shift;
                while (values[i] != null) {
                    i = i + 1 & capacity - 1;
                }
                numbers[i] = oldNumbers[j];
                values[i] = oldValues[j];
            }
        }
    }
}
