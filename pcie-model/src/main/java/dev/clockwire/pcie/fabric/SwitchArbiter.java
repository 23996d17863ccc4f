package dev.clockwire.pcie.fabric;

import dev.clockwire.pcie.link.OrderingRules;
import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.pcie.tlp.TlpSplit;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Who may send next. There is a queue for every pair of ports and class. Of each class one packet at a time is with an outgoing link,
 * and when it has left the next port has its turn; so a read without credits stops no write, and no port stops another.
 */
final class SwitchArbiter implements State {
    private static final int FREE = -1;
    private static final FlowClass[] CLASSES = FlowClass.values();
    private static final int POSTED = FlowClass.POSTED.index();

    private final int ports;
    /** Source of the switch's own answers, besides the ports. */
    private final int own;

    private final List<PacketQueue> queues = new ArrayList<>();
    private final int[] turn;
    private final int[] holder;
    private final int[] units;
    private long taken;

    SwitchArbiter(int ports) {
        this.ports = ports;
        own = ports;
        for (int i = 0; i < (ports + 1) * ports * CLASSES.length; i++) {
            queues.add(new PacketQueue());
        }
        turn = new int[ports * CLASSES.length];
        holder = new int[turn.length];
        units = new int[turn.length];
        Arrays.fill(holder, FREE);
    }

    /** Returns the source of packets that came in at no port. */
    int own() {
        return own;
    }

    private PacketQueue queue(int from, int to, int c) {
        return queues.get((from * ports + to) * CLASSES.length + c);
    }

    void add(int from, int to, TlpTrain train, int packet) {
        queue(from, to, train.flowClass().index()).add(train, packet, taken++);
    }

    /** Hands to a link what has its turn and may leave. Posted first: what waits behind it may then follow. */
    void dispatch(int to, SwitchPort out) {
        for (int c = 0; c < CLASSES.length; c++) {
            int slot = to * CLASSES.length + c;
            for (int k = 1; k <= ports + 1 && holder[slot] == FREE; k++) {
                int from = (turn[slot] + k) % (ports + 1);
                PacketQueue q = queue(from, to, c);
                if (!q.isEmpty() && !behindWrite(from, to, c, q)) {
                    TlpTrain train = q.train();
                    int packet = q.from();
                    q.remove();
                    turn[slot] = from;
                    holder[slot] = from;
                    units[slot] = TlpSplit.dataCredits(train.dataDw(packet));
                    out.send(train, packet);
                }
            }
        }
    }

    private boolean behindWrite(int from, int to, int c, PacketQueue q) {
        PacketQueue writes = queue(from, to, POSTED);
        return c != POSTED
                && !writes.isEmpty()
                && writes.order() < q.order()
                && !OrderingRules.mayPass(CLASSES[c], FlowClass.POSTED, q.train().relaxed, false);
    }

    /** The packet of a class that was with a link has left; returns the source it came from. */
    int left(int to, int c) {
        int slot = to * CLASSES.length + c;
        int from = holder[slot];
        holder[slot] = FREE;
        return from;
    }

    /** Returns the data credits of the packet that was with a link last. */
    int units(int to, int c) {
        return units[to * CLASSES.length + c];
    }

    /** Returns packets that wait for their turn at a port. */
    int waiting(int to) {
        int n = 0;
        for (int from = 0; from <= ports; from++) {
            for (int c = 0; c < CLASSES.length; c++) {
                n += queue(from, to, c).size();
            }
        }
        return n;
    }

    @Override
    public void save(Snapshot out) {
        for (int i = 0; i < queues.size(); i++) {
            queues.get(i).save(out);
        }
        for (int i = 0; i < turn.length; i++) {
            out.putInt(turn[i]);
            out.putInt(holder[i]);
            out.putInt(units[i]);
        }
        out.putLong(taken);
    }

    @Override
    public void load(Snapshot in) {
        for (int i = 0; i < queues.size(); i++) {
            queues.get(i).load(in);
        }
        for (int i = 0; i < turn.length; i++) {
            turn[i] = in.getInt();
            holder[i] = in.getInt();
            units[i] = in.getInt();
        }
        taken = in.getLong();
    }
}
