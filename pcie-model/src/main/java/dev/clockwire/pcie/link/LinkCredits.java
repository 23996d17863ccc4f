package dev.clockwire.pcie.link;

import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.pcie.tlp.TlpSplit;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/** The credits that a transmitter has, by class, and how they come back: after a time, or when the receiver says so. */
final class LinkCredits implements State {
    private static final FlowClass[] CLASSES = FlowClass.values();

    private final CreditAccount[] accounts = new CreditAccount[CLASSES.length];
    /** Time from a packet's end at the transmitter to the return of its credits; -1 if the receiver says when. */
    private final long[] loopPs = new long[CLASSES.length];

    private final long tripPs;

    /** Creates the credits that a receiver has advertised; a path and name for errors. */
    LinkCredits(PcieLinkSpec spec, FlowCredits advertised, String path, String name) {
        tripPs = spec.upPs() + spec.downPs();
        receiverHolds(0);
        for (FlowClass c : CLASSES) {
            accounts[c.index()] = new CreditAccount(advertised.headers(c), advertised.data(c));
            int largest = c == FlowClass.NON_POSTED ? 2 : spec.maxPayload() / 16;
            int data = advertised.data(c);
            if (data != 0 && data < largest) {
                throw new ConfigurationException(
                        path,
                        ConfigurationException.BEFORE_TIME_ZERO,
                        name + ": " + data + " data credits for " + c + " are less than the " + largest
                                + " of one packet");
            }
        }
    }

    /** Says how long the receiver keeps a packet before it returns the credits, of all classes. */
    void receiverHolds(long ps) {
        Arrays.fill(loopPs, tripPs + ps);
    }

    void returnByEvent(FlowClass c) {
        loopPs[c.index()] = -1;
    }

    CreditAccount account(int c) {
        return accounts[c];
    }

    /** Returns whether a class's credits are finite and come back after a time, without a word of the receiver. */
    boolean returnsByTime(int c) {
        return loopPs[c] >= 0 && !accounts[c].infinite();
    }

    /** Returns the time from a packet's end at the transmitter to the return of its credits. */
    long loopPs(int c) {
        return loopPs[c];
    }

    /** Returns whether a packet may leave at a time. */
    boolean enough(TlpTrain train, int i, long at) {
        CreditAccount account = accounts[train.flowClass().index()];
        return account.infinite() || account.enough(TlpSplit.dataCredits(train.dataDw(i)), at);
    }

    /**
     * Takes the credits of a packet.
     *
     * @param finish when its last bit leaves
     * @param safe whether it arrives for certain, so that its credits come back for certain
     */
    void pay(int c, int dw, long finish, boolean safe) {
        CreditAccount account = accounts[c];
        if (!account.infinite()) {
            account.pay(TlpSplit.dataCredits(dw), loopPs[c] >= 0 && safe ? finish + loopPs[c] : -1);
        }
    }

    int headersInUse(int c) {
        return accounts[c].infinite() ? 0 : accounts[c].headersInUse();
    }

    int dataInUse(int c) {
        return accounts[c].infinite() ? 0 : accounts[c].dataInUse();
    }

    @Override
    public void save(Snapshot out) {
        for (CreditAccount a : accounts) {
            a.save(out);
        }
    }

    @Override
    public void load(Snapshot in) {
        for (CreditAccount a : accounts) {
            a.load(in);
        }
    }
}
