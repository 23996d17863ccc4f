package dev.clockwire.bench.cli;

import dev.clockwire.bench.nvmf.StackKind;
import dev.clockwire.bench.nvmf.Stacks;
import dev.clockwire.bench.nvmf.TransportId;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import dev.clockwire.storage.nvmf.initiator.SubsystemAddress;
import dev.clockwire.storage.perf.LocalSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reads {@code -r} and {@code -b}: where the controllers are. */
final class NvmfTransports {
    private static final String OPTION = "-r";

    private final NvmfPerfOptions options;
    private final NvmfOptions own;
    private final List<TransportId> ids;

    NvmfTransports(NvmfPerfOptions options, NvmfOptions own) {
        this.options = options;
        this.own = own;
        ids = options.transports.stream()
                .map(t -> options.read(OPTION, label -> {
                    try {
                        return TransportId.parse(t);
                    } catch (ConfigurationException e) {
                        throw CliException.usage(label + ": " + e.getMessage());
                    }
                }))
                .toList();
    }

    List<TransportId> ids() {
        return ids;
    }

    /** Returns the stack: that of the options, but where all controllers are on the local PCIe. */
    StackKind kind() {
        boolean local = !ids.isEmpty() && ids.stream().allMatch(TransportId::isLocal);
        return local && own.stack == null ? StackKind.LOCAL : own.kind();
    }

    /** What would be passed over is refused: nobody shall think that it has had an effect. */
    void check(StackKind stack) {
        boolean local = stack == StackKind.LOCAL;
        if (!local && !options.allowed.isEmpty()) {
            throw CliException.usage("-b is for local SSDs: a fabric's are chosen by -r");
        }
        if (!local && ids.size() > 1) {
            throw CliException.usage("-r: a fabric has one target, so it may stand once");
        }
        for (TransportId t : ids) {
            if (local != t.isLocal()) {
                throw wrong(
                        t, "trtype", "is not on the way to " + (local ? "local SSDs" : "a target of --stack " + stack));
            }
            if (!local) {
                checkFabric(t, stack);
            }
        }
    }

    private CliException wrong(TransportId t, String key, String why) {
        return wrong(key + ":" + t.value(key) + (why.startsWith("is ") ? " " : ": ") + why);
    }

    private CliException wrong(String text) {
        return options.read(OPTION, label -> {
            String whole = label + (label.equals(OPTION) ? " " : ": ") + text;
            return label.equals(OPTION) ? CliException.usage(whole) : CliException.input(whole);
        });
    }

    private void checkFabric(TransportId t, StackKind stack) {
        String type = stack == StackKind.KERNEL_TCP ? "TCP" : "RDMA";
        if (!t.value("trtype").equalsIgnoreCase(type)) {
            String other = type.equals("TCP") ? "" : "; --stack kernel-tcp has TCP";
            throw wrong(t, "trtype", "--stack " + stack + " has " + type + other);
        }
        String family = t.value("adrfam");
        if (!family.isEmpty() && !family.equalsIgnoreCase("IPv4")) {
            throw wrong(t, "adrfam", "must be IPv4");
        }
        for (String key : List.of("hostaddr", "hostsvcid", "hostnqn", "priority")) {
            if (!t.value(key).isEmpty()) {
                throw wrong(t, key, "not simulated on a fabric");
            }
        }
        int namespaces = own.ssds * own.namespaces;
        String ns = t.value("ns");
        if (!ns.isEmpty() && !(ns.matches("[0-9]{1,9}") && isIn(Integer.parseInt(ns), 1, namespaces))) {
            throw wrong(t, "ns", "must be 1 to " + namespaces + ", the namespaces that there are");
        }
        SubsystemAddress where;
        try {
            where = Stacks.where(t, stack);
        } catch (ConfigurationException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
        String there = Stacks.subsystem(stack);
        if (!where.subsystem().equals(there)) {
            String near = Nearest.hint(where.subsystem(), List.of(there));
            throw wrong(t, "subnqn", "the target has no such subsystem" + near);
        }
    }

    private static boolean isIn(int value, int least, int most) {
        return value >= least && value <= most;
    }

    /** Returns the local SSDs that {@code -r} and {@code -b} name, by their PCIe addresses. */
    List<LocalSpec.Target> targets() {
        List<LocalSpec.Target> list = new ArrayList<>();
        for (TransportId t : ids) {
            if (t.isLocal()) {
                options.read(OPTION, label -> list.addAll(targets(t, label)));
            }
        }
        options.allowed.forEach(b -> list.add(new LocalSpec.Target(ssd("", b), 0)));
        return list;
    }

    private List<LocalSpec.Target> targets(TransportId t, String label) {
        List<LocalSpec.Target> list = new ArrayList<>();
        String at = t.value("traddr");
        String ns = t.value("ns");
        int nsid = ns.isEmpty() ? 0 : (int) Capacity.parse(label + " ns:", ns, 1, own.namespaces);
        for (int i = 0; i < own.ssds; i++) {
            if (at.isEmpty() || i == ssd(label.equals(OPTION) ? "" : label + ": ", at)) {
                list.add(new LocalSpec.Target(i, nsid));
            }
        }
        return list;
    }

    private int ssd(String place, String address) {
        List<String> known = new ArrayList<>();
        for (int i = 0; i < own.ssds; i++) {
            known.add(String.format(Locale.ROOT, "0000:%02x:00.0", i + 1));
        }
        String full = address.indexOf(':') == address.lastIndexOf(':') ? "0000:" + address : address;
        if (!known.contains(full)) {
            throw CliException.usage(place + CliException.unknownText("PCIe address", address, known));
        }
        return known.indexOf(full);
    }
}
