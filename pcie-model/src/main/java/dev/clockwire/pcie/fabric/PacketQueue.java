package dev.clockwire.pcie.fabric;

import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.link.TrainRing;

/** Packets of one class on their way from one port of a switch to another, in the order they came. */
final class PacketQueue extends TrainRing {
    /** Returns the place of the next packet among all that the switch has taken. */
    long order() {
        return number();
    }

    void add(TlpTrain train, int packet, long order) {
        push(train, packet, packet + 1, order);
    }

    void remove() {
        pop();
    }
}
