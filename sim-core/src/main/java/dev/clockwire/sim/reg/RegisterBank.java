package dev.clockwire.sim.reg;

import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.trace.Signals;
import dev.clockwire.sim.trace.WaveSink;
import dev.clockwire.sim.trace.WaveSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The registers of a block: declared once, they give address decoding, access rules, reset values, waves and the table of the
 * documentation. The block declares them in its constructor and registers the bank as its state.
 *
 * <p>Software accesses 4 or 8 aligned bytes, little-endian. A 64-bit register may be accessed by halves; 8 bytes may cover two 32-bit
 * registers, the lower one first. Where no register is, reads give zero and writes are ignored; both are counted.
 */
public final class RegisterBank implements State, WaveSource {
    private static final int WORD = 4;

    private final SimNode owner;
    private final String path;
    private final String title;
    private final Register[] words; // the register of each 32-bit word
    private final List<Register> registers = new ArrayList<>();
    private final List<RegisterArray> arrays = new ArrayList<>();
    private long holeAccesses;
    private @Nullable WaveSink sink;
    private int firstSignal;

    /**
     * Creates an empty bank.
     *
     * @param name within its owner
     * @param size in bytes, a multiple of 4, at most 1 MiB
     * @param title heading of the generated table
     */
    public RegisterBank(SimNode owner, String name, int size, String title) {
        this.owner = owner;
        this.title = title;
        path = owner.path() + "." + name;
        if (size < WORD || size > 1 << 20 || size % WORD != 0) {
            throw bad("size " + size + ": must be a multiple of 4 from 4 to " + (1 << 20));
        }
        words = new Register[size / WORD];
        owner.sim().addWaveSource(this);
    }

    /** Declares a 32-bit register at an offset that is a multiple of 4. */
    public Register reg32(int offset, String name, String meaning) {
        return add(new Register(this, name, offset, 32, meaning));
    }

    /** Declares a 64-bit register at an offset that is a multiple of 8. */
    public Register reg64(int offset, String name, String meaning) {
        return add(new Register(this, name, offset, 64, meaning));
    }

    /**
     * Declares many 32-bit registers.
     *
     * @param offset of the first, a multiple of 4
     * @param stride bytes from one to the next, a multiple of 4
     */
    public RegisterArray array32(int offset, int stride, int count, String name, String meaning) {
        if (stride < WORD || stride % WORD != 0 || count < 1) {
            throw bad("registers " + name + ": " + count + " every " + stride + " bytes");
        }
        Register element = new Register(this, name, offset, 32, meaning);
        RegisterArray a = new RegisterArray(this, element, stride, count);
        requirePlace(name, offset, WORD);
        requirePlace(name, offset + (count - 1L) * stride, WORD);
        for (RegisterArray other : arrays) {
            if (other.mayMeet(a)) {
                throw bad("registers " + name + " from 0x" + Integer.toHexString(offset) + " on overlap "
                        + other.element().name() + " at 0x"
                        + Long.toHexString(other.element().offset()));
            }
        }
        for (int i = 0; i < count; i++) {
            Register r = words[(offset + i * stride) / WORD];
            if (r != null) {
                throw bad("registers " + name + " overlap " + r.name() + " at 0x" + Long.toHexString(r.offset()));
            }
        }
        requireNew(name);
        arrays.add(a);
        return a;
    }

    /** Software reads {@code size} bytes, 4 or 8; side effects happen. */
    public long read(long offset, int size) {
        Register low = at(offset, size);
        if (low == null && size == WORD) {
            for (int i = 0; i < arrays.size(); i++) {
                int index = arrays.get(i).index(offset);
                if (index >= 0) {
                    return arrays.get(i).read(index);
                }
            }
            holeAccesses++;
            return 0;
        }
        if (size == WORD || (low != null && low.bits() == 64)) {
            return readPart(low, offset, size);
        }
        return read(offset, WORD) | (read(offset + WORD, WORD) << 32);
    }

    private static long readPart(@Nullable Register r, long offset, int size) {
        if (r == null) {
            return 0;
        }
        long x = r.readValue() >>> (8 * (offset - r.offset()));
        r.afterRead();
        return size == WORD ? x & 0xFFFF_FFFFL : x;
    }

    /** Software writes {@code size} bytes, 4 or 8; side effects happen. */
    public void write(long offset, long value, int size) {
        Register low = at(offset, size);
        if (size == WORD || (low != null && low.bits() == 64)) {
            write(low, offset, value, size == WORD ? 0xFFFF_FFFFL : -1L);
            return;
        }
        write(offset, value & 0xFFFF_FFFFL, WORD);
        write(offset + WORD, value >>> 32, WORD);
    }

    /**
     * Software writes some bytes of an aligned word of 4 bytes; side effects happen.
     *
     * @param value the whole word
     * @param enables bit i for byte i, as in the header of a TLP
     */
    public void writeBytes(long offset, long value, int enables) {
        long mask = 0;
        for (int i = 0; i < WORD; i++) {
            mask |= (enables >> i & 1) == 0 ? 0 : 0xFFL << (8 * i);
        }
        write(at(offset, WORD), offset, value, mask);
    }

    private void write(@Nullable Register r, long offset, long value, long mask) {
        if (r != null) {
            int shift = (int) (8 * (offset - r.offset()));
            r.write((value & mask) << shift, mask << shift);
            return;
        }
        for (int i = 0; i < arrays.size(); i++) {
            int index = arrays.get(i).index(offset);
            if (index >= 0) {
                arrays.get(i).write(index, value & mask, mask);
                return;
            }
        }
        holeAccesses++;
    }

