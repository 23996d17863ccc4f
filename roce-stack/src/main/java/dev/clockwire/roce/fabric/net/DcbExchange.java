package dev.clockwire.roce.fabric.net;

import dev.clockwire.roce.wire.AppPriority;
import dev.clockwire.roce.wire.DcbSettings;
import dev.clockwire.roce.wire.EtsSettings;
import dev.clockwire.roce.wire.PfcSettings;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What comes of an exchange of settings between the two ends of a link. Source: IEEE 802.1Qaz, clause 38 and annex D: transmission selection is
 * asymmetric (a willing port takes over what the far end recommends), priority flow control symmetric (a willing port takes over what the other
 * does; of two willing ones the one with the lower address keeps its own).
 */
public final class DcbExchange {
    private DcbExchange() {}

    /** A difference between two ends that the exchange does not end. */
    public enum Difference {
        /** The far end says nothing of PFC. */
        PFC_SILENT,
        /** Other priorities have PFC. */
        PFC_PRIORITIES,
        /** One end can have PFC on fewer traffic classes than priorities that are to have it. */
        PFC_CAPACITY,
        /** Priorities are in other traffic classes. */
        CLASSES,
        /** Traffic classes have other shares or algorithms. */
        SHARES,
        /** An application's packets have other priorities. */
        APPLICATION
    }

    /**
     * Returns the flow control that a port works with.
     *
     * @param address MAC address of the port
     * @param farAddress of the far end
     * @return null if the port has none of its own
     */
    public static @Nullable PfcSettings pfc(DcbSettings own, long address, DcbSettings far, long farAddress) {
        PfcSettings here = own.pfc();
        PfcSettings there = far.pfc();
        if (here == null || there == null || !here.willing()) {
            return here;
        }
        boolean takes = !there.willing() || Long.compareUnsigned(farAddress, address) < 0;
        return takes ? new PfcSettings(true, here.bypass(), here.capacity(), there.enabled()) : here;
    }

    /** Returns the transmission selection that a port works with; null if it has none of its own. */
    public static @Nullable EtsSettings ets(DcbSettings own, DcbSettings far) {
        EtsSettings here = own.ets();
        EtsSettings there = far.recommended();
        if (here == null || there == null || !here.willing()) {
            return here;
        }
        return new EtsSettings(
                true, here.creditShaper(), here.classes(), there.classOf(), there.shares(), there.algorithms());
    }

    /** Returns what still differs between two ends after the exchange, each once. */
    public static List<Difference> differences(DcbSettings a, long addressA, DcbSettings b, long addressB) {
        List<Difference> found = new ArrayList<>();
        PfcSettings here = pfc(a, addressA, b, addressB);
        PfcSettings there = pfc(b, addressB, a, addressA);
        if (here == null || there == null) {
            if ((here == null) != (there == null)) {
                found.add(Difference.PFC_SILENT);
            }
        } else {
            if (here.enabled() != there.enabled()) {
                found.add(Difference.PFC_PRIORITIES);
            }
            if (isOver(here) || isOver(there)) {
                found.add(Difference.PFC_CAPACITY);
            }
        }
        EtsSettings sends = ets(a, b);
        EtsSettings answers = ets(b, a);
        if (sends != null && answers != null) {
            if (!sends.classOf().equals(answers.classOf())) {
                found.add(Difference.CLASSES);
            }
            if (!sends.shares().equals(answers.shares()) || !sends.algorithms().equals(answers.algorithms())) {
                found.add(Difference.SHARES);
            }
        }
        if (contradict(a.applications(), b.applications())) {
            found.add(Difference.APPLICATION);
        }
        return found;
    }

    private static boolean isOver(PfcSettings pfc) {
        return pfc.capacity() != 0 && Integer.bitCount(pfc.enabled()) > pfc.capacity();
    }

    private static boolean contradict(List<AppPriority> a, List<AppPriority> b) {
        for (AppPriority one : a) {
            for (AppPriority other : b) {
                boolean same = one.selector() == other.selector() && one.protocol() == other.protocol();
                if (same && one.priority() != other.priority()) {
                    return true;
                }
            }
        }
        return false;
    }
}
