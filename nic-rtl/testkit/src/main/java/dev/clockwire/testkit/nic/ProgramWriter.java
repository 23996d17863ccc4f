package dev.clockwire.testkit.nic;

import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.sim.random.RandomStream;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the work requests of one direction of a pair, and into the arenas what they must leave behind. A range that a READ
 * reads is not written any more; what a WRITE wrote may be written again, in order.
 */
final class ProgramWriter {
    private static final int GRH = 40;
    private static final int DATAGRAM_MTU = 4096;
    private static final int INLINE = 220;
    private static final List<WrOpcode> RC = Arrays.stream(WrOpcode.values())
            .filter(operation ->
                    !operation.isLocal() && operation != WrOpcode.SEND_WITH_INV) // these need a bound window
            .toList();
    private static final List<WrOpcode> UC =
            List.of(WrOpcode.RDMA_WRITE, WrOpcode.RDMA_WRITE_WITH_IMM, WrOpcode.SEND, WrOpcode.SEND_WITH_IMM);
    private static final List<WrOpcode> UD = List.of(WrOpcode.SEND, WrOpcode.SEND_WITH_IMM);

    private final ProgramSpec spec;
    private final Endpoint from;
    private final Endpoint to;
    private final Arenas local;
    private final Arenas remote;
    private final @Nullable Windows windows;
    private final RandomStream random;
    private final int counter;
    private long counterValue;
    private int zone = -1;
    private int zoneLength;
    private boolean zoneClosed;

    ProgramWriter(
            ProgramSpec spec,
            Endpoint from,
            Endpoint to,
            Arenas local,
            Arenas remote,
            @Nullable Windows windows,
            RandomStream random) {
        this.windows = windows;
        this.spec = spec;
        this.from = from;
        this.to = to;
        this.local = local;
        this.remote = remote;
        this.random = random;
        counter = remote.real.take(Long.BYTES, Long.BYTES, random);
        counterValue = remote.real.expectedLong(counter);
    }

    void write() {
        int unsignalled = 0;
        for (int i = 0; i < spec.works(); i++) {
            Work w = one();
            boolean last = i == spec.works() - 1 || unsignalled == Math.max(0, spec.depth() / 2 - 1);
            if (last || random.chance(0.4)) {
                w.flags |= SendFlag.SIGNALED.code();
                unsignalled = 0;
            } else {
                unsignalled++;
            }
            from.sends.add(w);
        }
    }

    private Work one() {
        List<WrOpcode> legal = spec.type() == QpType.RC ? RC : spec.type() == QpType.UC ? UC : UD;
        Work w = new Work();
        Windows keys = windows;
        if (keys != null && random.chance(0.15)) {
            keys.change(w);
            return w;
        }
        w.opcode = legal.get(random.below(legal.size()));
        if (keys != null && keys.isOpen() && w.opcode == WrOpcode.SEND && random.chance(0.4)) {
            w.opcode = WrOpcode.SEND_WITH_INV;
        }
        w.length = w.opcode.isAtomic() ? Long.BYTES : length();
        w.immOrKey = (int) random.nextLong();
        if (spec.type() == QpType.RC && random.chance(0.1)) {
            w.flags |= SendFlag.FENCE.code();
        }
        if (w.opcode.isAtomic()) {
            atomic(w);
        } else if (w.opcode.isRead()) {
            read(w);
        } else {
            boolean inline = w.length <= INLINE && random.chance(0.5);
            if (inline && !spec.has(ProgramSpec.DEVICE)) {
                w.flags |= SendFlag.INLINE.code();
            }
            int source = pieces(w, inline ? local.real : local.bulk, w.length);
            Arena in = inline ? local.real : local.bulk;
            if (w.opcode == WrOpcode.RDMA_WRITE || w.opcode == WrOpcode.RDMA_WRITE_WITH_IMM) {
                target(w, in, source);
            } else {
                receive(w, in, source);
            }
            if (w.opcode == WrOpcode.RDMA_WRITE_WITH_IMM) {
                takeReceive(w, new Work());
            }
            if (keys != null && w.opcode == WrOpcode.SEND_WITH_INV) {
                w.immOrKey = keys.takeAway();
            } else if (keys != null && keys.isOpen() && w.opcode == WrOpcode.RDMA_WRITE && random.chance(0.5)) {
                w.rkey = keys.key();
            }
        }
        return w;
    }