    /** Returns the register of a name; the error names the bank. */
    public Register register(String name) {
        for (Register r : registers) {
            if (r.name().equals(name)) {
                return r;
            }
        }
        throw bad("no register " + name
                + Nearest.hint(name, registers.stream().map(Register::name).toList()));
    }

    /** Returns the registers by ascending offset. */
    public List<Register> registers() {
        return List.copyOf(registers);
    }

    /** Returns the arrays in the order declared. */
    public List<RegisterArray> arrays() {
        return List.copyOf(arrays);
    }

    /** Returns how many accesses found no register. */
    public long holeAccesses() {
        return holeAccesses;
    }

    /** Sets all registers to their reset values, without side effects. */
    public void reset() {
        registers.forEach(Register::reset);
        arrays.forEach(RegisterArray::reset);
    }

    /** Returns the registers as a Markdown table, one row for each field. */
    public String markdown() {
        StringBuilder out = new StringBuilder("### " + title + "\n\n");
        out.append("| offset | register | bits | field | access | reset | meaning |\n|---|---|---|---|---|---|---|\n");
        List<Register> all = new ArrayList<>(registers);
        arrays.forEach(a -> all.add(a.element()));
        all.sort(Comparator.comparingLong(Register::offset));
        for (Register r : all) {
            String place = String.format("0x%03x", r.offset());
            for (RegisterArray a : arrays) {
                place = a.element() == r ? a.place() : place;
            }
            rows(out, place, r);
        }
        return out.toString();
    }

    private static void rows(StringBuilder out, String place, Register r) {
        out.append("| ").append(place).append(" | ").append(r.name());
        out.append(" | ").append(r.bits() - 1).append(":0 | | | | ");
        out.append(cell(r.meaning())).append(" |\n");
        for (Field f : r.fields()) {
            String bits = f.width() == 1 ? "" + f.lsb() : (f.lsb() + f.width() - 1) + ":" + f.lsb();
            String reset = f.isComputed() || f.access() == Access.WO ? "-" : "0x" + Long.toHexString(f.reset());
            out.append("| | | ").append(bits).append(" | ").append(f.name()).append(" | ");
            out.append(f.access()).append(" | ").append(reset).append(" | ");
            out.append(cell(f.meaning())).append(" |\n");
        }
    }

    private static String cell(String text) {
        return text.replace("|", "\\|");
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public void trace(Signals signals, WaveSink waves, long ps) {
        if (sink != null) {
            throw new ConfigurationException(path, ps, "already shown as waves");
        }
        firstSignal = signals.count();
        for (Register r : registers) {
            waves.change(signals.vector(path + "." + r.name(), r.bits()), ps, r.stored());
        }
        sink = waves;
    }

    void changed(Register r) {
        WaveSink s = sink;
        int i = s == null ? -1 : registers.indexOf(r); // elements of arrays are no signals
        if (s != null && i >= 0) {
            s.change(firstSignal + i, owner.now(), r.stored());
        }
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(holeAccesses);
        for (Register r : registers) {
            out.putLong(r.stored());
        }
        for (RegisterArray a : arrays) {
            a.save(out);
        }
    }

    @Override
    public void load(Snapshot in) {
        holeAccesses = in.getLong();
        for (Register r : registers) {
            r.load(in.getLong());
        }
        for (RegisterArray a : arrays) {
            a.load(in);
        }
    }

    private @Nullable Register at(long offset, int size) {
        if ((size != WORD && size != 8) || offset % size != 0 || offset < 0 || offset > 4L * words.length - size) {
            throw new ConfigurationException(
                    path,
                    owner.now(),
                    "access of " + size + " bytes at offset 0x"
                            + Long.toHexString(offset) + ": must be 4 or 8, aligned, below 0x"
                            + Long.toHexString(4L * words.length));
        }
        return words[(int) (offset / WORD)];
    }

    private Register add(Register r) {
        int bytes = r.bits() / 8;
        requirePlace(r.name(), r.offset(), bytes);
        for (int at = 0; at < bytes; at += WORD) {
            requireFree(r.name(), r.offset() + at);
            words[(int) ((r.offset() + at) / WORD)] = r;
        }
        requireNew(r.name());
        int at = 0;
        while (at < registers.size() && registers.get(at).offset() < r.offset()) {
            at++;
        }
        registers.add(at, r);
        return r;
    }

    private void requirePlace(String name, long offset, int bytes) {
        if (offset % bytes != 0 || offset < 0 || offset > 4L * words.length - bytes) {
            throw bad("register " + name + " at 0x" + Long.toHexString(offset) + ": must be a multiple of " + bytes
                    + " below 0x" + Long.toHexString(4L * words.length));
        }
    }

    private void requireFree(String name, long offset) {
        Register other = words[(int) (offset / WORD)];
        for (RegisterArray a : arrays) {
            other = a.index(offset) >= 0 ? a.element() : other;
        }
        if (other != null) {
            throw bad("register " + name + " at 0x" + Long.toHexString(offset) + " overlaps " + other.name() + " at 0x"
                    + Long.toHexString(other.offset()));
        }
    }

    private void requireNew(String name) {
        boolean taken = registers.stream().anyMatch(r -> r.name().equals(name))
                || arrays.stream().anyMatch(a -> a.element().name().equals(name));
        if (taken) {
            throw bad("there are two registers " + name);
        }
    }

    private ConfigurationException bad(String why) {
        return new ConfigurationException(path, ConfigurationException.BEFORE_TIME_ZERO, why);
    }
}
