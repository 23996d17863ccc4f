package dev.clockwire.nic.rx;

import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.state.Token;

/** The first 16 bytes behind the UDP header on their way through the {@link BthParser}, and what it found in them. */
public final class BthBeat extends Token {
    /** Bytes of a beat. */
    public static final int BYTES = 16;

    /** The bytes as they came. */
    public final byte[] bytes = new byte[BYTES];

    /** Behind the parser: the fields of the BTH. */
    public final RocePacket fields = new RocePacket();

    /** Creates a beat of zeros. */
    public BthBeat() {}

    @Override
    protected Token copy() {
        BthBeat b = new BthBeat();
        System.arraycopy(bytes, 0, b.bytes, 0, BYTES);
        b.fields.set(fields);
        b.journey = journey;
        return b;
    }

    @Override
    public long digest() {
        return fields.digest();
    }
}
