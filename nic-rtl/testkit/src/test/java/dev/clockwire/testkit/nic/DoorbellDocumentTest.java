package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.doorbell.Uar;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The stores that reach the device, and the record, against docs/formats.md. */
class DoorbellDocumentTest {
    private static final String RECORD = "## Doorbell record";
    private static final String LEGACY = "### WQE_DB_REG, 32-bit write (legacy)";
    private static final String WITH_INDEX = "### WQE_DB_REG, 64-bit write";

    /** A memory write as it left the root port. */
    private static final class Store {
        final long offset;
        final byte[] bytes;

        Store(long offset, byte[] bytes) {
            this.offset = offset;
            this.bytes = bytes;
        }
    }

    private final List<Store> stores = new ArrayList<>();

    private Pair post(boolean blueflame, boolean carriesPi, int count) {
        Profile profile = Profiles.named("cx7-400g")
                .with("nic.blueflame", Boolean.toString(blueflame))
                .with("nic.doorbell.carries_pi", Boolean.toString(carriesPi));
        Pair p = new Pair(Lab.twoHosts(profile, LabSpec.of(1)), QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
        long page = p.a.host.nic().uarPage(p.a.qp.qpn());
        p.lab.a().host().port(0).transmitter().tap((ps, upstream, header, data, at, length) -> {
            if (header.type == TlpType.MWR) {
                byte[] bytes = new byte[length];
                data.copyTo(at, bytes, 0, length);
                stores.add(new Store(header.address - page, bytes));
            }
        });
        SendBatch batch = new SendBatch(count, 1);
        for (int i = 0; i < count; i++) {
            SendEntry e = batch.add();
            e.opcode = WrOpcode.RDMA_WRITE;
            e.flags = SendFlag.SIGNALED.code();
            e.remoteAddress = p.b.at(0);
            e.rkey = p.b.mr.rkey();
            e.sges().add(p.a.at(0), 64, p.a.mr.lkey());
        }
        p.a.qp.postSend(batch);
        p.next(p.a);
        return p;
    }

    private static QpContext context(Pair p) {
        return Objects.requireNonNull(p.a.host.nic().parts().table().qp(p.a.qp.qpn()));
    }

    /** Returns a documented field of a register: row of dword, bits, name. */
    private static long field(String heading, String name, byte[] register) {
        for (List<String> row : MarkdownTable.under(heading, 0)) {
            if (row.get(2).equals(name)) {
                int dword = Integer.parseInt(row.get(0));
                String[] bits = row.get(1).split(":", -1);
                int low = Integer.parseInt(bits[1]);
                long word = 0;
                for (int i = 3; i >= 0; i--) {
                    word = (word << 8) | (register[4 * dword + i] & 0xFF);
                }
                return (word >>> low) & (-1L >>> (63 - Integer.parseInt(bits[0]) + low));
            }
        }
        throw new AssertionError("no field " + name + " under " + heading);
    }

    @Test
    void aLegacyDoorbellCarriesTheQueuePairAlone() {
        Pair p = post(false, false, 3);
        Store store = stores.get(0);
        assertThat(store.offset).isEqualTo(Uar.WQE_DB_REG);
        assertThat(store.bytes).hasSize(4);
        assertThat(field(LEGACY, "qpn", store.bytes)).isEqualTo(p.a.qp.qpn());
        assertThat(field(LEGACY, "zero", store.bytes)).isZero();
    }

    @Test
    void aLongDoorbellCarriesTheProducerIndexToo() {
        Pair p = post(false, true, 3);
        Store store = stores.get(0);
        assertThat(store.offset).isEqualTo(Uar.WQE_DB_REG);
        assertThat(store.bytes).hasSize(8);
        assertThat(field(WITH_INDEX, "qpn", store.bytes)).isEqualTo(p.a.qp.qpn());
        assertThat(field(WITH_INDEX, "zero", store.bytes)).isZero();
        assertThat(field(WITH_INDEX, "pi", store.bytes)).isEqualTo(3);
        long record = context(p).recordAddress;
        assertThat(MarkdownTable.under(RECORD, 0)).extracting(r -> r.get(2)).containsExactly("rcv", "snd");
        for (List<String> row : MarkdownTable.under(RECORD, 0)) {
            assertThat(row.get(1)).isEqualTo("15:0");
            int first = Integer.parseInt(row.get(0).split("-", -1)[0]);
            int value = p.a.host.host().memory().getIntBe(record + first);
            assertThat(value).as(row.get(2)).isEqualTo(row.get(2).equals("snd") ? 3 : 0);
        }
    }

    @Test
    void blueFlameCarriesTheWqeItself() {
        Pair p = post(true, true, 1);
        Store store = stores.get(0);
        assertThat(store.offset).isEqualTo(Uar.BLUEFLAME_A);
        assertThat(store.bytes).hasSize(64);
        byte[] wqe = new byte[48];
        p.a.host.host().memory().getBytes(context(p).sqBase, wqe, 0, 48);
        assertThat(store.bytes).startsWith(wqe);
        assertThat(p.a.host.nic().doorbellErrors()).isZero();
    }
}
