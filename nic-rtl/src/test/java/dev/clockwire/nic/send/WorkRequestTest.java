package dev.clockwire.nic.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.dma.PayloadEngine;
import dev.clockwire.nic.dma.TxSlot;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.format.WqeOpcode;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.SendWork;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.mem.MemoryUser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a WQE asks for: checks before it starts, and the payload of its packets. */
class WorkRequestTest extends SendRig {
    private static Wqe sges(long... lengths) {
        Wqe w = new Wqe();
        w.valid = true;
        w.opcode = WqeOpcode.RDMA_WRITE;
        for (int i = 0; i < lengths.length; i++) {
            w.sgeVa[i] = 0x1000L * (i + 1);
            w.sgeLength[i] = (int) lengths[i];
            w.sgeLkey[i] = 0x500 + 0x100 * i;
            w.length += lengths[i];
        }
        w.sgeCount = lengths.length;
        return w;
    }

    /** A packet's payload is a piece of the list of elements; an element may be larger than 2 GB less one byte. */
    @ParameterizedTest
    @CsvSource({
        "0,10,'1000:10'",
        "0,150,'1000:100,2000:50'",
        "50,100,'1032:50,2000:50'",
        "100,10,'2000:10'",
        "149,1,'2031:1'",
        "150,20,'4000:20'",
        "90,1000,'100a'"
    })
    void payloadIsGatheredOutOfTheElements(long offset, int bytes, String reads) {
        sim.elaborate();
        PayloadEngine engine = payload();
        TxSlot slot = engine.add(0, new RocePacket(), 0, 0, true);
        slot.packet.payloadLength = bytes;
        new Gather(engine, parts).ask(slot, qp(QpType.RC, 4), sges(100, 50, 0, 2_000_000_000), offset, 0);
        sim.run(100);
        if (reads.equals("100a")) { // all that is left of two elements, and the rest of a third
            reads = "105a:10,2000:50,4000:940";
        }
        String wanted = String.join(
                ",",
                asked.stream()
                        .map(r -> Long.toHexString(r.address) + ":" + r.length)
                        .toList());
        assertThat(wanted).isEqualTo(reads);
        int key = offset < 100 ? 0x500 : offset < 150 ? 0x600 : 0x800;
        assertThat(asked.get(0).key).isEqualTo(key);
        assertThat(asked.get(0).user).isEqualTo(MemoryUser.work(0, qp(QpType.RC, 4).qpn, key));
    }

    @Test
    void inlineDataIsHereAndAnEmptyPacketAsksForNothing() {
        sim.elaborate();
        PayloadEngine engine = payload();
        Wqe w = new Wqe();
        w.inlineAt = 20;
        for (int i = 0; i < 50; i++) {
            w.raw[20 + i] = (byte) i;
        }
        TxSlot slot = engine.add(0, new RocePacket(), 0, 0, true);
        slot.packet.payloadLength = 7;
        new Gather(engine, parts).ask(slot, qp(QpType.RC, 4), w, 30, 0);
        assertThat(slot.packet.payload.length()).isEqualTo(7);
        assertThat(slot.packet.payload.byteAt(0)).isEqualTo((byte) 30);
        TxSlot empty = engine.add(0, new RocePacket(), 0, 1, true);
        new Gather(engine, parts).ask(empty, qp(QpType.RC, 4), sges(100), 0, 0);
        sim.run(100);
        assertThat(asked).isEmpty();
        assertThat(empty.packet.payload.length()).isZero();
    }

    @Test
    void wqesAreCheckedBeforeTheyStart() {
        int local = AccessFlag.LOCAL_WRITE.code();
        table.keys().addRegion(0x500, PD, 0x1000, 100, 0x91000, local);
        table.keys().addRegion(0x600, PD, 0x2000, 50, 0x92000, 0);
        QpContext rc = qp(QpType.RC, 4);
        WorkParser parser = new WorkParser(table);
        Wqe w = sges(100, 50);
        w.index = 5;
        w.remoteVa = 6;
        w.rkey = 7;
        w.imm = 8;
        w.swapAdd = 9;
        w.compare = 10;
        w.destQp = 11;
        w.qkey = 12;
        w.signaled = true;
        assertThat(parser.parse(rc, w)).isEqualTo(WcStatus.SUCCESS);
        SendWork s = parser.work;
        assertThat(new long[] {s.id, s.length, s.remoteVa, s.rkey, s.immOrKey, s.swapAdd, s.compare, s.destQpn, s.qkey})
                .containsExactly(5, 150, 6, 7, 8, 9, 10, 11, 12);
        assertThat(new boolean[] {s.signaled, s.solicited, s.fence}).containsExactly(true, false, false);
        assertThat(s.opcode).isEqualTo(WrOpcode.RDMA_WRITE);
        parser.translate(w);
        assertThat(w.sgeVa).startsWith(0x91000, 0x92000, 0);
        assertThat(parser.parse(rc, sges(101))).as("behind the region").isEqualTo(WcStatus.LOC_PROT_ERR);
        Wqe read = sges(100, 50);
        read.opcode = WqeOpcode.RDMA_READ;
        assertThat(parser.parse(rc, read)).as("may not be written").isEqualTo(WcStatus.LOC_PROT_ERR);
        read.sgeCount = 1;
        assertThat(parser.parse(rc, read)).isEqualTo(WcStatus.SUCCESS);
        Wqe empty = sges(0);
        empty.sgeLkey[0] = 0x999;
        assertThat(parser.parse(rc, empty)).as("no bytes need no key").isEqualTo(WcStatus.SUCCESS);
        Wqe wrong = sges(10);
        wrong.valid = false;
        assertThat(parser.parse(rc, wrong)).isEqualTo(WcStatus.LOC_QP_OP_ERR);
        wrong.valid = true;
        wrong.opcode = 0x55;
        assertThat(parser.parse(rc, wrong)).isEqualTo(WcStatus.LOC_QP_OP_ERR);
        wrong.opcode = WqeOpcode.UMR;
        assertThat(parser.parse(rc, wrong)).isEqualTo(WcStatus.LOC_QP_OP_ERR);
    }

    @Test
    void lengthsHaveALimit() {
        table.keys().addRegion(0x500, PD, 0, 1L << 40, 0, 0);
        QpContext rc = qp(QpType.RC, 4);
        QpContext ud = new QpContext(0x88, QpType.UD, PD, SQ, 4, 0, 3, 16, 0, 1, 2);
        ud.mtu = 1024;
        WorkParser parser = new WorkParser(table);
        Wqe most = sges(1L << 31);
        assertThat(parser.parse(rc, most)).isEqualTo(WcStatus.SUCCESS);
        most.length++;
        assertThat(parser.parse(rc, most)).isEqualTo(WcStatus.LOC_LEN_ERR);
        Wqe datagram = sges(1024);
        datagram.opcode = WqeOpcode.SEND;
        assertThat(parser.parse(ud, datagram)).isEqualTo(WcStatus.SUCCESS);
        datagram.length++;
        assertThat(parser.parse(ud, datagram)).isEqualTo(WcStatus.LOC_LEN_ERR);
        datagram.length = 5;
        datagram.opcode = WqeOpcode.RDMA_WRITE;
        assertThat(parser.parse(ud, datagram)).as("no WRITE by datagram").isEqualTo(WcStatus.LOC_QP_OP_ERR);
    }
}
