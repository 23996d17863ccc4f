package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.driver.RegistrationSpec;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Allocation;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What registering memory costs, by hand: pages times price, on the core and in the device. */
class RegistrationTest {
    private static final long PIN = 250_000;
    private static final long UNPIN = 100_000;
    private static final long MTT = 40_000;
    private static final long COMMAND = 1_000_000;
    private static final EnumSet<AccessFlag> RIGHTS = EnumSet.of(AccessFlag.LOCAL_WRITE);

    private static Profile profile(String pages, boolean costs) {
        Profile p = Profiles.named("cx7-400g").with("host.huge_pages", pages);
        return costs
                ? p.with("host.reg.pin_page_ns", "250")
                        .with("host.reg.unpin_page_ns", "100")
                        .with("host.reg.mtt_entry_ns", "40")
                : p;
    }

    /** Transparent pages: 4 MB aligned to 2 MB are two, 4 MB that begin 4 KB later touch the small one behind them too. */
    @ParameterizedTest
    @CsvSource({
        "never, 0, 4194304, 1024",
        "never, 0, 1, 1",
        "never, 4095, 2, 2",
        "transparent, 0, 4194304, 2",
        "transparent, 4096, 4194304, 3",
        "2M, 0, 4194304, 2",
        "1G, 0, 4194304, 1"
    })
    void eachPageHasItsPrice(String size, long offset, long length, long pages) {
        Lab lab = Lab.twoHosts(profile(size, true), LabSpec.of(1));
        Allocation all = lab.a().host().memory().allocate("buffer", 4_194_304 + offset, Allocation.Kind.BULK, 2 << 20);
        ProtectionDomain pd = lab.await(lab.a().context().allocPd());
        long before = lab.a().core().now();
        Completion<MemoryRegion> region = pd.regMr(all.address() + offset, length, RIGHTS);
        assertThat(lab.a().core().now() - before).isEqualTo(pages * PIN);
        lab.sim().runUntil(region::isDone, 1L << 50);
        assertThat(lab.sim().now() - before)
                .isBetween(pages * (PIN + MTT) + COMMAND, pages * (PIN + MTT) + COMMAND + 1);
        long busy = lab.a().core().handlerPs();
        lab.await(region.get().dereg());
        assertThat(lab.a().core().handlerPs() - busy).isEqualTo(pages * UNPIN);
    }

    /** A message of 64 KB that is registered for itself, against one from a pool that was registered before. */
    @Test
    void registeringEachMessageCostsWhatAPoolSaves() {
        long[] took = new long[2];
        for (int pooled = 0; pooled < 2; pooled++) {
            Lab lab = Lab.twoHosts(profile("never", true), LabSpec.of(1));
            Allocation all = lab.a().host().memory().allocate("buffer", 1 << 20, Allocation.Kind.BULK, 4096);
            ProtectionDomain pd = lab.await(lab.a().context().allocPd());
            long before = lab.sim().now();
            for (int i = 0; i < (pooled == 1 ? 1 : 100); i++) {
                MemoryRegion region = lab.await(pd.regMr(all.address(), pooled == 1 ? 1 << 20 : 1 << 16, RIGHTS));
                if (pooled == 0) {
                    lab.await(region.dereg());
                }
            }
            took[pooled] = lab.sim().now() - before;
        }
        assertThat(took[1]).isLessThan(COMMAND + 256 * (PIN + MTT) + 2);
        assertThat(took[0]).isGreaterThan(100 * (2 * COMMAND + 16 * (PIN + MTT)));
    }

    @Test
    void withoutPricesACommandIsAllItTakes() {
        Lab lab = Lab.twoHosts(profile("never", false), LabSpec.of(1));
        Allocation all = lab.a().host().memory().allocate("buffer", 1 << 20, Allocation.Kind.BULK, 4096);
        ProtectionDomain pd = lab.await(lab.a().context().allocPd());
        long before = lab.sim().now();
        long busy = lab.a().core().handlerPs();
        lab.await(pd.regMr(all.address(), 1 << 20, RIGHTS));
        assertThat(lab.sim().now() - before).isBetween(COMMAND, COMMAND + 1);
        assertThat(lab.a().core().handlerPs()).isEqualTo(busy);
    }

    /** RLIMIT_MEMLOCK of 64 KB: what is released may be pinned again. */
    @Test
    void aProcessPinsNoMoreThanItMayLock() {
        Lab lab = Lab.twoHosts(profile("never", false).with("host.memlock_kbytes", "64"), LabSpec.of(1));
        Allocation all = lab.a().host().memory().allocate("buffer", 1 << 20, Allocation.Kind.BULK, 4096);
        ProtectionDomain pd = lab.await(lab.a().context().allocPd());
        MemoryRegion first = lab.await(pd.regMr(all.address(), 1 << 16, RIGHTS));
        assertThatThrownBy(() -> lab.await(pd.regMr(all.address(), 1, RIGHTS)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("ENOMEM")
                .hasMessageContaining("RLIMIT_MEMLOCK 65536");
        lab.await(first.dereg());
        lab.await(pd.regMr(all.address(), 1, RIGHTS));
    }

    @Test
    void pricesOutsideTheirRangeAreRefused() {
        assertThatThrownBy(() -> new RegistrationSpec(-1, 0, 0, 0))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("pin ps -1 is not in 0..1000000000");
        assertThatThrownBy(() -> profile("never", true).with("host.reg.mtt_entry_ns", "-3"))
                .hasMessageContaining("host.reg.mtt_entry_ns");
    }
}
