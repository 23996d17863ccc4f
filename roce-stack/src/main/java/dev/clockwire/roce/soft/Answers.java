package dev.clockwire.roce.soft;

/** What one queue pair still has to answer, in the order of the requests. */
final class Answers {
    static final int ACK = 0;
    static final int READ = 1;
    static final int ATOMIC = 2;

    /** More than a peer that keeps the rules can have open; what a hostile one asks beyond that is dropped as if it were lost. */
    private static final int MAX = 1024;

    /** One answer; a READ's is many packets. */
    static final class Answer {
        int kind;
        int psn;
        int resource;
        int syndrome;
        int msn;
        long va;
        int rkey;
        long length;
        int next;
        int end;
        long original;
    }

    private Answer[] ring = new Answer[4];
    private int head;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    boolean isFull() {
        return size == MAX;
    }

    Answer first() {
        return ring[head];
    }

    /** Appends an answer, to be filled. */
    Answer add() {
        if (size == ring.length) {
            grow();
        }
        int slot = head + size++ & ring.length - 1;
        Answer answer = ring[slot];
        if (answer == null) {
            answer = new Answer();
            ring[slot] = answer;
        }
        return answer;
    }

    private void grow() {
        Answer[] larger = new Answer[2 * ring.length];
        for (int i = 0; i < size; i++) {
            larger[i] = ring[head + i & ring.length - 1];
        }
        ring = larger;
        head = 0;
    }

    void remove() {
        head = head + 1 & ring.length - 1;
        size--;
    }

    void clear() {
        head = 0;
        size = 0;
    }
}
