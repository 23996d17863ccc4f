package dev.clockwire.bench.validate;

import dev.clockwire.roce.transport.QpType;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tells which rows can be answered. The rules look at words of the row and at no row's number, source or value. */
final class RowRules {
    private static final String[] NIC_WORDS = {"ConnectX", "mlx", "mlx5", "RoCE", "EFA", "BlueField", "NVMe-oF", "NICs"
    };
    private static final String[] OTHER_STACKS = {"EFA", "SRD", "IONIC"};

    private RowRules() {}

    /** Returns why a row cannot be answered, null if it can. */
    static @Nullable Unsupported refusal(Measurement m) {
        if (Words.any(m.tool(), "pass rule", "vendor expectation")) {
            return Unsupported.VENDOR_RULE;
        }
        if (!RunRules.isPerftest(m)) {
            return otherTool(m);
        }
        if (Words.any(m.tool(), "GPU")) {
            return Unsupported.GPU;
        }
        if (Words.any(m.tool(), OTHER_STACKS) || Words.any(m.nic(), OTHER_STACKS)) {
            return Unsupported.TRANSPORT_OTHER;
        }
        Quantity quantity = Quantity.of(m.metric());
        if (quantity == null) {
            return Unsupported.TAIL;
        }
        return Optional.ofNullable(device(m, quantity)).orElseGet(() -> shape(m, quantity));
    }

    private static Unsupported otherTool(Measurement m) {
        if (!Words.any(m.nic(), NIC_WORDS)) {
            return Unsupported.NOT_A_NIC;
        }
        // a switch of the host is what the row is about: relaxed ordering, IOMMU
        return Words.any(m.tool(), "RO on", "RO off", "IOMMU on", "IOMMU off")
                ? Unsupported.HOST_UNKNOWN
                : Unsupported.TRANSPORT_OTHER;
    }

    private static @Nullable Unsupported device(Measurement m, Quantity quantity) {
        if (DeviceRules.profileOf(m).isEmpty()) {
            return Unsupported.NO_PROFILE;
        }
        // the latency of a small message is half host: of a card without a name nothing is known about it
        boolean slowed = m.note().contains("power sav") || m.note().contains("frequency scaling");
        boolean unknown = quantity.isLatency() && (!DeviceRules.isNamed(m) || slowed);
        return unknown ? Unsupported.HOST_UNKNOWN : null;
    }

    /** A row that leaves the message's size open, or contradicts its tool, describes no run. */
    private static @Nullable Unsupported shape(Measurement m, Quantity quantity) {
        boolean fits = quantity.isLatency() == RunRules.tool(m).isLatency();
        boolean datagram = RunRules.service(m) == QpType.UD;
        return m.size() == 0 || !fits || (datagram && m.size() > 4096) ? Unsupported.HOST_UNKNOWN : null;
    }
}
