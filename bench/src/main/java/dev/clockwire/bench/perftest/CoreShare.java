package dev.clockwire.bench.perftest;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.pcie.host.CpuCore;
import java.util.Locale;

/**
 * What a core did while its side's program ran. The component names are the field names of the JSON document.
 *
 * @param host whose core
 * @param busyFraction share of the time that it spent in steps of the program and in handlers of interrupts, 0 to 1
 * @param cqPollingFraction share of the time that it spent on polls that found nothing; part of the other
 */
public record CoreShare(String host, double busyFraction, double cqPollingFraction) {
    private static final double FULL = 0.98;

    /** What a core had done at a time. */
    record Mark(long ps, long busyPs, long pollingPs) {
        static Mark of(LabHost host) {
            CpuCore core = host.core();
            return new Mark(host.host().sim().now(), core.busyPs() + core.handlerPs(), core.pollingPs());
        }

        /** Returns the shares from this mark until now; a step that has begun is counted as a whole, but never more than all of it. */
        CoreShare until(LabHost host) {
            Mark end = of(host);
            double span = Math.max(1, end.ps - ps);
            return new CoreShare(
                    host.name(),
                    Math.min(1, (end.busyPs - busyPs) / span),
                    Math.min(1, (end.pollingPs - pollingPs) / span));
        }
    }

    /** Returns the share of the time that was spent on work. */
    @JsonIgnore
    public double usefulFraction() {
        return Math.max(0, busyFraction - cqPollingFraction);
    }

    /** Returns whether the core has so little time left that it is what limits the rate of operations. */
    @JsonIgnore
    public boolean isFull() {
        return usefulFraction() >= FULL;
    }

    /** Returns a line that says so. */
    public String limit() {
        return String.format(
                Locale.ROOT,
                " Limited by the core of %s: %.1f %% of its time is work (its parameters are host.cpu.*)",
                host,
                100 * usefulFraction());
    }

    /** Returns a line for the text. */
    public String line() {
        return String.format(
                Locale.ROOT,
                " Core of %s: busy %.1f %%, polling %.1f %%, useful %.1f %%",
                host,
                100 * busyFraction,
                100 * cqPollingFraction,
                100 * usefulFraction());
    }
}
