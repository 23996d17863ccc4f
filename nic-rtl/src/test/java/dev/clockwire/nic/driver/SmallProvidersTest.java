package dev.clockwire.nic.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.AsyncEvent;
import dev.clockwire.roce.verbs.AsyncEventType;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.DeviceMemory;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.SharedReceiveQueue;
import dev.clockwire.roce.verbs.SrqAttributes;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.sim.mem.Allocation;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

/** Objects of the driver that need a device but no peer: what they say of themselves, and how long commands take. */
class SmallProvidersTest {
    private static final long COMMAND_PS = 1_000_000;

    private Lab lab = lab();
    private ProtectionDomain pd = lab.await(lab.a().context().allocPd());

    private static Lab lab(String... settings) {
        Profile p = Profiles.named("cx7-400g");
        for (int i = 0; i < settings.length; i += 2) {
            p = p.with(settings[i], settings[i + 1]);
        }
        return Lab.twoHosts(p, LabSpec.of(1));
    }

    private void rebuild(String... settings) {
        lab = lab(settings);
        pd = lab.await(lab.a().context().allocPd());
    }

    private Allocation memory(long bytes) {
        return lab.a().host().memory().allocate("buffer", bytes, Allocation.Kind.REAL, 4096);
    }

    /** A command takes a microsecond, and waits for those given before. */
    @Test
    void commandsFollowEachOther() {
        long start = lab.sim().now();
        Completion<ProtectionDomain> first = lab.a().context().allocPd();
        Completion<ProtectionDomain> second = lab.a().context().allocPd();
        assertThat(lab.sim().runUntil(first::isDone, start + 100 * COMMAND_PS)).isTrue();
        assertThat(lab.sim().now()).isEqualTo(start + COMMAND_PS);
        assertThat(second.isDone()).isFalse();
        lab.sim().runUntil(second::isDone, start + 100 * COMMAND_PS);
        assertThat(lab.sim().now()).isEqualTo(start + 2 * COMMAND_PS);
        lab.sim().run(start + 10 * COMMAND_PS);
        long later = lab.sim().now();
        lab.await(lab.a().context().allocPd());
        assertThat(lab.sim().now()).as("an idle queue begins at once").isEqualTo(later + COMMAND_PS);
    }

    @Test
    void aSharedQueueSaysWhatItHas() {
        SharedReceiveQueue srq = lab.await(pd.createSrq(new SrqAttributes(5, 2, 0)));
        SharedReceiveQueue other = lab.await(pd.createSrq(new SrqAttributes(4, 1, 0)));
        assertThat(srq.provider().number()).isZero();
        assertThat(other.provider().number()).isEqualTo(1);
        assertThat(srq.provider().space())
                .as("as many as asked for, though the ring is larger")
                .isEqualTo(5);
        Allocation buffer = memory(4096);
        MemoryRegion mr = lab.await(pd.regMr(buffer.address(), 4096, EnumSet.of(AccessFlag.LOCAL_WRITE)));
        ReceiveBatch batch = new ReceiveBatch(3, 2);
        for (int i = 0; i < 3; i++) {
            batch.add().sges().add(buffer.address(), 64, mr.lkey());
        }
        srq.postReceive(batch);
        assertThat(srq.provider().space()).isEqualTo(2);
        lab.await(srq.modifyLimit(3));
        SrqAttributes asked = lab.await(srq.query());
        assertThat(asked).isEqualTo(new SrqAttributes(5, 2, 3));
        assertThat(lab.await(other.query())).isEqualTo(new SrqAttributes(4, 1, 0));
        Completion<Integer> gone = new Completion<>();
        other.provider().destroy(gone);
        assertThat(lab.await(gone)).isEqualTo(1);
    }

