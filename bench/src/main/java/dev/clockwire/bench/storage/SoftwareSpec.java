package dev.clockwire.bench.storage;

import dev.clockwire.storage.threefs.rpc.Transfer;

/**
 * What of a system's software may be other than usual.
 *
 * @param rule what a reader of 3FS gets of a pending version, by name
 * @param transfer how 3FS moves bytes
 * @param slots of a node of 3FS for all its writers, 0 if it is not said
 * @param quick whether silence counts after milliseconds instead of minutes
 * @param registrationCache whether DAOS keeps registrations of memory
 * @param pollingUs {@code ms_async_rdma_polling_us} of Ceph, -1 if it is not said
 * @param osdUs time of a core that an operation takes in an OSD of Ceph, -1 if it is not said
 */
public record SoftwareSpec(
        String rule, Transfer transfer, int slots, boolean quick, boolean registrationCache, int pollingUs, int osdUs) {
    private static final SoftwareSpec USUAL = new SoftwareSpec("reject", Transfer.usual(), 0, false, false, -1, -1);

    /** Returns each system as it comes. */
    public static SoftwareSpec usual() {
        return USUAL;
    }

    /** Returns a copy with another rule of 3FS's reads. */
    public SoftwareSpec withRule(String other) {
        return new SoftwareSpec(other, transfer, slots, quick, registrationCache, pollingUs, osdUs);
    }

    /** Returns a copy with other transfers of 3FS and so many slots. */
    public SoftwareSpec withTransfer(Transfer other, int granted) {
        return new SoftwareSpec(rule, other, granted, quick, registrationCache, pollingUs, osdUs);
    }

    /** Returns a copy with short waits. */
    public SoftwareSpec withQuick(boolean on) {
        return new SoftwareSpec(rule, transfer, slots, on, registrationCache, pollingUs, osdUs);
    }

    /** Returns a copy in which DAOS keeps registrations, or does not. */
    public SoftwareSpec withRegistrationCache(boolean on) {
        return new SoftwareSpec(rule, transfer, slots, quick, on, pollingUs, osdUs);
    }

    /** Returns a copy in which Ceph's polling thread sleeps after so long without work. */
    public SoftwareSpec withPollingUs(int us) {
        return new SoftwareSpec(rule, transfer, slots, quick, registrationCache, us, osdUs);
    }

    /** Returns a copy in which an operation takes so long of an OSD's core. */
    public SoftwareSpec withOsdUs(int us) {
        return new SoftwareSpec(rule, transfer, slots, quick, registrationCache, pollingUs, us);
    }
}
