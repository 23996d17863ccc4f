package dev.clockwire.pcie.link;

import dev.clockwire.pcie.tlp.TlpHeader;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/** Packets on their way out, while somebody looks. */
final class TapPort extends EventPort {
    @Nullable
    TlpTap observer;

    private final boolean upstream;
    private final TlpHeader header = new TlpHeader();

    TapPort(SimNode target, String name, boolean upstream) {
        super(target, name);
        this.upstream = upstream;
    }

    @Override
    protected void event(int kind, long a, long b, @Nullable Token token) {
        TlpTap seen = observer;
        if (seen != null && token instanceof TlpTrain train) {
            int i = (int) a;
            train.header(i, header);
            int n = header.type.hasData() ? train.bytes(i) : 0;
            seen.tlp(now(), upstream, header, train.data, train.offset[i], n);
        }
    }
}