    @Test
    void aLimitIsToldOnceAndForgotten() {
        SharedReceiveQueue srq = lab.await(pd.createSrq(new SrqAttributes(4, 1, 0)));
        Completion<AsyncEvent> event = lab.a().context().asyncEvent();
        lab.await(srq.modifyLimit(2)); // nothing is posted: it is below at once
        lab.sim().runUntil(event::isDone, lab.sim().now() + 100_000_000);
        assertThat(event.isDone()).isTrue();
        assertThat(event.get().type()).isEqualTo(AsyncEventType.SRQ_LIMIT_REACHED);
        assertThat(event.get().number()).isEqualTo(srq.provider().number());
        assertThat(lab.await(srq.query()).limit()).isZero();
        Completion<AsyncEvent> next = lab.a().context().asyncEvent();
        lab.sim().run(lab.sim().now() + 50_000_000);
        assertThat(next.isDone()).isFalse();
    }

    /** What is copied into the device's memory is read back; each load of 8 bytes waits for its answer. */
    @Test
    void deviceMemoryIsWrittenByStoresAndReadByLoads() {
        rebuild("nic.dm.bytes", "4096");
        DeviceMemory dm = lab.await(lab.a().context().allocDm(256));
        Allocation buffer = memory(4096);
        byte[] data = new byte[100];
        for (int i = 0; i < 100; i++) {
            data[i] = (byte) (i + 1);
        }
        lab.a().host().memory().putBytes(buffer.address(), data, 0, 100);
        dm.copyTo(10, buffer.address(), 100);
        lab.sim().run(lab.sim().now() + 10_000_000);
        dm.copyFrom(buffer.address() + 1000, 10, 100);
        byte[] found = new byte[100];
        lab.a().host().memory().getBytes(buffer.address() + 1000, found, 0, 100);
        assertThat(found).isEqualTo(data);
        dm.copyTo(0, buffer.address(), 8); // a smaller piece, after a larger one
        lab.sim().run(lab.sim().now() + 10_000_000);
        dm.copyFrom(buffer.address() + 2000, 0, 8);
        assertThat(lab.a().host().memory().getByte(buffer.address() + 2007)).isEqualTo((byte) 8);
        lab.await(dm.free());
        assertThat(lab.await(lab.a().context().allocDm(4096)))
                .as("all of it is free again")
                .isNotNull();
    }

    @Test
    void deviceMemoryIsWhatThereIs() {
        rebuild("nic.dm.bytes", "4096");
        Completion<DeviceMemory> much = lab.a().context().allocDm(4096);
        assertThat(lab.await(much)).isNotNull();
        Completion<DeviceMemory> more = lab.a().context().allocDm(64);
        assertThatThrownBy(() -> lab.await(more))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("no piece of 64 bytes is free");
    }

    /** A page that is pinned costs the core, its translation the device: 3 pages of 4 KB that a range of 2 pages touches. */
    @Test
    void registrationCostsItsPages() {
        rebuild("host.reg.pin_page_ns", "1000", "host.reg.mtt_entry_ns", "500", "host.reg.unpin_page_ns", "2000");
        Allocation buffer = memory(16_384);
        long start = lab.sim().now();
        MemoryRegion mr = lab.await(pd.regMr(buffer.address() + 100, 8192, EnumSet.of(AccessFlag.LOCAL_WRITE)));
        assertThat(lab.sim().now() - start).isEqualTo(3 * 1_000_000 + 3 * 500_000 + COMMAND_PS);
        start = lab.sim().now();
        lab.await(mr.dereg());
        assertThat(lab.sim().now() - start).isEqualTo(COMMAND_PS);
    }

    @Test
    void thePortSaysWhatItIs() {
        assertThat(lab.a().device().name()).isEqualTo("mlx5_0");
        assertThat(lab.a().device().port(1).activeMtu()).isEqualTo(Mtu.MTU_4096);
        assertThat(lab.a().device().port(1).gids())
                .containsExactly(lab.a().gid(), lab.a().gid6());
        assertThat(lab.a().gid()).isNotEqualTo(lab.b().gid());
    }

    @Test
    void aQueueThatIsTooLargeIsRefused() {
        assertThatThrownBy(() -> lab.await(pd.createSrq(new SrqAttributes(0, 1, 0))))
                .isInstanceOf(VerbsException.class);
    }
}