    private int length() {
        int most = spec.type() == QpType.UD ? Math.min(DATAGRAM_MTU, spec.maxLength()) : spec.maxLength();
        int mtu = spec.mtu().bytes();
        int length = switch (random.below(6)) {
            case 0 -> random.below(3);
            case 1 -> random.below(260);
            case 2 -> mtu * (1 + random.below(4)) - 1 + random.below(3);
            case 3 -> 4096 - 2 + random.below(4);
            default -> random.below(most + 1);
        };
        return Math.min(length, most);
    }

    /** Cuts one range of an arena into pieces, some of them empty; returns the offset of the range. */
    private int pieces(Work w, Arena arena, int length) {
        int at = arena.take(length, 1, random);
        int n = length == 0 ? random.below(2) : 1 + random.below(Endpoint.MAX_SGE);
        int[] cuts = new int[n + 1];
        for (int i = 1; i < n; i++) {
            cuts[i] = random.chance(0.2) ? cuts[i - 1] : random.below(length + 1);
        }
        cuts[n] = length;
        Arrays.sort(cuts);
        w.address = new long[n];
        w.bytes = new int[n];
        w.lkey = arena.mr.lkey();
        for (int i = 0; i < n; i++) {
            w.address[i] = arena.address(at + cuts[i]);
            w.bytes[i] = cuts[i + 1] - cuts[i];
        }
        return at;
    }

    private void target(Work w, Arena in, int source) {
        int at;
        if (zone >= 0 && !zoneClosed && w.length <= zoneLength && random.chance(0.4)) {
            at = zone + random.below(zoneLength - w.length + 1);
        } else {
            at = remote.bulk.take(w.length, 1, random);
            zone = at;
            zoneLength = w.length;
            zoneClosed = false;
        }
        w.remote = remote.bulk.address(at);
        w.rkey = remote.bulk.mr.rkey();
        remote.bulk.expectCopy(at, in, source, w.length);
    }

    private void read(Work w) {
        int at;
        if (zone >= 0 && w.length <= zoneLength && random.chance(0.5)) {
            at = zone + random.below(zoneLength - w.length + 1);
            zoneClosed = true;
        } else {
            at = remote.bulk.take(w.length, 1, random);
        }
        w.remote = remote.bulk.address(at);
        w.rkey = remote.bulk.mr.rkey();
        local.bulk.expectCopy(pieces(w, local.bulk, w.length), remote.bulk, at, w.length);
    }

    private void atomic(Work w) {
        w.remote = remote.real.address(counter);
        w.rkey = remote.real.mr.rkey();
        w.swapAdd = random.nextLong();
        w.compare = random.chance(0.5) ? counterValue : random.nextLong();
        int result = pieces(w, local.real, Long.BYTES);
        local.real.expectLong(result, counterValue);
        if (w.opcode == WrOpcode.ATOMIC_FETCH_AND_ADD) {
            counterValue += w.swapAdd;
        } else if (w.compare == counterValue) {
            counterValue = w.swapAdd;
        }
        remote.real.expectLong(counter, counterValue);
    }

    /** Adds the receive that a SEND will land in: at least as large as the message. */
    private void receive(Work w, Arena in, int source) {
        boolean datagram = spec.type() == QpType.UD;
        Work r = new Work();
        int head = datagram ? GRH : 0;
        r.length = head + w.length + (random.chance(0.5) ? 0 : random.below(100));
        int at = pieces(r, remote.bulk, r.length);
        remote.bulk.expectCopy(at + head, in, source, w.length);
        if (head > 0) {
            remote.bulk.expectHeader(at, w.length + (w.opcode == WrOpcode.SEND_WITH_IMM ? Integer.BYTES : 0));
        }
        takeReceive(w, r);
    }

    private void takeReceive(Work w, Work r) {
        to.receives.add(r);
        to.arrivals.add(w);
    }

    /** The memory of one host: for payload, and for what a program must be able to read in every payload mode. */
    record Arenas(Arena bulk, Arena real) {}
}
