package dev.clockwire.bench.cli;

import dev.clockwire.bench.nvmf.NvmfSpec;
import dev.clockwire.bench.nvmf.StackKind;
import dev.clockwire.storage.nvmf.lab.NvmfLabSpec;
import dev.clockwire.storage.nvmf.subsystem.SubsystemSpec;
import dev.clockwire.storage.nvmf.subsystem.TransportSpec;
import dev.clockwire.storage.perf.LocalSpec;

/** What a controller has room for, told by the option that asks for more, before anything is built. */
final class NvmfLimits {
    private final NvmfSpec spec;
    private final NvmfPerfOptions options;
    private final NvmfOptions own;

    NvmfLimits(NvmfSpec spec, NvmfPerfOptions options, NvmfOptions own) {
        this.spec = spec;
        this.options = options;
        this.own = own;
    }

    void check() {
        if (spec.stack().hasReactors()) {
            Range.check("--ssds", own.ssds, 1, NvmfLabSpec.MOST_SSDS, "over a fabric");
            int all = own.ssds * own.namespaces;
            int most = SubsystemSpec.of(NvmfLabSpec.SUBSYSTEM).maxNamespaces();
            if (all > most) {
                throw CliException.usage("--ssds " + own.ssds + " --namespaces " + own.namespaces + ": " + all
                        + " namespaces, a subsystem has at most " + most);
            }
            boolean one = !spec.transports().isEmpty()
                    && !spec.transports().get(0).value("ns").isEmpty();
            pairs(one ? 1 : all, one ? 1 : all, TransportSpec.rdma().maxIoQpairs());
        } else if (spec.stack() == StackKind.LOCAL) {
            for (int ssd = 0; ssd < own.ssds; ssd++) {
                local(ssd);
            }
        }
    }

    private void local(int ssd) {
        int here = 0;
        int all = 0;
        for (int i = 0; i < own.ssds; i++) {
            int loaded = loaded(i);
            here += i == ssd ? loaded : 0;
            all += loaded;
        }
        if (here > 0) {
            pairs(all, here, spec.ssds().get(ssd).ioQueues());
        }
    }

    private int loaded(int ssd) {
        if (spec.targets().isEmpty()) {
            return own.namespaces;
        }
        int n = 0;
        for (LocalSpec.Target t : spec.targets()) {
            n += t.ssd() != ssd ? 0 : t.nsid() == 0 ? own.namespaces : 1;
        }
        return Math.min(n, own.namespaces);
    }

    /**
     * Cores and namespaces are joined in turns, or all to all.
     *
     * @param all namespaces that are loaded
     * @param here those of the controller
     * @param most its queue pairs
     */
    private void pairs(int all, int here, int most) {
        int cores = spec.cores().count();
        int perNamespace = spec.use().everyCore() ? cores : Math.max(1, (cores + all - 1) / all);
        long wanted = (long) here * perNamespace * spec.use().queuePairs()
                + spec.use().unused();
        if (wanted > most) {
            throw options.read("-c", label -> {
                String text = label + " " + options.cores() + ": " + cores + (cores == 1 ? " core" : " cores")
                        + " with "
                        + spec.use().queuePairs() + " x " + here + " queue pairs"
                        + (spec.use().unused() > 0 ? " and " + spec.use().unused() + " unused" : "") + " need up to "
                        + wanted
                        + " of a controller, which has " + most;
                return label.equals("-c") ? CliException.usage(text) : CliException.input(text);
            });
        }
    }
}
