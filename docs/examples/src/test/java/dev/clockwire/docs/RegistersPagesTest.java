package dev.clockwire.docs;

import dev.clockwire.nic.device.NicDevice;
import dev.clockwire.nic.doorbell.UarLayout;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.pcie.config.BarSpec;
import dev.clockwire.roce.verbs.Numbering;
import dev.clockwire.sim.reg.RegisterBank;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The tables of docs/registers.md, made from the register banks of a NIC. */
class RegistersPagesTest {
    @Test
    void thePageSaysWhatTheBanksSay() {
        Profile all = Profiles.named(Profiles.DEFAULT)
                .with("host.iommu.enabled", "true")
                .with("pcie.ats", "true");
        NicDevice nic = Lab.twoHosts(all, LabSpec.of(1)).a().nic();
        Page page = new Page("registers.md");
        page.section("windows", windows(nic));
        page.section("layouts", layouts());
        page.section("registers", tables(nic.registers().banks()));
        page.section("configuration", tables(nic.config().banks()));
        page.assertAgrees();
    }

    private static String windows(NicDevice nic) {
        Table table = new Table("BAR", "size", "bits", "prefetchable");
        nic.config().spec().bars().stream()
                .sorted(Comparator.comparingInt(BarSpec::number))
                .forEach(b -> table.row(
                        b.number(),
                        (b.bytes() >> 10) + " KB",
                        b.wide() ? "64" : "32",
                        b.prefetchable() ? "yes" : "no"));
        return table.orNone();
    }

    private static String layouts() {
        Table table = new Table(
                "layout", "WQE_DB_REG of QPN 0x15", "BlueFlame of QPN 0x15", "CQ_ARM_DB of CQN 5", "QPNs below");
        for (UarLayout l : UarLayout.values()) {
            int uar = 0x15 - Numbering.FIRST_QPN;
            table.row(
                    l.name().toLowerCase(java.util.Locale.ROOT),
                    hex(l.doorbell(uar)),
                    hex(l.blueflame(uar, 0)) + (l == UarLayout.PAGE ? ", " + hex(l.blueflame(uar, 1)) : ""),
                    hex(l.arm(5)),
                    l.places() + Numbering.FIRST_QPN);
        }
        return table.orNone();
    }

    private static String hex(long x) {
        return "0x" + Long.toHexString(x);
    }

    private static String tables(List<RegisterBank> banks) {
        StringBuilder out = new StringBuilder();
        banks.forEach(b -> out.append(out.isEmpty() ? "" : "\n").append(b.markdown()));
        return out.toString();
    }
}
