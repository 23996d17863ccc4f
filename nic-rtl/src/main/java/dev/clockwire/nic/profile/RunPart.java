package dev.clockwire.nic.profile;

/** A part that a run has or has not, without which some parameters change nothing. */
public enum RunPart {
    /** Hosts with NICs, on PCIe and behind an IOMMU. */
    NIC("hosts have software devices, which have no NIC, PCIe or IOMMU", "--provider hw (fabric run: --endpoints hw)"),
    /** A line between two hosts that the profile describes. */
    LINE("the cables are those of the fabric's file", "'links' or 'topology' in the file"),
    /** Something on the way that marks packets when queues build up. */
    MARKS("nobody on the way marks packets", "a switch that does: fabric run --endpoints hw"),
    /** Queue pairs with a rate limit. */
    PACING("no queue pair is paced", "--rate_limit with a bw tool"),
    /** A program that sleeps until an event. */
    EVENTS("the program polls", "--event"),
    /** A program with Ethernet queues. */
    ETHERNET("no command opens Ethernet queues", "a program with NicEthernet"),
    /** A stack in the kernel. */
    KERNEL("no stack of the run is in the kernel", "nvmf perf --stack kernel-tcp or kernel-rdma"),
    /** Reactors, as SPDK's programs have them. */
    SPDK("no program of the run is one of SPDK's with reactors", "nvmf perf --stack spdk or nvmf target"),
    /** A program that marks queue pairs for the NVMe-oF offload. */
    OFFLOAD("no queue pair is marked for the NVMe-oF offload", "nvmf perf --stack offload"),
    /** Memory regions that are released while the run goes on. */
    RELEASES("no region is released", "--register-each"),
    /** Atomic operations. */
    ATOMICS("there is no atomic", "atomic-lat or atomic-bw"),
    /** A program that allocates memory of the device. */
    DEVICE_MEMORY("no program allocates memory of the device", "explain --device-memory"),
    /** A program that registers memory of another device. */
    PEERS("no program registers memory of another device", "a program with ProtectionDomain.regDmabufMr"),
    /** Faults of packets between hosts and NICs. */
    PACKET_FAULTS("nothing happens to packets on PCIe", "--faults with 'drop: tlp' and its kin");

    private final String absent;
    private final String remedy;

    RunPart(String absent, String remedy) {
        this.absent = absent;
        this.remedy = remedy;
    }

    /** Returns what a run without it is like, as the end of a sentence. */
    public String absent() {
        return absent;
    }

    /** Returns what makes a run with it. */
    public String remedy() {
        return remedy;
    }
}
