package dev.clockwire.sim.reg;

import dev.clockwire.sim.error.InvariantViolation;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Some bits of a {@link Register}, with one kind of access. The methods are what the hardware side sees. */
public final class Field {
    private final Register register;
    private final String name;
    private final int lsb;
    private final int width;
    private final Access access;
    private final long reset;
    private final String meaning;
    private final @Nullable LongSupplier source;

    Field(
            Register register,
            String name,
            int lsb,
            int width,
            Access access,
            long reset,
            String meaning,
            @Nullable LongSupplier source) {
        this.register = register;
        this.name = name;
        this.lsb = lsb;
        this.width = width;
        this.access = access;
        this.reset = reset;
        this.meaning = meaning;
        this.source = source;
    }

    /** Returns the value, right-aligned; of a write-only field what software wrote last. */
    public long get() {
        return (source == null ? register.stored() >>> lsb : source.getAsLong()) & ones();
    }

    /** Returns whether any bit is set. */
    public boolean isSet() {
        return get() != 0;
    }

    /** Sets the value from the hardware side, whatever software may do. */
    public void set(long value) {
        if (source != null || (value & ~ones()) != 0) {
            throw new InvariantViolation(
                    register.path(),
                    InvariantViolation.BEFORE_TIME_ZERO,
                    "field " + name + " of "
                            + width + " bits cannot be set to 0x" + Long.toHexString(value)
                            + (source == null ? "" : ": it is read from the model"));
        }
        register.store((register.stored() & ~mask()) | (value << lsb));
    }

    /** Sets bits from the hardware side and leaves the others, as events do in a RW1C field. */
    public void raise(long bits) {
        set(get() | bits);
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns the lowest bit number. */
    public int lsb() {
        return lsb;
    }

    /** Returns the number of bits. */
    public int width() {
        return width;
    }

    /** Returns how software may access it. */
    public Access access() {
        return access;
    }

    /** Returns the value after reset. */
    public long reset() {
        return reset;
    }

    /** Returns one line that says what it is for. */
    public String meaning() {
        return meaning;
    }

    long mask() {
        return ones() << lsb;
    }

    boolean isComputed() {
        return source != null;
    }

    private long ones() {
        return -1L >>> (64 - width);
    }
}
