package dev.clockwire.pcie.endpoint;

import dev.clockwire.pcie.config.ConfigListener;
import dev.clockwire.pcie.config.ConfigSpace;

/** Does what the configuration space says from now on; what the transmitter has already leaves as it is. */
final class Obedience implements ConfigListener {
    private final PcieEndpoint owner;
    private final ConfigSpace space;
    private final EndpointState s;
    private final Requester requester;
    private final Writer writer;
    private final BarDecoder windows;
    private final EndpointFaults faults;

    Obedience(
            PcieEndpoint owner,
            ConfigSpace space,
            EndpointState s,
            Requester requester,
            Writer writer,
            BarDecoder windows,
            EndpointFaults faults) {
        this.owner = owner;
        this.space = space;
        this.s = s;
        this.requester = requester;
        this.writer = writer;
        this.windows = windows;
        this.faults = faults;
    }

    @Override
    public void changed() {
        requester.collect(owner.now());
        s.masters = space.masters();
        s.maxPayload = space.maxPayload();
        s.relaxed = space.relaxedOrdering();
        s.idBased = owner.link().ordering().idBased() && space.idBasedOrdering();
        requester.number(space, s.idBased);
        faults.obey(space);
        AddressTranslation translation = owner.translation();
        if (translation != null) {
            translation.unit(space.translationShift());
            translation.enable(space.translates());
            translation.send();
        }
        requester.obey(space);
        writer.release();
        requester.lookLater();
    }

    @Override
    public void moved(int number, long address) {
        windows.place(number, address);
    }
}
