package dev.clockwire.storage.threefs.mgmtd;

import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.threefs.net.IbSocketSpec;
import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.Method;
import dev.clockwire.storage.threefs.rpc.RpcHandler;
import dev.clockwire.storage.threefs.rpc.RpcNet;
import dev.clockwire.storage.threefs.rpc.RpcPeer;
import dev.clockwire.storage.threefs.rpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The one cluster manager: hears from nodes, and changes chains when one falls silent or comes back. It is primary by itself and never fails; elections are
 * no part of the data path.
 */
public final class Mgmtd implements RpcHandler {
    /** Looks at silence so many times in the time after which a node is lost. */
    private static final int LOOKS = 12;
    /** Bytes that a heartbeat has for each target: chain, state, version of the chain that the node goes by. */
    public static final int LOCAL = 12;

    private final Node node;
    private final ThreeFsTimes times;
    private final RpcNet net;
    private final Questions others;
    private final Map<Integer, Map<Integer, LocalState>> locals = new TreeMap<>();
    private final Map<Integer, Long> heard = new TreeMap<>();
    private final Map<Integer, Long> incarnations = new TreeMap<>();
    private final Decided decided;
    private List<Chain> chains;
    private long version = 1;

    /** Answers what is not about chains. */
    public interface Questions {
        /** Nothing else is answered. */
        Questions NONE = (from, m) -> from.answer(new Message().answers(m, Status.INVALID));

        /** A question came; it is answered now or later. */
        void asked(RpcPeer from, Message m);
    }

    /** Hears of each version of a chain. */
    @FunctionalInterface
    public interface Decided {
        /** It is decided. */
        void table(long ps, Chain chain);
    }

    /** Creates the manager of some chains, numbered from 1, whose nodes count as heard of now. */
    public Mgmtd(
            Node node,
            WireCount wire,
            IbSocketSpec sockets,
            ThreeFsTimes times,
            List<Chain> chains,
            Decided decided,
            Questions others) {
        this.others = others;
        this.decided = decided;
        this.node = node;
        this.times = times;
        this.chains = List.copyOf(chains);
        net = new RpcNet(node, wire, sockets, this);
    }

    /** Begins. */
    public void start() {
        for (Chain c : chains) {
            decided.table(node.worker(0).now(), c);
            for (Target t : c.targets()) {
                heard.put(t.node(), node.worker(0).now());
                locals.computeIfAbsent(t.node(), n -> new TreeMap<>()).put(c.id(), LocalState.UP_TO_DATE);
            }
        }
        net.listen();
        node.worker(0).after(times.fail() / LOOKS, this::look, 0, 0);
    }

    /** Returns what it knows. */
    public Routing routing() {
        return new Routing(version, chains);
    }

    private void look(long a, long b) {
        long now = node.worker(0).now();
        boolean lost = false;
        for (Map.Entry<Integer, Long> e : heard.entrySet()) {
            if (now - e.getValue() >= times.fail()) {
                Map<Integer, LocalState> of = locals.get(e.getKey());
                if (of != null && (of.containsValue(LocalState.UP_TO_DATE) || of.containsValue(LocalState.ONLINE))) {
                    of.replaceAll((chain, state) -> LocalState.OFFLINE);
                    lost = true;
                }
            }
        }
        if (lost) {
            follow();
        }
        node.worker(0).after(times.fail() / LOOKS, this::look, 0, 0);
    }

    private void follow() {
        List<Chain> next = new ArrayList<>();
        for (Chain c : chains) {
            next.add(ChainRules.next(c, t -> local(t.node(), c.id())));
        }
        for (int i = 0; i < next.size(); i++) {
            if (next.get(i).version() != chains.get(i).version()) {
                decided.table(node.worker(0).now(), next.get(i));
            }
        }
        if (!next.equals(chains)) {
            chains = next;
            version++;
        }
    }

    private LocalState local(int of, int chain) {
        return locals.getOrDefault(of, new TreeMap<>()).getOrDefault(chain, LocalState.OFFLINE);
    }

    @Override
    public void request(RpcPeer from, Message m) {
        if (m.method != Method.HEARTBEAT && m.method != Method.ROUTING) {
            others.asked(from, m);
            return;
        }
        Message answer = new Message().answers(m, Status.OK);
        if (m.method == Method.HEARTBEAT && !isOfNewest(m)) {
            from.answer(new Message().answers(m, Status.INVALID)); // it was on its way when its sender ended
            return;
        }
        if (m.method == Method.HEARTBEAT) {
            hear(m);
        }
        if (m.sequence != version) {
            routing().into(answer);
        }
        answer.sequence = version;
        from.answer(answer);
    }

    private boolean isOfNewest(Message m) {
        return incarnations.merge((int) m.client, m.request, Math::max) == m.request;
    }

    private void hear(Message m) {
        int who = (int) m.client;
        heard.put(who, node.worker(0).now());
        Map<Integer, LocalState> of = locals.computeIfAbsent(who, n -> new TreeMap<>());
        for (int at = 0; at + LOCAL <= m.dataLength; at += LOCAL) {
            int chain = LittleEndian.get32(m.data, at);
            LocalState state = LocalState.of(LittleEndian.get32(m.data, at + 4));
            boolean old = LittleEndian.get32(m.data, at + 8) != routing().versionOf(chain);
            if (state == LocalState.UP_TO_DATE && old && routing().isSyncing(chain, who)) {
                state = LocalState.ONLINE; // so it was for a chain that is no more
            }
            of.put(chain, state == null ? LocalState.OFFLINE : state);
        }
        follow();
    }
}
