package dev.clockwire.nic.driver;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.context.Translation;
import dev.clockwire.nic.profile.CacheSpec;
import dev.clockwire.nic.profile.IcmSpec;

/** Gives the device the host memory that its tables lie in, as far as the chip does not hold them. */
final class DeviceTables {
    private final HwDevice device;
    private final IcmSpec icm;

    DeviceTables(HwDevice device) {
        this.device = device;
        icm = device.nic().spec().icm();
    }

    private ContextTable table() {
        return device.nic().parts().table();
    }

    private long allocate(String what, long bytes) {
        return device.allocateTable(what, bytes).address();
    }

    /** A queue pair was created. */
    void queuePair(QpContext context) {
        CacheSpec cache = icm.qpc();
        if (cache != null) {
            long told = device.nic().registers().contextAddress(context.qpn);
            context.contextAddress = told == 0 ? allocate("qpc", cache.entryBytes()) : told;
        }
    }

    /** A completion queue was created. */
    void completionQueue(int cqn) {
        CacheSpec cache = icm.cqc();
        if (cache != null) {
            table().cqContextAddress(cqn, allocate("cqc", cache.entryBytes()));
        }
    }

    /** A region was registered: a context, and the translation of each page that it touches. */
    void region(int key, long address, long length) {
        if (!icm.translates()) {
            return;
        }
        long first = address >>> icm.pageShift();
        long pages = length == 0 ? 1 : ((address + length - 1) >>> icm.pageShift()) - first + 1;
        long entry = table().addTranslations(pages);
        long translations = allocate("mtt", pages * IcmSpec.MTT_BYTES);
        long context = allocate("mpt", IcmSpec.MPT_BYTES);
        table().translation(key, new Translation(context, translations, first, entry, entry + pages));
    }

    /** A window was allocated: a context, the pages are those of the region it will be bound to. */
    void window(int key) {
        if (icm.translates()) {
            table().translation(key, new Translation(allocate("mpt", IcmSpec.MPT_BYTES), 0, 0, 0, 0));
        }
    }

    /** A region or window is gone. */
    void remove(int key) {
        if (icm.translates()) {
            table().translation(key, null);
            device.nic().forgetKey(key);
        }
    }
}
