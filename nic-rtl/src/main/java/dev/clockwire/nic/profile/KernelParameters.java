package dev.clockwire.nic.profile;

import static dev.clockwire.nic.profile.Param.flag;
import static dev.clockwire.nic.profile.Param.integer;
import static dev.clockwire.nic.profile.Param.number;

import java.util.List;

/** What a kernel costs its cores, for the stacks in the kernel that user-space ones are compared with. */
final class KernelParameters {
    static final List<Param> ALL = List.of(
            number("host.kernel.syscall_ns", "ns", 0, 100_000, "Into the kernel and back"),
            number("host.kernel.submit_io_ns", "ns", 0, 100_000, "io_submit or io_uring, for each I/O"),
            number("host.kernel.reap_ns", "ns", 0, 100_000, "io_getevents, for each I/O that has ended"),
            number("host.kernel.block_submit_ns", "ns", 0, 100_000, "Block layer, from the call to the driver"),
            number("host.kernel.block_complete_ns", "ns", 0, 100_000, "Block layer, from the driver to the caller"),
            number("host.kernel.driver_ns", "ns", 0, 100_000, "A driver builds a command, without rings and doorbells"),
            number("host.kernel.target_ns", "ns", 0, 100_000, "nvmet looks into a command and begins it"),
            number("host.kernel.fast_reg_ns", "ns", 0, 100_000, "A memory region is mapped for fast registration"),
            number("host.kernel.hard_interrupt_ns", "ns", 0, 100_000, "Entry, handler and exit of an interrupt"),
            number("host.kernel.idle_exit_ns", "ns", 0, 1_000_000, "A core that halts wakes for an interrupt"),
            number("host.kernel.softirq_ns", "ns", 0, 100_000, "Entry into a softirq"),
            number("host.kernel.napi_poll_ns", "ns", 0, 100_000, "One poll of a network queue, without its frames"),
            number("host.kernel.rx_frame_ns", "ns", 0, 100_000, "A received frame: its skb, and the driver"),
            number("host.kernel.tx_frame_ns", "ns", 0, 100_000, "A frame to send: its skb, queueing, the driver"),
            number("host.kernel.tcp_rx_ns", "ns", 0, 100_000, "IP and TCP of a received segment, joined or not"),
            number("host.kernel.tcp_tx_ns", "ns", 0, 100_000, "TCP and IP of a segment to send, before it is cut"),
            number("host.kernel.tcp_ack_ns", "ns", 0, 100_000, "The same of an acknowledgement alone"),
            number("host.kernel.socket_call_ns", "ns", 0, 100_000, "A call of a socket by kernel code, and its lock"),
            number("host.kernel.copy_byte_ps", "ps", 0, 10_000, "Copying a byte between an skb and its place"),
            number("host.kernel.checksum_byte_ps", "ps", 0, 10_000, "Summing a byte up, without nic.eth.checksums"),
            number("host.kernel.queue_work_ns", "ns", 0, 100_000, "Giving work to a kworker"),
            number("host.kernel.wake_up_ns", "ns", 0, 100_000, "Waking a thread that sleeps"),
            number("host.kernel.context_switch_ns", "ns", 0, 100_000, "From one thread to another, or to idleness"),
            integer("host.kernel.mtu", "B", 576, 9978, "MTU of the Ethernet queues"),
            flag("host.kernel.gso", "Segments are cut into frames late, below TCP"),
            flag("host.kernel.gro", "Received segments that follow each other are joined below TCP"),
            flag("host.kernel.zero_copy_send", "NVMe/TCP sends data where they are, without a copy"),
            flag("host.kernel.direct_io", "I/O passes the page cache by; otherwise each byte is copied once more"),
            flag("host.kernel.adaptive_rx", "The driver chooses the moderation of receive interrupts (net_dim)"),
            integer("host.kernel.rx_usecs", "us", 0, 4095, "What receive interrupts wait for, if it is fixed"),
            integer("host.kernel.rx_frames", "", 1, 65_535, "How many frames end that wait"));

    private KernelParameters() {}

    /** Sets what a server's kernel has. */
    static void defaults(ProfileBuilder b) {
        b.source(
                        'B',
                        "XRP (OSDI 2022), table 1, a 512 B read() on Linux 5.12: crossing 351 ns, system call 199 ns,"
                                + " bio 379 ns, NVMe driver 113 ns")
                .set("host.kernel.syscall_ns", 351)
                .set("host.kernel.submit_io_ns", 199)
                .set("host.kernel.block_submit_ns", 379)
                .set("host.kernel.driver_ns", 113)
                .source('C', "a fraction of submission; nobody has published it alone")
                .set("host.kernel.reap_ns", 100)
                .set("host.kernel.block_complete_ns", 100)
                .set("host.kernel.target_ns", 300)
                .set("host.kernel.fast_reg_ns", 100)
                .source('C', "entry and exit with mitigations, and a short handler: some 2000 cycles")
                .set("host.kernel.hard_interrupt_ns", 800)
                .source('C', "Linux gives C1 of server cores 2 us at most (intel_idle, exit_latency); half of it")
                .set("host.kernel.idle_exit_ns", 1_000)
                .source('C', "a few hundred cycles each")
                .set("host.kernel.softirq_ns", 150)
                .set("host.kernel.napi_poll_ns", 200)
                .set("host.kernel.socket_call_ns", 250)
                .set("host.kernel.queue_work_ns", 150)
                .set("host.kernel.wake_up_ns", 500);
        network(b);
    }

    private static void network(ProfileBuilder b) {
        b.source(
                        'C',
                        "order of TAS (EuroSys 2019), table 1: some thousand cycles of IP and TCP, hundreds of the driver")
                .set("host.kernel.rx_frame_ns", 150)
                .set("host.kernel.tx_frame_ns", 150)
                .set("host.kernel.tcp_rx_ns", 1_000)
                .set("host.kernel.tcp_tx_ns", 900)
                .set("host.kernel.tcp_ack_ns", 400)
                .source('B', "Cai et al. (SIGCOMM 2021): 42 Gb/s of a core, half of it spent on copying")
                .set("host.kernel.copy_byte_ps", 95)
                .source('C', "32 B a cycle in the cache, less from memory")
                .set("host.kernel.checksum_byte_ps", 30)
                .source('B', "threads that take turns on a core: 1.1 us, Linux 6.6; published values are 1 to 2 us")
                .set("host.kernel.context_switch_ns", 1_100)
                .source('A', "Linux: Ethernet's MTU, offloads on, nvme-tcp and nvmet-tcp send pages, fio with direct=1")
                .set("host.kernel.mtu", 1_500)
                .set("host.kernel.gso", true)
                .set("host.kernel.gro", true)
                .set("host.kernel.zero_copy_send", true)
                .set("host.kernel.direct_io", true)
                .source('A', "mlx5: dim on; without it 8 us or 128 frames")
                .set("host.kernel.adaptive_rx", true)
                .set("host.kernel.rx_usecs", 8)
                .set("host.kernel.rx_frames", 128);
    }
}
