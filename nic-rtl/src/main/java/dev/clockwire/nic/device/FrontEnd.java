package dev.clockwire.nic.device;

import dev.clockwire.nic.cache.QpcLookup;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.fetch.WqeFetch;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.lookup.WqeStage;
import dev.clockwire.nic.profile.CacheSpec;
import dev.clockwire.nic.profile.NicSpec;
import dev.clockwire.nic.stage.Journal;
import dev.clockwire.pcie.endpoint.PcieEndpoint;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.LongChannel;
import java.util.List;

/** Builds the blocks from what the scheduler chooses to WQEs that can be executed: fetch engine, parser and lookups. */
final class FrontEnd {
    private static final int DEPTH = 2;

    private final NicDevice device;
    private final Clock clock;
    private final PcieEndpoint endpoint;
    private final IcmPaths icm;
    private final DeviceParts parts;
    private final NicSpec spec;

    FrontEnd(NicDevice device, Clock clock, PcieEndpoint endpoint, IcmPaths icm, DeviceParts parts) {
        this.device = device;
        this.clock = clock;
        this.endpoint = endpoint;
        this.icm = icm;
        this.parts = parts;
        spec = parts.spec();
    }

    /** Fetch engine, parser and lookups: from what the scheduler chooses to WQEs that can be executed. */
    Channel<Wqe> build(LongChannel fetched, LongChannel fetches, Channel<Wqe> bypass) {
        Channel<Wqe> read = channel("fetchedWqes");
        new WqeFetch(device, clock, fetches, fetched, read, endpoint.readPort("wqe"), parts);
        Journal j = parts.journal();
        Channel<Wqe> parsed = channel("parsed");
        int parse = spec.lookupIncludesParser() ? 0 : j.parse;
        new WqeStage(device, "wqeParser", clock, List.of(read, bypass), parsed, spec.parseCycles(), true, parse, parts);
        Channel<Wqe> out = qpcLookup(parsed, spec.eecCycles() + spec.mttCycles() == 0);
        if (spec.eecCycles() > 0) {
            out = lookup("eecLookup", out, spec.eecCycles(), spec.mttCycles() == 0);
        }
        if (spec.mttCycles() > 0) {
            out = lookup("mttLookup", out, spec.mttCycles(), true);
        }
        return out;
    }

    private Channel<Wqe> qpcLookup(Channel<Wqe> in, boolean last) {
        CacheSpec cache = spec.icm().qpc();
        if (cache == null) {
            return lookup("qpcLookup", in, spec.qpcCycles(), last);
        }
        Channel<Wqe> out = channel("qpcLookupOut");
        QpcLookup lookup = new QpcLookup(device, clock, cache, spec.icm().ports(), endpoint.readPort("qpc"), parts);
        lookup.wqes(in, out, spec.qpcCycles(), last);
        icm.share(lookup);
        return out;
    }

    private Channel<Wqe> lookup(String name, Channel<Wqe> in, int cycles, boolean last) {
        Channel<Wqe> out = channel(name + "Out");
        int stage = last ? parts.journal().lookup : 0;
        new WqeStage(device, name, clock, List.of(in), out, cycles, false, stage, parts);
        return out;
    }

    private Channel<Wqe> channel(String name) {
        return new Channel<>(device, name, clock, DEPTH);
    }
}
