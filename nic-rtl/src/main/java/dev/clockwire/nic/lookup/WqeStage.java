package dev.clockwire.nic.lookup;

import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.stage.LatencyStage;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Scope;
import java.util.List;

/** One pipeline stage of WQEs: the parser, the QP context, the end-to-end context or the translation. */
public final class WqeStage extends LatencyStage<Wqe> {
    private final DeviceParts parts;
    private final boolean parses;
    private final int stage;

    /**
     * Creates a stage.
     *
     * @param parses whether the WQE's fields are read here
     * @param stage number of the journal's stage whose end this is, 0 if it is the end of none
     */
    public WqeStage(
            Scope parent,
            String name,
            Clock clock,
            List<Channel<Wqe>> in,
            Channel<Wqe> out,
            int cycles,
            boolean parses,
            int stage,
            DeviceParts parts) {
        super(parent, name, clock, in, out, cycles);
        this.parts = parts;
        this.parses = parses;
        this.stage = stage;
    }

    /** What was fetched goes first: a BlueFlame WQE may be the next of the same queue, and must not overtake. */
    @Override
    protected boolean fair() {
        return false;
    }

    @Override
    protected void enter(Wqe wqe, long cycle) {
        if (parses && !wqe.opaque) {
            QpContext qp = parts.table().qp(wqe.qpn);
            int qpn = wqe.qpn;
            wqe.parse(qp != null && qp.type == QpType.UD);
            wqe.valid &= wqe.qpn == qpn;
            wqe.qpn = qpn;
        }
    }

    @Override
    protected void leave(Wqe wqe, long entered, long cycle) {
        if (stage != 0) {
            parts.journal().stamp(wqe.journey, stage, 0, clock().edgeTime(entered), clock().edgeTime(cycle + 1));
        }
    }
}
