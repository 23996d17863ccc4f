package dev.clockwire.bench.cli;

import dev.clockwire.bench.nvmf.NvmfSpec;
import dev.clockwire.bench.perftest.Provider;
import dev.clockwire.nic.offload.OffloadMemory.Place;
import dev.clockwire.sim.error.Plain;

/** The command line that makes the trace of {@code nvmf perf} again: nothing in it that cannot change the trace. */
final class NvmfCommandText {
    private static final double PS = 1e12;

    private NvmfCommandText() {}

    static String of(NvmfSpec s, NvmfPerfOptions o, NvmfOptions own) {
        StringBuilder t = new StringBuilder("clockwire nvmf perf --stack ").append(s.stack());
        t.append(" --profile ").append(s.profile().name());
        if (s.provider() != Provider.HW) {
            t.append(" --provider ").append(s.provider());
        }
        t.append(" -q ").append(s.load().queueDepth());
        t.append(" -o ").append(s.load().ioBytes());
        t.append(" -w ").append(s.workload());
        if (o.mix != null) {
            t.append(" -M ").append(s.load().readPercent());
        }
        t.append(" -t ").append(Plain.text(s.load().timePs() / PS));
        if (s.load().warmupPs() > 0) {
            t.append(" -a ").append(Plain.text(s.load().warmupPs() / PS));
        }
        t.append(" -c 0x").append(s.cores());
        own.profile
                .overrides()
                .forEach(p -> t.append(" -P ").append(p.path()).append('=').append(p.value()));
        o.pairsOrOverrides.forEach(p -> t.append(" -P ").append(p));
        o.transports.forEach(r -> t.append(" -r '").append(r).append('\''));
        o.allowed.forEach(b -> t.append(" -b ").append(b));
        number(t, "-C", o.mostPerPoll);
        t.append(s.keepAliveMs() < 0 ? "" : " -k " + s.keepAliveMs());
        number(t, "-d", o.number());
        number(t, "-U", o.unused);
        if (o.zipf() != 0) {
            t.append(" -F ").append(Plain.text(o.zipf()));
        }
        if (o.entries != null) {
            t.append(" --io-queue-size ").append(s.use().entries());
        }
        t.append(o.everyCore ? " --use-every-core" : "").append(own.doorbellEach ? " --doorbell-each" : "");
        t.append(own.handOver ? " --hand-over" : "").append(own.adaptive ? " --interrupt-mode" : "");
        t.append(own.offloadMemory == Place.HOST ? "" : " --offload-memory " + EnumConverter.name(own.offloadMemory));
        t.append(own.against == null ? "" : " --against " + own.against);
        t.append(" --media ").append(own.media).append(own.gc ? " --gc" : "");
        t.append(" --ssds ").append(own.ssds).append(" --namespaces ").append(own.namespaces);
        t.append(" --block-size ").append(own.block).append(" --seed ").append(own.seed);
        return t.toString();
    }

    private static void number(StringBuilder t, String option, long value) {
        if (value != 0) {
            t.append(' ').append(option).append(' ').append(value);
        }
    }
}
