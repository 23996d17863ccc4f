package dev.clockwire.bench.config.model;

import dev.clockwire.roce.fabric.net.DcbExchange;
import dev.clockwire.roce.wire.DcbSettings;
import dev.clockwire.roce.wire.EtsSettings;
import dev.clockwire.roce.wire.PfcSettings;
import java.util.ArrayList;
import java.util.List;

/** What a port tells the other end of its link by DCBX. A switch is not willing and recommends what it does; a host's firmware is willing. */
public final class Told {
    /** Addresses of two ends, where nobody knows them: of two willing ones the first keeps its own. */
    public static final long ADDRESS_A = 0x0200_0000_0001L;

    /** See {@link #ADDRESS_A}. */
    public static final long ADDRESS_B = 0x0200_0000_0002L;

    private static final int PER_CENT = 100;

    private Told() {}

    /** Returns it. */
    public static DcbSettings by(DeviceConfig device, PortConfig port) {
        boolean willing = !device.isSwitch();
        PfcSettings pfc = new PfcSettings(willing, false, PortConfig.CLASSES, device.lossless(port));
        EtsSettings ets = ets(device, port, willing);
        return new DcbSettings(ets, willing ? null : ets, pfc, List.of());
    }

    /** Shares are told in per cent of their sum. */
    private static EtsSettings ets(DeviceConfig device, PortConfig port, boolean willing) {
        List<Integer> classOf = new ArrayList<>();
        List<Integer> shares = new ArrayList<>();
        List<Integer> algorithms = new ArrayList<>();
        long sum = 0;
        for (int tc = 0; tc < PortConfig.CLASSES; tc++) {
            sum += port.on(ClassKey.STRICT, tc) ? 0 : port.whole(ClassKey.SHARE, tc, 0);
        }
        for (int c = 0; c < PortConfig.CLASSES; c++) {
            boolean strict = port.on(ClassKey.STRICT, c) || sum == 0;
            classOf.add(Math.min(PortConfig.CLASSES - 1, device.queueOf(port, c)));
            shares.add(strict ? 0 : (int) (PER_CENT * port.whole(ClassKey.SHARE, c, 0) / sum));
            algorithms.add(strict ? EtsSettings.STRICT : EtsSettings.SHARED);
        }
        return new EtsSettings(willing, false, PortConfig.CLASSES, classOf, shares, algorithms);
    }

    /** Returns the priorities with PFC of a host after the exchange with a switch's port, bit n = priority n. */
    public static int agreed(DeviceConfig host, PortConfig nic, DeviceConfig bridge, PortConfig port) {
        if (nic.whole(PortKey.DCBX, 0) == 0 || port.whole(PortKey.DCBX, 0) == 0) {
            return host.lossless(nic);
        }
        PfcSettings outcome = DcbExchange.pfc(by(host, nic), ADDRESS_A, by(bridge, port), ADDRESS_B);
        return outcome == null ? 0 : outcome.enabled();
    }
}
