package dev.clockwire.nic.mac;

import dev.clockwire.nic.ether.EthFrame;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.roce.wire.RocePacket;

/** The line of a MAC that sits at one end of a link. */
public final class LinkLine implements Line {
    private final LinkEnd end;

    /** Joins a MAC to its end of a link; nobody else may send there. */
    public LinkLine(LinkEnd end) {
        this.end = end;
    }

    @Override
    public long send(long earliestPs, RocePacket packet) {
        return end.transmit(earliestPs, packet);
    }

    @Override
    public long send(long earliestPs, EthFrame frame) {
        int payload = frame.length - EthFrame.HEADER_BYTES;
        return end.transmit(earliestPs, frame, end.spec().framing().lineBytes(frame.length), payload);
    }

    @Override
    public long send(long earliestPs, PauseFrame frame) {
        return end.transmit(earliestPs, frame, end.spec().framing().lineBytes(PauseFrame.BYTES), 0);
    }

    @Override
    public long arrival() {
        return end.lastBitAt() + end.spec().flightPs();
    }
}
