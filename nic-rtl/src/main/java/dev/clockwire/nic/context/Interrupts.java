package dev.clockwire.nic.context;

/** The interrupt vectors of the device, as blocks see them. */
public interface Interrupts {
    /** Asks for an interrupt; false: it is pending, and is sent later by whoever unmasks it. */
    boolean request(int vector);

    /** Returns where the message of a vector goes. */
    long address(int vector);

    /** Returns the message of a vector. */
    int data(int vector);

    /** Returns what INT_MOD_CTRL of an event queue says. */
    int moderation(int eqn);

    /** Returns how many entries of an event queue the driver has consumed, modulo 2^32, as it said last. */
    int consumed(int eqn);
}
