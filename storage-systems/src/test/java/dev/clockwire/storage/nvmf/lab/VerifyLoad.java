package dev.clockwire.storage.nvmf.lab;

import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.storage.nvmf.initiator.PollGroup;
import dev.clockwire.storage.nvmf.initiator.RemoteController;
import dev.clockwire.storage.nvmf.initiator.RemoteQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Writes numbered versions of blocks, one at a time for each place, reads each back and compares. What a write that failed has left is unknown:
 * the place may then hold any version since the last that was acknowledged.
 */
final class VerifyLoad {
    static final int BYTES = 4096;
    private static final int BLOCK = 512;

    final List<String> wrong = new ArrayList<>();
    final RemoteController controller;
    final NvmfLab lab;
    private final Place[] places;
    private int rounds;
    private final long data;
    int acknowledged;
    int verified;
    int failures;
    long beganPs;
    long endedPs;

    /** Some blocks that one I/O at a time goes to. */
    private static final class Place {
        final TreeSet<Integer> possible = new TreeSet<>();
        int version;
        boolean reading;
        boolean over;
    }

    /**
     * Adds the controller's queues.
     *
     * @param places used by one queue or another, in turn
     * @param rounds versions written to each
     */
    VerifyLoad(NvmfLab lab, int queues, int places, int rounds) {
        this.lab = lab;
        this.rounds = rounds;
        this.places = new Place[places];
        for (int i = 0; i < places; i++) {
            this.places[i] = new Place();
            this.places[i].possible.add(0);
        }
        controller = new RemoteController(lab.host(), lab.address());
        for (int i = 0; i < queues; i++) {
            controller.addQueue(lab.groups().get(i % lab.groups().size()), (tag, status, result) -> ended(tag, status));
        }
        Allocation a =
                lab.lab().a().host().memory().allocate("verify", (long) places * 2 * BYTES, Allocation.Kind.BULK, 4096);
        data = a.address();
        int[] registered = new int[1];
        for (PollGroup g : lab.groups()) {
            Completion<MemoryRegion> region = g.register(a.address(), a.length());
            region.whenDone(mr -> registered[0]++);
            region.whenFailed(why -> registered[0]++); // it is registered when the device is back
        }
        lab.await(() -> registered[0] == lab.groups().size(), "register");
    }

    /** Connects, and loads when the controller is ready. */
    void start() {
        boolean[] once = new boolean[1];
        lab.host()
                .run(
                        lab.host().main(),
                        () -> controller.start(() -> {
                            if (!once[0]) {
                                once[0] = true;
                                begin();
                            }
                        }));
    }

    private void begin() {
        beganPs = lab.sim().now();
        for (int i = 0; i < places.length; i++) {
            int tag = i;
            lab.host().run(queue(i).group().thread(), () -> write(tag));
        }
    }

    /** Goes on to a later version. */
    void more(int last) {
        rounds = last;
        for (Place p : places) {
            p.over = false;
        }
        begin();
    }

    private RemoteQueue queue(int tag) {
        return controller.queues().get(tag % controller.queues().size());
    }

    private AddressSpace memory() {
        return lab.lab().a().host().memory();
    }

    static byte[] pattern(int place, int version) {
        byte[] b = new byte[BYTES];
        for (int i = 0; i < BYTES && version > 0; i++) {
            b[i] = (byte) (place * 31 + version * 7 + i + (i >> 8) * version);
        }
        return b;
    }

    private void write(int tag) {
        Place p = places[tag];
        p.version++;
        p.reading = false;
        memory().putBytes(data + (long) tag * BYTES, pattern(tag, p.version), 0, BYTES);
        if (!queue(tag)
                .transfer(
                        Opcodes.WRITE,
                        1,
                        (long) tag * BYTES / BLOCK,
                        BYTES / BLOCK,
                        data + (long) tag * BYTES,
                        BYTES,
                        tag)) {
            p.over = true;
            return;
        }
        p.possible.add(p.version);
    }

    private void read(int tag) {
        Place p = places[tag];
        p.reading = true;
        long to = data + (long) (places.length + tag) * BYTES;
        memory().putBytes(to, new byte[BYTES], 0, BYTES);
        if (!queue(tag).transfer(Opcodes.READ, 1, (long) tag * BYTES / BLOCK, BYTES / BLOCK, to, BYTES, tag)) {
            p.over = true;
        }
    }

    private void ended(int tag, int status) {
        Place p = places[tag];
        endedPs = lab.sim().now();
        if (p.reading) {
            if (status == 0) {
                byte[] b = new byte[BYTES];
                memory().getBytes(data + (long) (places.length + tag) * BYTES, b, 0, BYTES);
                check(tag, b, "read");
                verified++;
            } else {
                failures++;
            }
        } else if (status == 0) {
            acknowledged++;
            p.possible.clear();
            p.possible.add(p.version);
        } else {
            failures++;
        }
        if (p.reading && p.version >= rounds) {
            p.over = true;
        } else if (p.reading) {
            write(tag);
        } else {
            read(tag);
        }
    }

    private void check(int tag, byte[] found, String how) {
        for (int v : places[tag].possible) {
            if (java.util.Arrays.equals(found, pattern(tag, v))) {
                return;
            }
        }
        wrong.add(how + " of place " + tag + " is none of versions " + places[tag].possible);
    }

    boolean isOver() {
        for (Place p : places) {
            if (!p.over) {
                return false;
            }
        }
        return true;
    }

    /** Looks into the namespace itself. */
    void checkStore() {
        for (int i = 0; i < places.length; i++) {
            Payload content = new Payload();
            lab.stores().get(0).read((long) i * BYTES / BLOCK, BYTES / BLOCK, content);
            byte[] b = new byte[BYTES];
            content.copyTo(0, b, 0, BYTES);
            check(i, b, "content");
        }
    }
}
