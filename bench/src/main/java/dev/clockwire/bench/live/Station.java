package dev.clockwire.bench.live;

import dev.clockwire.pcie.host.Host;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.Context;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.wire.PortAddress;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.mem.AddressSpace;

/** One simulated host with an RDMA device, whose line ends in the gateway. Programs use it between two stretches of simulated time. */
interface Station {
    /** Returns the simulation. */
    Sim sim();

    /** Returns the opened device. */
    Context context();

    /** Returns the host, for programs on cores of their own. */
    Host host();

    /** Returns the memory that programs and device share. */
    AddressSpace memory();

    /** Returns the addresses of the device. */
    PortAddress address();

    /** Tells the host who has an address, as ARP would. */
    void learn(Gid gid, long mac);

    /** Runs the simulation until a control verb has ended. */
    <T> T await(Completion<T> verb);
}
