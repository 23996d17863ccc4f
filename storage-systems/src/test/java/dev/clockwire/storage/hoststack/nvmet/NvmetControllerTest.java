package dev.clockwire.storage.hoststack.nvmet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nvme.fabrics.ConnectData;
import dev.clockwire.nvme.fabrics.FabricsCommand;
import dev.clockwire.nvme.format.Identify;
import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import org.junit.jupiter.api.Test;

/** What the target's controller answers, and refuses, with which status. */
class NvmetControllerTest {
    private static final String NQN = "nqn.2026-11.test:one";
    private final NvmetController c = new NvmetController(NQN, 512, 1000, 4096, 128);
    private final SqEntry e = new SqEntry();
    private byte[] data = new byte[0];

    private int connect(int qid, int asked, int cntlid, String nqn) {
        data = new byte[ConnectData.BYTES];
        new ConnectData(1, 2, cntlid, nqn, "nqn.2026-11.test:host").store(data, 0);
        FabricsCommand.connect(e.clear(), 0, qid, asked, true, 0);
        return c.execute(qid, e, data);
    }

    private long property(int offset, int bytes) {
        FabricsCommand.propertyGet(e.clear(), 0, offset, bytes);
        assertThat(c.execute(0, e, new byte[0])).isZero();
        return c.result();
    }

    private void enable() {
        assertThat(connect(0, 32, ConnectData.ANY, NQN)).isZero();
        assertThat(c.result()).as("controller number").isEqualTo(1);
        FabricsCommand.propertySet(e.clear(), 0, 0x14, 4, 0x0046_0001);
        assertThat(c.execute(0, e, new byte[0])).isZero();
    }

    private static int of(NvmeStatus why) {
        return why.code() | NvmeStatus.DO_NOT_RETRY;
    }

    @Test
    void connectIsLookedInto() {
        assertThat(connect(0, 32, ConnectData.ANY, "nqn.2026-11.test:two")).isEqualTo(of(NvmeStatus.CONNECT_INVALID));
        assertThat(connect(0, 32, 5, NQN)).as("a number at the admin queue").isEqualTo(of(NvmeStatus.CONNECT_INVALID));
        assertThat(connect(1, 128, 1, NQN)).as("before it is enabled").isEqualTo(of(NvmeStatus.CONNECT_INVALID));
        enable();
        assertThat(connect(1, 129, 1, NQN)).as("too many entries").isEqualTo(of(NvmeStatus.CONNECT_INVALID));
        assertThat(connect(1, 128, 1, NQN)).isZero();
    }

    @Test
    void nothingIsDoneBeforeConnect() {
        e.clear().command(Opcodes.IDENTIFY, 0, 0).dword(10, Identify.CONTROLLER);
        assertThat(c.execute(0, e, new byte[4096])).isEqualTo(of(NvmeStatus.SEQUENCE_ERROR));
        e.clear().command(Opcodes.READ, 0, 1).blocks(0, 1);
        assertThat(c.check(e)).isEqualTo(of(NvmeStatus.SEQUENCE_ERROR));
    }

    @Test
    void propertiesAreThoseOfTheReference() {
        enable();
        assertThat(property(0x00, 8) & 0xFFFF).as("CAP.MQES").isEqualTo(127);
        assertThat(property(0x08, 4)).isEqualTo(0x0001_0300);
        assertThat(property(0x1C, 4)).as("ready").isEqualTo(1);
        FabricsCommand.propertyGet(e.clear(), 0, 0x24, 4);
        assertThat(c.execute(0, e, new byte[0])).isEqualTo(of(NvmeStatus.INVALID_FIELD));
        FabricsCommand.propertySet(e.clear(), 0, 0x08, 4, 1);
        assertThat(c.execute(0, e, new byte[0])).isEqualTo(of(NvmeStatus.INVALID_FIELD));
    }

    @Test
    void identifyTellsOfCapsulesAndBlocks() {
        enable();
        data = new byte[Identify.BYTES];
        e.clear().command(Opcodes.IDENTIFY, 0, 0).dword(10, Identify.CONTROLLER);
        assertThat(c.execute(0, e, data)).isZero();
        assertThat(LittleEndian.get32(data, 1792)).as("IOCCSZ").isEqualTo(260);
        assertThat(LittleEndian.get32(data, 1796)).as("IORCSZ").isEqualTo(1);
        e.clear().command(Opcodes.IDENTIFY, 0, 1).dword(10, Identify.NAMESPACE);
        assertThat(c.execute(0, e, data)).isZero();
        assertThat(LittleEndian.get64(data, 0)).isEqualTo(1000);
        e.clear().command(Opcodes.IDENTIFY, 0, 0).dword(10, Identify.ACTIVE_LIST);
        assertThat(c.execute(0, e, data)).isZero();
        assertThat(LittleEndian.get32(data, 0)).isEqualTo(1);
        assertThat(LittleEndian.get32(data, 4)).isZero();
        e.clear().command(Opcodes.IDENTIFY, 0, 1).dword(10, 0x55);
        assertThat(c.execute(0, e, data)).isEqualTo(of(NvmeStatus.INVALID_FIELD));
    }

    @Test
    void otherAdminCommands() {
        enable();
        e.clear().command(Opcodes.SET_FEATURES, 0, 0).dword(10, 7).dword(11, 0);
        assertThat(c.execute(0, e, data)).isZero();
        assertThat(c.result()).as("0-based, both").isEqualTo(0x007F_007F);
        e.clear().command(Opcodes.SET_FEATURES, 0, 0).dword(10, 0x7E);
        assertThat(c.execute(0, e, data)).isEqualTo(of(NvmeStatus.INVALID_FIELD));
        assertThat(c.execute(0, e.clear().command(Opcodes.KEEP_ALIVE, 0, 0), data))
                .isZero();
        assertThat(c.execute(0, e.clear().command(Opcodes.ASYNC_EVENT, 0, 0), data))
                .isEqualTo(NvmetController.HELD);
        assertThat(c.execute(0, e.clear().command(Opcodes.GET_LOG_PAGE, 0, 0), data))
                .isEqualTo(of(NvmeStatus.INVALID_OPCODE));
    }

    @Test
    void ioOutsideIsRefused() {
        enable();
        assertThat(c.check(e.clear().command(Opcodes.READ, 0, 1).blocks(992, 8)))
                .isZero();
        assertThat(c.check(e.clear().command(Opcodes.READ, 0, 1).blocks(993, 8)))
                .isEqualTo(of(NvmeStatus.LBA_OUT_OF_RANGE));
        assertThat(c.check(e.clear().command(Opcodes.WRITE, 0, 1).blocks(-1, 8)))
                .isEqualTo(of(NvmeStatus.LBA_OUT_OF_RANGE));
        assertThat(c.check(e.clear().command(Opcodes.READ, 0, 2).blocks(0, 1)))
                .isEqualTo(of(NvmeStatus.INVALID_NAMESPACE));
        assertThat(c.check(e.clear().command(Opcodes.COMPARE, 0, 1).blocks(0, 1)))
                .isEqualTo(of(NvmeStatus.INVALID_OPCODE));
        assertThat(c.check(e.clear().command(Opcodes.FLUSH, 0, 1))).isZero();
    }
}
