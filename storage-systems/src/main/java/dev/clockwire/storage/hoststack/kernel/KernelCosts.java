package dev.clockwire.storage.hoststack.kernel;

import dev.clockwire.nic.profile.Profile;

/**
 * What the work of a kernel costs a core, in ps, and how its stacks are set up: the parameters {@code host.kernel.*} of a profile, which checks
 * their ranges and has their sources.
 *
 * @param syscall into the kernel and back
 * @param submitIo of each I/O in io_submit
 * @param reap of each I/O in io_getevents
 * @param blockSubmit from the call to the driver
 * @param blockComplete from the driver to the caller
 * @param driver building a command
 * @param target looking into a command at a target
 * @param fastReg mapping a region
 * @param hardInterrupt entry, handler, exit
 * @param idleExit of a core that halts
 * @param softirq entry
 * @param napiPoll of a queue
 * @param rxFrame each frame
 * @param txFrame each frame
 * @param tcpRx each segment
 * @param tcpTx each segment
 * @param tcpAck an acknowledgement alone
 * @param socketCall of kernel code
 * @param copyByte each byte
 * @param checksumByte each byte, if the device makes none
 * @param queueWork for a kworker
 * @param wakeUp of a thread
 * @param contextSwitch to another thread
 */
public record KernelCosts(
        long syscall,
        long submitIo,
        long reap,
        long blockSubmit,
        long blockComplete,
        long driver,
        long target,
        long fastReg,
        long hardInterrupt,
        long idleExit,
        long softirq,
        long napiPoll,
        long rxFrame,
        long txFrame,
        long tcpRx,
        long tcpTx,
        long tcpAck,
        long socketCall,
        long copyByte,
        long checksumByte,
        long queueWork,
        long wakeUp,
        long contextSwitch) {
    private static final String PREFIX = "host.kernel.";

    /** Returns those of a profile. */
    public static KernelCosts of(Profile p) {
        return new KernelCosts(
                ns(p, "syscall"),
                ns(p, "submit_io"),
                ns(p, "reap"),
                ns(p, "block_submit"),
                ns(p, "block_complete"),
                ns(p, "driver"),
                ns(p, "target"),
                ns(p, "fast_reg"),
                ns(p, "hard_interrupt"),
                ns(p, "idle_exit"),
                ns(p, "softirq"),
                ns(p, "napi_poll"),
                ns(p, "rx_frame"),
                ns(p, "tx_frame"),
                ns(p, "tcp_rx"),
                ns(p, "tcp_tx"),
                ns(p, "tcp_ack"),
                ns(p, "socket_call"),
                (long) p.number(PREFIX + "copy_byte_ps"),
                (long) p.number(PREFIX + "checksum_byte_ps"),
                ns(p, "queue_work"),
                ns(p, "wake_up"),
                ns(p, "context_switch"));
    }

    private static long ns(Profile p, String name) {
        return p.picoseconds(PREFIX + name + "_ns");
    }
}
