package dev.clockwire.storage.perf;

import java.util.Arrays;

/** Commands in the order they came, without objects. */
public final class CommandRing {
    private static final int WORDS = 4;

    private long[] words = new long[16 * WORDS];
    private int head;
    private int count;

    /** Creates an empty one. */
    public CommandRing() {}

    /** Returns whether there is none. */
    public boolean isEmpty() {
        return count == 0;
    }

    /** Adds one behind the others. */
    public void add(int opcode, long lba, int blocks, long va, int tag) {
        int room = words.length / WORDS;
        if (count == room) {
            long[] more = Arrays.copyOfRange(words, head * WORDS, head * WORDS + 2 * words.length);
            System.arraycopy(words, 0, more, (room - head) * WORDS, head * WORDS);
            words = more;
            head = 0;
            room *= 2;
        }
        int at = (head + count++) % room * WORDS;
        words[at] = (long) opcode << 32 | tag;
        words[at + 1] = lba;
        words[at + 2] = blocks;
        words[at + 3] = va;
    }

    /** Takes the first away. */
    public void remove() {
        head = (head + 1) % (words.length / WORDS);
        count--;
    }

    /** Returns the opcode of the first. */
    public int opcode() {
        return (int) (words[head * WORDS] >>> 32);
    }

    /** Returns the tag of the first. */
    public int tag() {
        return (int) words[head * WORDS];
    }

    /** Returns the first block of the first. */
    public long lba() {
        return words[head * WORDS + 1];
    }

    /** Returns the blocks of the first. */
    public int blocks() {
        return (int) words[head * WORDS + 2];
    }

    /** Returns the address of the data of the first. */
    public long va() {
        return words[head * WORDS + 3];
    }
}
