package dev.clockwire.storage.cluster;

import dev.clockwire.pcie.host.CpuCore;

/**
 * What the cores of a machine have done.
 *
 * @param workPs time in steps that found something and in handlers, in ps
 * @param pollingPs time in steps that found nothing
 * @param wakeUps threads that were woken from sleep
 * @param copied bytes that were copied: each is read and written
 * @param scanned bytes that checksums have looked at
 */
public record CpuWork(long workPs, long pollingPs, long wakeUps, long copied, long scanned) {
    /** Nothing. */
    public static final CpuWork NONE = new CpuWork(0, 0, 0, 0, 0);

    /** Returns the sum with what a core has done so far. */
    CpuWork plus(CpuCore c) {
        return new CpuWork(
                workPs + c.busyPs() - c.pollingPs() + c.handlerPs(),
                pollingPs + c.pollingPs(),
                wakeUps + c.contextSwitches(),
                copied + c.copiedBytes(),
                scanned + c.scannedBytes());
    }

    /** Returns the sum with that of other cores. */
    public CpuWork and(CpuWork other) {
        return new CpuWork(
                workPs + other.workPs,
                pollingPs + other.pollingPs,
                wakeUps + other.wakeUps,
                copied + other.copied,
                scanned + other.scanned);
    }

    /** Returns what was done since an earlier time. */
    public CpuWork since(CpuWork before) {
        return new CpuWork(
                workPs - before.workPs,
                pollingPs - before.pollingPs,
                wakeUps - before.wakeUps,
                copied - before.copied,
                scanned - before.scanned);
    }
}
