package dev.clockwire.nic.lab;

import dev.clockwire.nic.profile.Profile;
import dev.clockwire.pcie.host.CpuSpec;
import dev.clockwire.pcie.host.HostSpec;

/** The host that a profile describes, for hosts that have other devices than its NIC. */
public final class HostModel {
    private HostModel() {}

    /** Returns its latencies. */
    public static HostSpec host(Profile profile) {
        return HostParts.host(profile);
    }

    /** Returns what work costs its cores. */
    public static CpuSpec cpu(Profile profile) {
        return HostParts.cpu(profile);
    }
}
