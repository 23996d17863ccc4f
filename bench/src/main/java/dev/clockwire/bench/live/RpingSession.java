package dev.clockwire.bench.live;

import dev.clockwire.roce.cm.CmId;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.mem.Allocation;
import java.util.EnumSet;
import java.util.function.Consumer;

/**
 * The server's side of one rping connection. The client SENDs where its text lies; the server READs it and SENDs "go ahead"; the client SENDs where the text may go; the
 * server WRITEs it there and SENDs "go ahead". An advert is 16 bytes: address, key and length, first byte on top.
 */
final class RpingSession {
    private static final int ADVERT_BYTES = 16;
    private static final int RECEIVES = 4;
    private static final int LONGEST = 1 << 16;
    private static final int SENDS = 8;
    private static final int SHOWN = 32;
    private static final long READ_ID = 100;
    private static final long SEND_ID = 101;

    private final Station station;
    private final Consumer<String> events;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final Allocation buffer;
    private final MemoryRegion region;
    private final WorkCompletion[] wc = WorkCompletion.array(SENDS);
    private final SendBatch sends = new SendBatch(2, 1);
    private final ReceiveBatch receives = new ReceiveBatch(1, 1);
    private long length = -1;
    private long pings;

    RpingSession(Station station, ProtectionDomain pd, CmId id, Consumer<String> events) {
        this.station = station;
        this.events = events;
        cq = station.await(station.context().createCq(2 * (SENDS + RECEIVES)));
        buffer =
                station.memory().allocate("rping", LONGEST + (RECEIVES + 1) * ADVERT_BYTES, Allocation.Kind.REAL, 4096);
        region = station.await(pd.regMr(buffer.address(), buffer.length(), EnumSet.of(AccessFlag.LOCAL_WRITE)));
        QpInit init = QpInit.of(QpType.RC, cq, new QpCapabilities(SENDS, RECEIVES, 1, 1, 0));
        qp = station.await(id.createQp(pd, init, EnumSet.noneOf(AccessFlag.class)));
    }

    /** Returns how many texts went there and back. */
    long pings() {
        return pings;
    }

    /** Posts all receives. */
    void postReceives() {
        for (int i = 0; i < RECEIVES; i++) {
            postReceive(i);
        }
    }

    private long advertAt(int slot) {
        return buffer.address() + LONGEST + (long) slot * ADVERT_BYTES;
    }

    private void postReceive(int slot) {
        receives.clear();
        var receive = receives.add();
        receive.wrId = slot;
        receive.sges().add(advertAt(slot), ADVERT_BYTES, region.lkey());
        qp.postReceive(receives);
    }

    /** Takes completions and does what follows. */
    void poll() {
        int n = cq.hasCompletion() ? cq.poll(wc) : 0;
        for (int i = 0; i < n; i++) {
            if (wc[i].status != WcStatus.SUCCESS) {
                if (wc[i].status != WcStatus.WR_FLUSH_ERR) {
                    events.accept(wc[i].toString());
                }
            } else if (wc[i].wrId < RECEIVES) {
                advert((int) wc[i].wrId);
            } else if (wc[i].wrId == READ_ID) {
                goAhead(false);
            }
        }
    }

    private void advert(int slot) {
        long at = advertAt(slot);
        long va = station.memory().getLongBe(at);
        int key = station.memory().getIntBe(at + 8);
        long size = station.memory().getIntBe(at + 12) & 0xFFFF_FFFFL;
        postReceive(slot);
        if (length < 0) {
            length = Math.min(size, LONGEST);
            sends.clear();
            data(WrOpcode.RDMA_READ, va, key).flags = SendFlag.SIGNALED.code();
            qp.postSend(sends);
        } else {
            sends.clear();
            data(WrOpcode.RDMA_WRITE, va, key);
            goAhead(true);
            pings++;
            events.accept("ping " + pings + ": " + length + " bytes, " + shown());
            length = -1;
        }
    }

    private SendEntry data(WrOpcode opcode, long va, int key) {
        SendEntry wr = sends.add();
        wr.wrId = READ_ID;
        wr.opcode = opcode;
        wr.remoteAddress = va;
        wr.rkey = key;
        wr.sges().add(buffer.address(), length, region.lkey());
        return wr;
    }

    private void goAhead(boolean behindData) {
        if (!behindData) {
            sends.clear();
        }
        SendEntry wr = sends.add();
        wr.wrId = SEND_ID;
        wr.opcode = WrOpcode.SEND;
        wr.flags = SendFlag.SIGNALED.code();
        wr.sges().add(advertAt(RECEIVES), ADVERT_BYTES, region.lkey());
        qp.postSend(sends);
    }

    private String shown() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(length, SHOWN); i++) {
            int c = station.memory().getByte(buffer.address() + i);
            text.append(c >= ' ' && c < 0x7F ? (char) c : '.');
        }
        return text.toString();
    }
}
