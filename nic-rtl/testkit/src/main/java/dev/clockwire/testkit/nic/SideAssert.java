package dev.clockwire.testkit.nic;

import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.testkit.ModelAssert;

/** One side of a pair: its completions, its buffer, its queue pair. */
public final class SideAssert extends ModelAssert<SideAssert, Pair.Side> {
    SideAssert(Pair.Side actual) {
        super(actual, SideAssert.class, actual.host.name());
    }

    /** Takes the oldest completion off the queue; there must be one. The simulation does not run. */
    public CompletionAssert nextCompletion() {
        WorkCompletion[] one = WorkCompletion.array(1);
        if (actual.cq.poll(one) != 1) {
            throw error(actual.host.name() + ": no completion in CQ " + actual.cq.number()
                    + "; run the simulation until there is one: pair.next(side), or"
                    + " sim.runUntil(side.cq::hasCompletion, limit)");
        }
        return new CompletionAssert(one[0], actual.host.name());
    }

    /** Says that a poll would find nothing. */
    public SideAssert hasNoCompletion() {
        if (actual.cq.hasCompletion()) {
            WorkCompletion[] one = WorkCompletion.array(1);
            actual.cq.poll(one);
            throw error(actual.host.name() + ": expected no completion, found " + one[0]);
        }
        return this;
    }

    /** Says which bytes its buffer holds from an offset on. */
    public SideAssert holds(int offset, byte[] bytes) {
        new BytesAssert(actual.read(offset, bytes.length), actual.host.name(), actual.at(offset)).holds(bytes);
        return this;
    }

    /** Says the state of its queue pair. */
    public SideAssert isIn(QpState state) {
        QpState found = actual.qp.state();
        if (found != state) {
            String text = actual.host.name() + ": QP 0x" + Integer.toHexString(actual.qp.qpn()) + " is in " + found;
            throw error(text + ", expected " + state, state, found);
        }
        return this;
    }
}
