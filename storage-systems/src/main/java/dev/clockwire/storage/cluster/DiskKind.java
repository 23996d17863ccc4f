package dev.clockwire.storage.cluster;

/** What nodes store on. */
public enum DiskKind {
    /** An NVMe SSD behind PCIe, TLP by TLP. */
    FULL,
    /** The SSD's medium without controller and PCIe. */
    MEDIA
}
