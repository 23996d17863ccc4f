package dev.clockwire.nic.lab;

import java.util.Arrays;

/** Names of messages in the order in which they were posted. */
final class NameRing {
    private static final int FIRST = 16;

    private MessageName[] names = new MessageName[FIRST];
    private int head;
    private int size;

    NameRing() {
        Arrays.fill(names, MessageName.NONE);
    }

    void clear() {
        head = 0;
        size = 0;
    }

    void add(MessageName name) {
        if (size == names.length) {
            MessageName[] wider = new MessageName[2 * size];
            Arrays.fill(wider, MessageName.NONE);
            for (int i = 0; i < size; i++) {
                wider[i] = names[(head + i) % size];
            }
            names = wider;
            head = 0;
        }
        names[(head + size++) % names.length] = name;
    }

    /** Returns the oldest, {@link MessageName#NONE} if nobody has named any. */
    MessageName next() {
        if (size == 0) {
            return MessageName.NONE;
        }
        MessageName name = names[head];
        head = (head + 1) % names.length;
        size--;
        return name;
    }
}
