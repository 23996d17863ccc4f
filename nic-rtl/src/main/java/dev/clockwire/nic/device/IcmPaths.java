package dev.clockwire.nic.device;

import dev.clockwire.nic.cache.CqcLookup;
import dev.clockwire.nic.cache.QpcLookup;
import dev.clockwire.nic.cache.Translator;
import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.profile.CacheSpec;
import dev.clockwire.pcie.endpoint.PcieEndpoint;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/** Leads paths of a device through the lookups that the chip's caches need; where all is on the chip they stay as they are. */
final class IcmPaths {
    private static final int DEPTH = 2;

    private final SimNode device;
    private final Clock clock;
    private final PcieEndpoint endpoint;
    private final DeviceParts parts;
    private final @Nullable Translator translator;
    private final @Nullable CqcLookup queues;
    private @Nullable QpcLookup contexts;

    IcmPaths(SimNode device, Clock clock, PcieEndpoint endpoint, DeviceParts parts) {
        this.device = device;
        this.clock = clock;
        this.endpoint = endpoint;
        this.parts = parts;
        translator =
                parts.spec().icm().translates() ? new Translator(device, clock, endpoint.readPort("icm"), parts) : null;
        CacheSpec cqc = parts.spec().icm().cqc();
        queues = cqc == null
                ? null
                : new CqcLookup(device, clock, cqc, parts.spec().icm().ports(), endpoint.readPort("cqc"), parts);
    }

    /** The context lookup of completions on their way to the completion unit. */
    Channel<Completion> queues(String name, Channel<Completion> in) {
        if (queues == null) {
            return in;
        }
        Channel<Completion> out = new Channel<>(device, name + "Out", clock, DEPTH);
        queues.completions(in, out);
        return out;
    }

    /** Lets received packets use the context lookup of WQEs, if they share it. */
    void share(QpcLookup lookup) {
        contexts = parts.spec().icm().qpcShared() ? lookup : null;
    }

    /** The context lookup of received packets, where it shares the cache with that of WQEs; the receiver leaves its cycles out then. */
    Channel<RocePacket> contexts(String name, Channel<RocePacket> in) {
        if (contexts == null) {
            return in;
        }
        Channel<RocePacket> out = new Channel<>(device, name + "Out", clock, DEPTH);
        contexts.packets(in, out, parts.spec().rxLookupCycles());
        return out;
    }

    /** Returns the port for reads of memory that has a key. */
    EventPort reads(String name) {
        EventPort port = endpoint.readPort(name);
        return translator == null ? port : translator.lane(name + "Reads", port);
    }

    /** Returns the port for writes of memory that has a key. */
    EventPort writes(String name) {
        EventPort port = endpoint.writePort(name);
        return translator == null ? port : translator.lane(name + "Writes", port);
    }

    /** Words that must not overtake the writes of the port asked for last. */
    <T extends Token> Channel<T> behind(Channel<T> in, String name) {
        if (translator == null) {
            return in;
        }
        Channel<T> out = new Channel<>(device, name + "Behind", clock, DEPTH);
        translator.behind(in, out);
        return out;
    }

    /** A key is gone. */
    void forget(int key) {
        if (translator != null) {
            translator.forget().send(device.now() + 1, 0, key, 0);
        }
    }
}
