package dev.clockwire.pcie.endpoint;

import dev.clockwire.pcie.config.ConfigSpace;
import dev.clockwire.pcie.config.PcieError;
import dev.clockwire.pcie.link.LinkDirection;
import dev.clockwire.pcie.link.QuietDevice;
import dev.clockwire.pcie.link.QuietHost;
import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.link.TrainPool;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.pcie.tlp.TlpHeader;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.Timer;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/**
 * The reads of a device and their answers. Answers are not looked at one by one: what they make room for is issued late, as of its time.
 * So whoever hands a packet to the link, or changes what may be issued, looks first ({@link #collect}), then hands over what was issued
 * ({@link #flush}), and at last sees to it that somebody looks in time ({@link #lookLater}).
 *
 * <p>On a quiet link the host looks at this end as well: answers and the requests that follow from them are done whenever somebody needs
 * to know, and only the end of a read is an event.
 */
final class Requester implements State, QuietDevice {
    private static final int MAX_FLOW = 65_535;

    private final PcieEndpoint owner;
    private final LinkDirection up;
    private final ReadController reads;
    private final Incoming incoming;
    private final Timer answers;
    private final EventPort port;
    private final TlpHeader header = new TlpHeader();
    private @Nullable QuietHost host;
    private boolean late;
    /** Trains of completions that will announce themselves. */
    private int announced;

    Requester(PcieEndpoint owner, LinkDirection up, ReadController reads, TrainPool pool) {
        this.owner = owner;
        this.up = up;
        this.reads = reads;
        incoming = new Incoming(pool);
        answers = new Answers(owner);
        port = new ReadPort(owner, "read");
    }

    EventPort port() {
        return port;
    }

    EventPort port(String client) {
        return new ReadPort(owner, "read." + client);
    }

    /** Takes completions that have announced themselves. */
    void answered(TlpTrain train, int from, int to) {
        announced--;
        incoming.add(train, from, to);
        collect(owner.now());
        lookLater();
    }

    /** Looks at the completions that were there at a time, and issues what they make room for as of their times. */
    void collect(long upTo) {
        QuietHost other = host;
        if (late && other != null) {
            other.catchUp(upTo);
        }
        while (!incoming.isEmpty()) {
            int from = incoming.from();
            int to = reads.waiting() ? incoming.untilNext() : incoming.until(upTo);
            if (to == from || incoming.train().arrival[to - 1] > upTo) {
                break;
            }
            take(from, to);
        }
        reads.flush();
    }

    /** Brings everything up to a time for somebody who looks, without what happens at that time. */
    void lookedAt(long now) {
        QuietHost other = host;
        if (late && other != null) {
            other.catchUp(now);
        }
        collect(now - 1);
    }

    @Override
    public void join(QuietHost other) {
        host = other;
        reads.watchEnds();
    }

    @Override
    public boolean foresees(TlpTrain train, int from, int to) {
        if (train.flowClass() != FlowClass.COMPLETION) {
            return false;
        }
        reads.foresee(train, from, to);
        if (late && announced == 0) {
            incoming.add(train, from, to);
            return true;
        }
        announced++;
        return false;
    }

    @Override
    public boolean isLate() {
        return late;
    }

    @Override
    public long nextAnswer() {
        return late && reads.waiting() ? incoming.dueNext() : Long.MAX_VALUE;
    }

    @Override
    public void catchUp(long before) {
        while (reads.waiting() && incoming.dueNext() < before) {
            take(incoming.from(), incoming.untilNext());
        }
        reads.flush();
    }

    @Override
    public void reconsider() {
        QuietHost other = host;
        if (!mayBeLate()) {
            collect(owner.now());
            lookLater();
        } else if (other != null && answers.armed()) {
            lookAt(Math.min(answers.deadline(), reads.endsNotBefore(answerAfter(), other)));
        }
    }

    private boolean mayBeLate() {
        QuietHost other = host;
        return other != null && other.isCalm() && up.isCalm() && reads.onlyWindowsHold(other.mostRequests());
    }

    private void take(int from, int to) {
        long unexpected = reads.unexpected();
        DmaRead r = reads.complete(incoming.train(), from, to, incoming.train().arrival[to - 1]);
        ConfigSpace config = owner.config();
        if (config != null && reads.unexpected() != unexpected) {
            incoming.train().header(to - 1, header);
            config.errors().report(PcieError.UNEXPECTED_COMPLETION, header, true);
        }
        incoming.passed(to);
        if (r != null) {
            if (late && r.donePs != owner.now()) {
                throw new InvariantViolation(
                        owner.path(), owner.now(), "nobody looked when a read ended at " + r.donePs + " ps");
            }
            giveBack(r);
        }
    }

