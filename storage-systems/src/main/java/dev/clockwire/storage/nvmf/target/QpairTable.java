package dev.clockwire.storage.nvmf.target;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The queues of a poller by the numbers of their queue pairs, sorted. */
final class QpairTable {
    private int[] numbers = new int[8];
    private @Nullable RdmaQpair[] qpairs = new @Nullable RdmaQpair[8];
    private int count;

    private int find(int number) {
        return Arrays.binarySearch(numbers, 0, count, number);
    }

    @Nullable
    RdmaQpair get(int number) {
        int i = find(number);
        return i < 0 ? null : qpairs[i];
    }

    void put(int number, RdmaQpair q) {
        int i = find(number);
        if (i < 0) {
            i = -i - 1;
            if (count == numbers.length) {
                numbers = Arrays.copyOf(numbers, 2 * count);
                qpairs = Arrays.copyOf(qpairs, 2 * count);
            }
            System.arraycopy(numbers, i, numbers, i + 1, count - i);
            System.arraycopy(qpairs, i, qpairs, i + 1, count - i);
            count++;
        }
        numbers[i] = number;
        qpairs[i] = q;
    }

    void remove(int number) {
        int i = find(number);
        if (i >= 0) {
            count--;
            System.arraycopy(numbers, i + 1, numbers, i, count - i);
            System.arraycopy(qpairs, i + 1, qpairs, i, count - i);
            qpairs[count] = null;
        }
    }
}
