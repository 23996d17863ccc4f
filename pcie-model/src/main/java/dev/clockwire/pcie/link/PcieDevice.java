package dev.clockwire.pcie.link;

import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** What a host needs to know of a device to attach it: its end of the link and the windows it wants. */
public interface PcieDevice extends LinkEnd {
    /** Returns the link the device is made for. */
    PcieLinkSpec link();

    /** Returns bus, device and function, the requester id of its packets. */
    int id();

    /** Whether packets for a requester or target id are to be sent to this end; a switch answers for what is behind it. */
    default boolean answersTo(int busDeviceFunction) {
        return busDeviceFunction == id();
    }

    /** Whether requests of a function at this end reach a range in one window of another one here without the root complex. */
    default boolean reaches(int requester, long address, long bytes) {
        return false;
    }

    /** Returns the last bus of this end; a switch has more than one. */
    default int lastBus() {
        return id() >>> 8;
    }

    /** Whether a window is the first one behind a bridge: bridges have whole MiB. */
    default boolean beginsBridge(int index) {
        return false;
    }

    /** Names the ids of all functions at this end that keep translations of their own. */
    default void translators(IntConsumer ids) {}

    /** Lets all functions at this end that can keep translations of their own do so: what the driver of an IOMMU does. */
    default void enableTranslation() {}

    /** Returns the trains of this link: what one end takes out the other gives back, so both use one pool. */
    TrainPool trains();

    /** Returns the number of base address registers in use. */
    int bars();

    /** Returns the size of a window in bytes, a power of two; windows count from 0 here, in the order they were opened. */
    long barBytes(int index);

    /** Whether a window has an address of 32 bits. */
    default boolean isNarrow(int index) {
        return false;
    }

    /** Tells the device the bus address of a window, a multiple of its size. */
    void placeBar(int index, long address);

    /** Tells the device that firmware has given all windows addresses. */
    default void enumerated() {}

    /** Returns the device's end if requests and answers of this link need no events while nobody disturbs them, else null. */
    default @Nullable QuietDevice quiet() {
        return null;
    }

    /** Tells the device that the link is complete: the port that takes the credits the device returns by events. */
    void connected(LinkDirection down);
}