    /** Uses as many tags as the configuration says, and sets the ID-based ordering attribute or not. */
    void number(ConfigSpace space, boolean idBased) {
        reads.useTags(space.tags(), idBased);
    }

    /** Sends requests, and how large ones, as the configuration says. */
    void obey(ConfigSpace space) {
        reads.obey(space.masters(), space.maxReadRequest(), owner.now());
        flush();
    }

    /** Hands over what has been issued since {@link #collect}. */
    void flush() {
        reads.flush();
    }

    /** Sees to it that the completions on their way are looked at in time; to be called whenever anything has changed. */
    void lookLater() {
        QuietHost other = host;
        if (other != null && mayBeLate()) {
            if (!late || !answers.armed()) { // else nothing that has happened lets a read end earlier
                late = true;
                lookAt(reads.endsNotBefore(answerAfter(), other));
            }
            return;
        }
        if (late && other != null) {
            late = false;
            other.wakeUp();
        }
        if (incoming.isEmpty()) {
            return;
        }
        long due = incoming.dueNext();
        AddressTranslation translation = owner.translation();
        if (!reads.waiting()) {
            due = incoming.dueBefore(Long.MAX_VALUE);
        } else if (reads.mayIssueLate(incoming.left()) && (translation == null || translation.isQuiet())) {
            due = incoming.dueBefore(due + up.delayPs());
        }
        if (!answers.armed() || answers.deadline() != due) {
            answers.arm(due);
        }
    }

    /** Nothing has to be looked at before a read may end. */
    private void lookAt(long end) {
        if (end == Long.MAX_VALUE) {
            answers.cancel();
        } else {
            answers.arm(Math.max(end, owner.now() + 1));
        }
    }

    /** Returns a time before which no answer makes room for a request. */
    private long answerAfter() {
        return incoming.isEmpty() ? owner.now() : Math.max(incoming.dueNext(), owner.now());
    }

    /** Hands packets to the link behind those that would have been issued before now. */
    void submit(TlpTrain train) {
        collect(owner.now());
        up.submit(train);
        lookLater();
    }

    /** Tells whoever reads that a read has ended. */
    void giveBack(DmaRead r) {
        AddressTranslation translation = owner.translation();
        if (translation != null && translation.ended(r)) {
            return;
        }
        ConfigSpace config = owner.config();
        if (config != null && r.status != CompletionStatus.SC) {
            config.errors().refused(r.status);
        }
        if (r.reply != null) {
            r.reply.write(r);
        } else if (r.replyPort != null) {
            r.replyPort.send(owner.now() + 1, 0, 0, 0, r);
        }
    }

    private void read(DmaRead r) {
        if (r.length < 0 || r.window < 1 || r.flow < 0 || r.flow > MAX_FLOW) {
            throw new ConfigurationException(
                    owner.path(),
                    owner.now(),
                    "DMA read with length " + r.length + ", window " + r.window + ", flow " + r.flow
                            + ": must be at least 0, at least 1 and in 0.." + MAX_FLOW);
        }
        collect(owner.now());
        AddressTranslation translation = owner.translation();
        if (translation == null || translation.passes(r)) {
            int slot = reads.accept(r, owner.now());
            flush();
            QuietHost other = host;
            if (late && other != null && answers.armed()) {
                long end = reads.endNotBefore(slot, answerAfter(), other);
                if (end < answers.deadline()) {
                    lookAt(end);
                }
            }
        }
        flush();
        lookLater();
        owner.watchTimeouts();
    }

    @Override
    public void save(Snapshot out) {
        incoming.save(out);
        out.putBoolean(late);
        out.putInt(announced);
    }

    @Override
    public void load(Snapshot in) {
        incoming.load(in);
        late = in.getBoolean();
        announced = in.getInt();
    }

    /** Completions that have announced themselves are due. */
    private final class Answers extends Timer {
        Answers(SimNode target) {
            super(target, "answers");
        }

        @Override
        protected void expired(long at) {
            collect(at);
            lookLater();
        }
    }

    private final class ReadPort extends EventPort {
        ReadPort(SimNode target, String name) {
            super(target, name);
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            if (!(token instanceof DmaRead r)) {
                throw new InvariantViolation(path(), now(), "something other than a DmaRead was sent");
            }
            read(r);
        }
    }
}
