package dev.clockwire.roce.verbs;

import dev.clockwire.sim.mem.AddressSpace;

/**
 * The 40 bytes in front of a received datagram. Of IPv6 they are its header; of IPv4 its header stands in the last 20 of them.
 */
final class Grh {
    private static final int IPV4_AT = 20;
    private static final int IPV4_SOURCE = IPV4_AT + 12;
    private static final int IPV4_DESTINATION = IPV4_AT + 16;
    private static final int IPV6_SOURCE = 8;
    private static final int IPV6_DESTINATION = 24;
    private static final int IPV6 = 6;
    private static final int HOPS = 64;

    private Grh() {}

    /**
     * Returns the way back to the sender.
     *
     * @throws VerbsException EINVAL if the completion is not of a datagram, or the datagram was not for this port
     */
    static AddressVector back(Context context, WorkCompletion wc, long grh) {
        if (!WcFlag.GRH.in(wc.flags)) {
            throw new VerbsException(Errno.EINVAL, "create_ah", "the completion is not of a datagram with a GRH");
        }
        AddressSpace memory = context.cpu().memory();
        int first = memory.getIntBe(grh);
        boolean ipv6 = first >>> 28 == IPV6;
        Gid from = ipv6 ? gid(memory, grh + IPV6_SOURCE) : Gid.ofIpv4(memory.getIntBe(grh + IPV4_SOURCE));
        Gid own = ipv6 ? gid(memory, grh + IPV6_DESTINATION) : Gid.ofIpv4(memory.getIntBe(grh + IPV4_DESTINATION));
        int index = context.device().port(1).gids().indexOf(own);
        if (index < 0) {
            throw new VerbsException(Errno.EINVAL, "create_ah", own + " is no address of the port");
        }
        int trafficClass = ipv6 ? first >>> 20 & 0xFF : memory.getIntBe(grh + IPV4_AT) >>> 16 & 0xFF;
        return new AddressVector(from, index, 1, ipv6 ? first & 0xF_FFFF : 0, HOPS, trafficClass, 0);
    }

    private static Gid gid(AddressSpace memory, long at) {
        return new Gid(memory.getLongBe(at), memory.getLongBe(at + Long.BYTES));
    }
}
