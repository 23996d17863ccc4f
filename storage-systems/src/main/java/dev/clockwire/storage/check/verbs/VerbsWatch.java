package dev.clockwire.storage.check.verbs;

import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.nic.lab.WireTap;
import dev.clockwire.storage.check.monitor.Findings;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;

/** RD-1 to RD-3, RD-5, RD-6 and RD-8 on all machines of a cluster. */
public final class VerbsWatch implements WireTap {
    private final List<VerbsMonitor> hosts = new ArrayList<>();
    private final List<String> names = new ArrayList<>();

    /**
     * Watches from now on: connections that stand already are not known.
     *
     * @param clock gives simulated time in ps
     */
    public VerbsWatch(List<LabHost> hosts, WireCount wire, LongSupplier clock, Findings findings) {
        for (LabHost h : hosts) {
            VerbsMonitor m = new VerbsMonitor(h.name(), clock, findings);
            h.device().tap(m);
            names.add(h.name());
            this.hosts.add(m);
        }
        wire.watch(this);
    }

    @Override
    public void notReady(long ps, int host, int to, int qpn) {
        hosts.get(to).notReady(qpn, names.get(host));
    }

    @Override
    public void readLeft(long ps, int host, int qpn, int underWay) {
        hosts.get(host).readLeft(qpn, underWay);
    }

    /**
     * Nothing is under way any more, for all that programs know.
     *
     * @param runs tells whether the machine of a number runs its program
     */
    public void quiescent(IntPredicate runs) {
        for (int i = 0; i < hosts.size(); i++) {
            if (runs.test(i)) {
                hosts.get(i).quiescent();
            }
        }
    }
}
