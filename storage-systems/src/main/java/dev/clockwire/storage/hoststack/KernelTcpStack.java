package dev.clockwire.storage.hoststack;

import dev.clockwire.nic.driver.EthernetSpec;
import dev.clockwire.nic.driver.NicEthernet;
import dev.clockwire.nic.ether.FlowRule;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.storage.hoststack.block.BlockUser;
import dev.clockwire.storage.hoststack.block.HostQueue;
import dev.clockwire.storage.hoststack.block.HostSetup;
import dev.clockwire.storage.hoststack.kernel.IoStage;
import dev.clockwire.storage.hoststack.net.TcpStack;
import dev.clockwire.storage.hoststack.nvmet.NvmetController;
import dev.clockwire.storage.hoststack.nvmet.SsdBackend;
import dev.clockwire.storage.hoststack.nvmetcp.TcpHostQueue;
import dev.clockwire.storage.hoststack.nvmetcp.TcpTarget;
import dev.clockwire.storage.hoststack.tcp.TcpSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** NVMe/TCP with both ends in the kernel, over two hosts' NICs. */
public final class KernelTcpStack extends KernelStack {
    private static final int LOG_RING = 10;
    /** What a command brings along: Linux's target takes 16 KiB. */
    private static final int IN_CAPSULE = 16_384;

    private final List<TcpHostQueue> queues = new ArrayList<>();
    private @Nullable TcpStack hostNet;
    private @Nullable TcpStack targetNet;

    /** Builds hosts, NICs and the SSD; without Ethernet queues in the profile they get two, with checksums. */
    public KernelTcpStack(HostStackSpec spec) {
        super(spec, withQueues(spec.profile()));
    }

    private static Profile withQueues(Profile p) {
        return p.integer("nic.eth.queues") > 0
                ? p
                : p.with("nic.eth.queues", "2").with("nic.eth.checksums", "true");
    }

    /** Returns the network of the host that loads, once connected. */
    public TcpStack hostNet() {
        return Objects.requireNonNull(hostNet);
    }

    /** Returns the network of the target, once connected. */
    public TcpStack targetNet() {
        return Objects.requireNonNull(targetNet);
    }

    @Override
    protected String transport() {
        return "TCP";
    }

    @Override
    protected HostSetup join() {
        Lab lab = lab();
        NicEthernet host = open(lab.a(), q -> heard(hostNet, q));
        NicEthernet target = open(lab.b(), q -> heard(targetNet, q));
        boolean offload = lab.profile().flag("nic.eth.checksums");
        TcpSpec tcp = tcp(lab.profile());
        TcpStack a = new TcpStack(
                hostKernel(),
                host,
                tcp,
                1 << LOG_RING,
                offload,
                lab.a().mac(),
                lab.a().ipv4());
        TcpStack b = new TcpStack(
                targetKernel(),
                target,
                tcp,
                1 << LOG_RING,
                offload,
                lab.b().mac(),
                lab.b().ipv4());
        hostNet = a;
        targetNet = b;
        boolean zeroCopy = lab.profile().flag("host.kernel.zero_copy_send");
        NvmetController controller =
                new NvmetController(NQN, ssd().blockBytes(), ssd().blocks(), IN_CAPSULE, HostStackSpec.MOST_ENTRIES);
        TcpTarget server =
                new TcpTarget(targetKernel(), b, controller, new TcpTarget.Spec(MOST_BYTES, zeroCopy), PORT, this::tap);
        SsdBackend backend = new SsdBackend(targetKernel(), ssd().blockBytes(), server::ended);
        server.use(backend);
        ssd().attach(lab.sim(), backend);
        host.arm(TcpStack.RECEIVE);
        target.arm(TcpStack.RECEIVE);
        return hostQueues(a, zeroCopy);
    }

    private HostSetup hostQueues(TcpStack net, boolean zeroCopy) {
        BlockUser user = user();
        HostSetup[] setup = new HostSetup[1];
        TcpHostQueue admin = new TcpHostQueue(
                hostKernel(),
                net,
                place(0, ADMIN_ENTRIES, zeroCopy),
                (tag, status, result) -> setup[0].ended(tag, status, result),
                (stage, tag, ps) -> {});
        for (int i = 0; i < spec().connections(); i++) {
            int number = i;
            TcpHostQueue q = new TcpHostQueue(
                    hostKernel(),
                    net,
                    place(i + 1, spec().entries(), zeroCopy),
                    (tag, status, result) -> {
                        if (setup[0].isDone()) {
                            user.ended(number, tag, status);
                        } else {
                            setup[0].ended(tag, status, result);
                        }
                    },
                    (stage, tag, ps) -> tap(number + 1).ended(stage, tag, ps));
            queues.add(q);
            user.add(q, spec().entries() - 1);
        }
        List<HostQueue> all = List.copyOf(queues);
        setup[0] = new HostSetup(hostKernel(), admin, all, NQN, spec().entries(), setupPage());
        return setup[0];
    }

    private TcpHostQueue.Place place(int qid, int entries, boolean zeroCopy) {
        LabHost target = lab().b();
        return new TcpHostQueue.Place(qid, entries, target.mac(), target.ipv4(), PORT, IN_CAPSULE, zeroCopy);
    }

    private IoStage.Tap tap(int qid) {
        return user().tap(qid - 1);
    }

    private static void heard(@Nullable TcpStack net, int queue) {
        if (net != null && queue == TcpStack.RECEIVE) {
            net.interrupted();
        }
    }

    private NicEthernet open(LabHost host, java.util.function.IntConsumer events) {
        Lab lab = lab();
        int mtu = lab.profile().integer("host.kernel.mtu");
        NicEthernet nic = lab.await(host.openEthernet(new EthernetSpec(2, LOG_RING, LOG_RING, mtu), events));
        boolean offload = lab.profile().flag("nic.eth.checksums");
        nic.checksums(offload, offload);
        lab.await(nic.addRule(FlowRule.parse("flow-type tcp4 action " + TcpStack.RECEIVE + " loc 0")));
        if (lab.profile().flag("host.kernel.adaptive_rx")) {
            lab.await(nic.adaptive(TcpStack.RECEIVE, true));
        } else {
            int frames = lab.profile().integer("host.kernel.rx_frames");
            lab.await(nic.coalesce(TcpStack.RECEIVE, frames, lab.profile().integer("host.kernel.rx_usecs")));
        }
        return nic;
    }

    private static TcpSpec tcp(Profile p) {
        return TcpSpec.linux()
                .withMtu(p.integer("host.kernel.mtu"))
                .withOffloads(p.flag("host.kernel.gso") ? 65_535 : 0, p.flag("host.kernel.gro"));
    }
}
