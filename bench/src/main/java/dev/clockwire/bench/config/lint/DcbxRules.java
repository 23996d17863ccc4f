package dev.clockwire.bench.config.lint;

import dev.clockwire.bench.config.model.DeviceConfig;
import dev.clockwire.bench.config.model.PortConfig;
import dev.clockwire.bench.config.model.PortKey;
import dev.clockwire.bench.config.model.Rule;
import dev.clockwire.bench.config.model.Setting;
import dev.clockwire.bench.config.model.Told;
import dev.clockwire.roce.fabric.net.DcbExchange;
import dev.clockwire.roce.fabric.net.DcbExchange.Difference;
import java.util.List;

/** What comes of DCBX between two ends of a link. */
final class DcbxRules {
    private static final int AUTO = 2;

    private final Book book;

    DcbxRules(Book book) {
        this.book = book;
    }

    /** A port that waits for what the far end says; where the far end is not known only its own side is looked at. */
    void waits(DeviceConfig device, PortConfig port) {
        Setting mode = port.get(PortKey.PFC_MODE);
        if (mode != null && mode.whole() == AUTO && port.whole(PortKey.DCBX, 0) == 0) {
            book.find(
                    Rule.PFC_AUTO_WITHOUT_DCBX,
                    mode.where(),
                    AUTO,
                    Lint.name(device, port) + ": PFC is auto, but the port does not speak DCBX: it stays off",
                    "lldp global enable; lldp tlv-enable dot1-tlv dcbx on the port; or priority-flow-control enable");
        }
    }

    void pair(DeviceConfig a, PortConfig p, DeviceConfig b, PortConfig q) {
        silent(a, p, b, q);
        silent(b, q, a, p);
        if (p.whole(PortKey.DCBX, 0) == 0 || q.whole(PortKey.DCBX, 0) == 0) {
            return;
        }
        List<Difference> differences =
                DcbExchange.differences(Told.by(a, p), Told.ADDRESS_A, Told.by(b, q), Told.ADDRESS_B);
        if (!differences.isEmpty()) {
            Setting at = p.get(PortKey.DCBX);
            book.find(
                    Rule.DCBX_MISMATCH,
                    at == null ? p.where() : at.where(),
                    differences.size(),
                    Lint.name(a, p) + " and " + Lint.name(b, q) + " still differ: "
                            + String.join(
                                    ", ",
                                    differences.stream().map(DcbxRules::words).toList()),
                    "the same settings at both ends, or one end that is willing (mlnx_qos -i IF -d fw)");
        }
    }

    private static String words(Difference difference) {
        return difference.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
    }

    private void silent(DeviceConfig a, PortConfig p, DeviceConfig b, PortConfig q) {
        Setting mode = p.get(PortKey.PFC_MODE);
        Setting far = q.get(PortKey.DCBX);
        if (mode != null && mode.whole() == AUTO && p.whole(PortKey.DCBX, 0) != 0 && far != null && !far.on()) {
            book.find(
                    Rule.PFC_AUTO_WITHOUT_DCBX,
                    far.where(),
                    AUTO,
                    Lint.name(a, p) + " waits for DCBX, which " + Lint.name(b, q) + " does not speak: PFC stays off",
                    "mlnx_qos -i " + q.name() + " -d fw, or priority-flow-control enable on the switch");
        }
    }
}
