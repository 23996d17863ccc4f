package dev.clockwire.nic.lab;

import dev.clockwire.pcie.link.DataLinkSpec;
import dev.clockwire.pcie.link.LinkDirection;
import dev.clockwire.pcie.link.LinkErrors;
import dev.clockwire.pcie.link.LinkTroubles;
import dev.clockwire.pcie.link.TlpFault;
import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.PacketFault;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import java.util.ArrayList;
import java.util.List;

/** What a fault plan does to packets on the PCIe links of a lab: rules about packets, as the links understand them. */
public final class PacketFaults {
    private PacketFaults() {}

    /** Adds what a plan does to a host's packets to what may go wrong on its link. */
    static LinkTroubles planned(LinkTroubles given, FaultPlan plan, String host) {
        List<TlpFault> faults = new ArrayList<>(given.tlpFaults());
        List<DataLinkSpec.Damage> damages = new ArrayList<>();
        for (FaultRule rule : plan.rules()) {
            if (rule.action() instanceof FaultAction.OnPacket on && on.node().equals(host)) {
                faults.addAll(faults(rule, on));
                damages.addAll(damages(rule, on));
            }
        }
        DataLinkSpec layer = given.dataLink();
        if (!damages.isEmpty()) {
            layer = (layer == null ? DataLinkSpec.of(0) : layer).damage(damages.toArray(new DataLinkSpec.Damage[0]));
        }
        return new LinkTroubles(layer, faults, given.completionTimeoutPs());
    }

    /**
     * Checks a rule about packets.
     *
     * @throws ConfigurationException if it is set off by something else than numbers, or cannot happen to such packets
     */
    public static void check(FaultRule rule) {
        if (rule.action() instanceof FaultAction.OnPacket on) {
            faults(rule, on);
            damages(rule, on);
        }
    }

    private static List<Long> numbers(FaultRule rule) {
        if (rule.trigger() instanceof FaultTrigger.Frames frames) {
            return frames.numbers();
        }
        throw new ConfigurationException("packets between host and device are chosen by their numbers only");
    }

    private static boolean damages(FaultAction.OnPacket on) {
        return on.what() == PacketFault.CORRUPT_TLP || on.what() == PacketFault.CORRUPT_DLLP;
    }

    private static List<TlpFault> faults(FaultRule rule, FaultAction.OnPacket on) {
        if (damages(on)) {
            return List.of();
        }
        TlpType type = type(on.type());
        TlpFault.What what = switch (on.what()) {
            case DELAY -> TlpFault.What.DELAY;
            case POISON -> TlpFault.What.POISON;
            case MALFORM -> TlpFault.What.MALFORM;
            case UR -> TlpFault.What.REFUSE;
            case CA -> TlpFault.What.ABORT;
            default -> TlpFault.What.LOSE;
        };
        long delay = what == TlpFault.What.DELAY ? rule.delayPs() : 0;
        return numbers(rule).stream()
                .map(n -> new TlpFault(on.toHost(), type, n, what, delay))
                .toList();
    }

    private static List<DataLinkSpec.Damage> damages(FaultRule rule, FaultAction.OnPacket on) {
        if (!damages(on)) {
            return List.of();
        }
        boolean dllp = on.what() == PacketFault.CORRUPT_DLLP;
        return numbers(rule).stream()
                .map(n -> new DataLinkSpec.Damage(on.toHost(), dllp, n))
                .toList();
    }

    private static TlpType type(String label) {
        List<String> labels = new ArrayList<>();
        for (TlpType type : TlpType.values()) {
            if (type.label().equals(label)) {
                return type;
            }
            labels.add(type.label());
        }
        throw new ConfigurationException("unknown packet type '" + label + "'" + Nearest.hint(label, labels));
    }

    /** Returns how often a rule about packets has struck on its host's link. */
    static long hits(FaultRule rule, FaultAction.OnPacket on, LabHost host) {
        LinkDirection receiver = on.toHost()
                ? host.host().port(0).transmitter()
                : host.nic().endpoint().transmitter();
        LinkErrors errors = receiver.errors();
        long arrived = errors == null ? 0 : errors.arrived(on.what() == PacketFault.CORRUPT_DLLP);
        long damaged =
                damages(rule, on).stream().filter(d -> d.number() <= arrived).count();
        return damaged + faults(rule, on).stream().mapToLong(receiver::struck).sum();
    }
}
