package dev.clockwire.sim.reg;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A register of 32 or 64 bits at an offset of a {@link RegisterBank}. Bits without a field are reserved: zero, writes ignored. */
public final class Register {
    private final RegisterBank bank;
    private final String name;
    private final long offset;
    private final int bits;
    private final String meaning;
    private final List<Field> fields = new ArrayList<>();
    private long value;
    private long resetValue;
    private long writable;
    private long readable;
    private long clearable;
    private boolean computed;
    private @Nullable LongConsumer written;
    private @Nullable Runnable read;

    Register(RegisterBank bank, String name, long offset, int bits, String meaning) {
        this.bank = bank;
        this.name = name;
        this.offset = offset;
        this.bits = bits;
        this.meaning = meaning;
    }

    /** Declares a field that software reads and writes. */
    public Field rw(String field, int lsb, int width, long reset, String what) {
        return add(field, lsb, width, Access.RW, reset, what, null);
    }

    /** Declares a field that the hardware side sets and software reads. */
    public Field ro(String field, int lsb, int width, long reset, String what) {
        return add(field, lsb, width, Access.RO, reset, what, null);
    }

    /** Declares a field that software reads straight from the model. */
    public Field ro(String field, int lsb, int width, LongSupplier source, String what) {
        computed = true;
        return add(field, lsb, width, Access.RO, 0, what, source);
    }

    /** Declares a field that software writes and that reads as zero. */
    public Field wo(String field, int lsb, int width, String what) {
        return add(field, lsb, width, Access.WO, 0, what, null);
    }

    /** Declares a field of events: the hardware side raises bits, software clears those it writes as one. */
    public Field rw1c(String field, int lsb, int width, long reset, String what) {
        return add(field, lsb, width, Access.RW1C, reset, what, null);
    }

    /** Calls back after each write by software, with the value written (for a half or part access the other bits are zero). */
    public Register onWrite(LongConsumer action) {
        written = action;
        return this;
    }

    /** Calls back after each read by software, as for registers that are cleared by reading. */
    public Register onRead(Runnable action) {
        read = action;
        return this;
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns the offset in the bank, in bytes. */
    public long offset() {
        return offset;
    }

    /** Returns the width, 32 or 64. */
    public int bits() {
        return bits;
    }

    /** Returns one line that says what it is for. */
    public String meaning() {
        return meaning;
    }

    /** Returns the fields by ascending bit. */
    public List<Field> fields() {
        return List.copyOf(fields);
    }

    String path() {
        return bank.path() + "." + name;
    }

    long stored() {
        return value;
    }

    void store(long x) {
        if (x != value) {
            value = x;
            bank.changed(this);
        }
    }

    long resetValue() {
        return resetValue;
    }

    void reset() {
        store(resetValue);
    }

    void load(long x) {
        store(x);
    }

    /** What software sees. */
    long readValue() {
        long x = value & readable;
        if (computed) {
            for (int i = 0; i < fields.size(); i++) {
                Field f = fields.get(i);
                if (f.isComputed()) {
                    x |= f.get() << f.lsb();
                }
            }
        }
        return x;
    }

    void afterRead() {
        if (read != null) {
            read.run();
        }
    }

    /** Software writes the bits of {@code mask}. */
    void write(long x, long mask) {
        long plain = writable & mask;
        long cleared = x & clearable & mask;
        store(((value & ~plain) | (x & plain)) & ~cleared);
        if (written != null) {
            written.accept(x & mask);
        }
    }

    private Field add(
            String field, int lsb, int width, Access access, long reset, String what, @Nullable LongSupplier source) {
        if (lsb < 0 || width < 1 || width > bits || lsb > bits - width) {
            throw bad(field, "bits " + lsb + " to " + (lsb + width - 1) + " do not lie in 0 to " + (bits - 1));
        }
        Field f = new Field(this, field, lsb, width, access, reset, what, source);
        if (width < 64 && reset >>> width != 0) {
            throw bad(field, "reset value 0x" + Long.toHexString(reset) + " needs more than " + width + " bits");
        }
        for (Field other : fields) {
            if ((other.mask() & f.mask()) != 0) {
                throw bad(field, "its bits overlap those of " + other.name());
            }
            if (other.name().equals(field)) {
                throw bad(field, "there is one of that name");
            }
        }
        int at = 0;
        while (at < fields.size() && fields.get(at).lsb() < lsb) {
            at++;
        }
        fields.add(at, f);
        resetValue |= reset << lsb;
        value |= reset << lsb;
        writable |= access == Access.RW || access == Access.WO ? f.mask() : 0;
        readable |= access == Access.WO || source != null ? 0 : f.mask();
        clearable |= access == Access.RW1C ? f.mask() : 0;
        return f;
    }

    private ConfigurationException bad(String field, String why) {
        return new ConfigurationException(
                path(), ConfigurationException.BEFORE_TIME_ZERO, "field " + field + ": " + why);
    }
}
