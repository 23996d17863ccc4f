package dev.clockwire.roce.wire;

/** A frame between the two ends of a line: it carries no data of anybody, is in no class, and no bridge passes it on or marks it. */
abstract class ControlFrame extends Frame {
    @Override
    public final int payloadBytes() {
        return 0;
    }

    @Override
    public final int flowHash() {
        return 0;
    }

    @Override
    public final int dscp() {
        return 0;
    }

    @Override
    public final int pcp() {
        return -1;
    }

    @Override
    public final boolean ecnCapable() {
        return false;
    }

    @Override
    public final void markCongestion() {
        // not capable: nobody asks
    }
}
