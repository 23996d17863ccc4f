package dev.clockwire.examples;

import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.nvmf.initiator.PollGroup;
import dev.clockwire.storage.nvmf.initiator.RemoteController;
import dev.clockwire.storage.nvmf.initiator.RemoteQueue;
import dev.clockwire.storage.nvmf.lab.NvmfLab;

/** A disk behind NVMe over RDMA, one command at a time: the host of a lab connects to the target, registers a buffer, writes and reads. */
public final class RemoteDisk {
    private static final int BLOCK = 512;
    private static final int NAMESPACE = 1;

    private final NvmfLab lab;
    private final PollGroup group;
    private final RemoteController controller;
    private final RemoteQueue queue;
    private final Allocation buffer;
    private boolean registered;
    private int ended;
    private int lastStatus;

    /**
     * Connects and registers.
     *
     * @param bytes of the buffer: the most that a command moves
     */
    public RemoteDisk(NvmfLab lab, int bytes) {
        this.lab = lab;
        group = lab.groups().get(0);
        controller = new RemoteController(lab.host(), lab.address());
        queue = controller.addQueue(group, (tag, status, result) -> {
            lastStatus = status;
            ended++;
        });
        lab.host().run(lab.host().main(), () -> controller.start(() -> {}));
        lab.await(() -> controller.stage() == RemoteController.Stage.READY, "a connection");
        buffer = lab.lab().a().host().memory().allocate("disk.buffer", bytes, Allocation.Kind.REAL, 4096);
        group.register(buffer.address(), bytes).whenDone(region -> registered = true);
        lab.await(() -> registered, "a registered buffer");
    }

    /** Writes blocks; returns the status with its bits for "more" and "do not retry", 0 if all went well. */
    public int write(long block, byte[] data) {
        lab.lab().a().host().memory().putBytes(buffer.address(), data, 0, data.length);
        return command(Opcodes.WRITE, block, data.length);
    }

    /** Reads blocks into an array; returns the status with its bits for "more" and "do not retry", 0 if all went well. */
    public int read(long block, byte[] into) {
        int status = command(Opcodes.READ, block, into.length);
        lab.lab().a().host().memory().getBytes(buffer.address(), into, 0, into.length);
        return status;
    }

    /** Sends a command from a step of the group's core, and lets simulated time pass until it has ended. */
    private int command(int opcode, long block, int bytes) {
        int wanted = ended + 1;
        Runnable send = () -> queue.transfer(opcode, NAMESPACE, block, bytes / BLOCK, buffer.address(), bytes, wanted);
        lab.host().run(group.thread(), send);
        lab.await(() -> ended == wanted, "the end of a command");
        return lastStatus;
    }
}
