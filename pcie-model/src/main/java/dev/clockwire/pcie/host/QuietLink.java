package dev.clockwire.pcie.host;

import dev.clockwire.pcie.link.EarlyEnd;
import dev.clockwire.pcie.link.PcieDevice;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.link.QuietDevice;
import dev.clockwire.pcie.link.QuietHost;
import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.link.TrainRing;
import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.sim.state.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * The reads of a device that a window holds back, without an event for each: an answer makes room for a request, the request is answered
 * a fixed time after it has come, and nobody else has a say in when. So requests, the looks at memory and answers wait until somebody
 * needs to know (a write arrives, a core's step begins, the device sends something, a read ends), and are then done in their order, each as
 * of its own time. When packets wait for credits or somebody taps the link, what is on its way becomes events.
 */
final class QuietLink extends TrainRing implements EarlyEnd, QuietHost {
    private static final long NEVER = Long.MAX_VALUE;

    private final Host host;
    private final RootPort port;
    private final QuietDevice device;
    private final PcieLinkSpec link;
    /** From a request's arrival to its data, at least. */
    private final long shortest;

    /** Requests on their way here, or waiting for memory, that have events. */
    private int events;

    private QuietLink(Host host, RootPort port, QuietDevice device) {
        this.host = host;
        this.port = port;
        this.device = device;
        link = port.device().link();
        shortest = shortest(host.spec());
    }

    /** Joins the ends of a link, null if times of packets on it depend on more than each other. */
    static @Nullable QuietLink join(Host host, RootPort port, PcieDevice device) {
        QuietDevice other = isSimple(host, device.link()) ? device.quiet() : null;
        if (other == null) {
            return null;
        }
        QuietLink made = new QuietLink(host, port, other);
        other.join(made);
        device.transmitter().foreseenBy(made);
        device.transmitter().onDisturbance(made::disturbed);
        port.transmitter().foreseenBy(other);
        port.transmitter().onDisturbance(made::disturbed);
        return made;
    }

    private static boolean isSimple(Host host, PcieLinkSpec link) {
        HostSpec spec = host.spec();
        boolean together = host.accesses() == null && spec.depth().peerPs() == 0;
        boolean sure = link.troubles().dataLink() == null
                && !link.troubles().checks()
                && link.troubles().tlpFaults().isEmpty();
        boolean free = link.downCredits().headers(FlowClass.COMPLETION) == 0
                && link.downCredits().data(FlowClass.COMPLETION) == 0;
        return together && sure && free && spec.holdPs() <= shortest(spec); // credits are back before the answer
    }

    private static long shortest(HostSpec spec) {
        return spec.requestPs() + Math.min(spec.cacheReadPs(), spec.dramReadPs()) + spec.responsePs();
    }

    @Override
    public boolean foresees(TlpTrain train, int from, int to) {
        if (train.flowClass() != FlowClass.NON_POSTED) {
            return false;
        }
        if (!device.isLate()) {
            events += to - from;
            return false;
        }
        push(train, from, to, 0);
        return true;
    }

    /** Returns when something is to be done next, {@code Long.MAX_VALUE} if nothing is known. */
    long due() {
        return Math.min(head(), device.nextAnswer());
    }

    /** Does in turns what is due at either end before a time. */
    void runBefore(long limit) {
        BurstQueue bursts = port.server().bursts();
        for (; ; ) {
            if (device.nextAnswer() < limit) {
                device.catchUp(limit);
            }
            take(limit);
            if (bursts.due() < limit) {
                port.server().serveBurst(limit);
            } else if (device.nextAnswer() >= limit) {
                return;
            }
        }
    }

    /** Takes the requests that have come before a time. */
    private void take(long limit) {
        while (head() < limit) {
            TlpTrain train = train();
            int i = from();
            int stop = end();
            int j = i + 1;
            while (j < stop && train.arrival[j] < limit) {
                j++;
            }
            port.server().foreseen(train, i, j);
            if (j < stop) {
                passTo(j);
                return;
            }
            pop();
        }
    }

    @Override
    public void catchUp(long before) {
        host.hostMemory().seenAt(before);
    }

    @Override
    public boolean isCalm() {
        return port.transmitter().isCalm()
                && host.hostMemory().sanitizer() == null
                && host.sim().journeys() == null;
    }

    /** Times cannot be decided late from now on; who has found that out may not be one who can do something about it. */
    void disturbed() {
        if (device.isLate()) {
            port.server().wakeSoon();
        }
    }

    /** Something has changed, and everything up to now has been done. */
    void reconsider() {
        if (device.isLate()) {
            device.reconsider();
        }
    }

    @Override
    public void wakeUp() {
        long now = host.now();
        take(now + 1);
        while (!isEmpty()) {
            TlpTrain train = train();
            events += end() - from();
            port.arrivals().send(train.arrival[from()], FlowClass.NON_POSTED.index(), from(), end(), train);
            pop();
        }
        events += port.server().wakeUp();
    }

    /** Some more requests have events, or fewer. */
    void events(int more) {
        events += more;
    }

    @Override
    public boolean mayRefuse(long address, int bytes) {
        return host.hostMemory().placement(address, bytes) == null;
    }

    @Override
    public long arrivalNotBefore(int bytes, long issue) {
        if (events > 0 || bytes == 0) {
            return port.transmitter().arrivalNotBefore(host.now(), bytes);
        }
        long served = port.server().bursts().due();
        long request = isEmpty() ? NEVER : head() + shortest;
        long later = issue == NEVER ? NEVER : issue + link.upPs() + shortest;
        long next = Math.min(Math.min(served, request), later);
        return port.transmitter().arrivalNotBefore(next == NEVER ? host.now() : Math.max(next, host.now()), bytes);
    }

    @Override
    public long leastTripPs() {
        return link.upPs() + shortest + link.downPs();
    }

    @Override
    public void save(Snapshot out) {
        super.save(out);
        out.putInt(events);
    }

    @Override
    public void load(Snapshot in) {
        super.load(in);
        events = in.getInt();
    }

    @Override
    public int mostRequests() {
        int headers = link.upCredits().headers(FlowClass.NON_POSTED);
        return headers == 0 ? Integer.MAX_VALUE : headers;
    }
}
