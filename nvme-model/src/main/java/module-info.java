/** NVMe: controllers as PCIe functions, media, a user-space driver, and the formats of NVMe over fabrics. */
module dev.clockwire.nvme {
    requires static transitive org.jspecify;
    requires transitive dev.clockwire.sim;
    requires transitive dev.clockwire.pcie;

    exports dev.clockwire.nvme.ctrl;
    exports dev.clockwire.nvme.driver;
    exports dev.clockwire.nvme.fabrics;
    exports dev.clockwire.nvme.format;
    exports dev.clockwire.nvme.media;
    exports dev.clockwire.nvme.regs;
    exports dev.clockwire.nvme.store;
}
