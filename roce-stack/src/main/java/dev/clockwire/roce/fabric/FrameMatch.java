package dev.clockwire.roce.fabric;

import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import dev.clockwire.sim.fault.FaultFilter;
import dev.clockwire.sim.state.Token;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;

/** Passes RoCE packets by opcode and by destination queue pair. */
public final class FrameMatch implements FaultFilter {
    /** The value of a queue pair number that passes all. */
    public static final int ANY_QP = -1;

    private static final int OPCODES = 256;

    private final BitSet opcodes;
    private final int destQp;

    private FrameMatch(BitSet opcodes, int destQp) {
        this.opcodes = opcodes;
        this.destQp = destQp;
    }

    /**
     * Creates a filter.
     *
     * @param opcodes names as in the standard, such as {@code RC_ACKNOWLEDGE}; a star at an end stands for anything: {@code RC_RDMA_READ*}.
     *     Empty for all
     * @param destQp queue pair number in the BTH, or {@link #ANY_QP}
     * @throws ConfigurationException if a name fits no opcode
     */
    public static FrameMatch of(List<String> opcodes, int destQp) {
        BitSet chosen = new BitSet(OPCODES);
        for (String name : opcodes) {
            int before = chosen.cardinality();
            Stream.of(Opcode.values()).filter(o -> fits(name, o.name())).forEach(o -> chosen.set(o.code()));
            if (chosen.cardinality() == before) {
                List<String> valid = Stream.of(Opcode.values()).map(Enum::name).toList();
                throw new ConfigurationException("no opcode is called " + name + Nearest.hint(name, valid));
            }
        }
        if (opcodes.isEmpty()) {
            chosen.set(0, OPCODES);
        }
        return new FrameMatch(chosen, destQp);
    }

    /** Creates a filter that passes one opcode. */
    public static FrameMatch opcode(Opcode opcode) {
        return of(List.of(opcode.name()), ANY_QP);
    }

    private static boolean fits(String pattern, String name) {
        boolean open = pattern.startsWith("*");
        boolean goesOn = pattern.endsWith("*") && pattern.length() > 1;
        String core = pattern.substring(open ? 1 : 0, pattern.length() - (goesOn ? 1 : 0));
        if (open) {
            return goesOn ? name.contains(core) : name.endsWith(core);
        }
        return goesOn ? name.startsWith(core) : name.equals(core);
    }

    @Override
    public boolean matches(Token thing) {
        return thing instanceof RocePacket packet
                && opcodes.get(packet.opcode)
                && (destQp == ANY_QP || destQp == packet.destQp);
    }
}
