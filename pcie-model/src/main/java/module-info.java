/** PCI Express and the host it leads to: packets, links, endpoints, root complex, timed memory and cores. */
module dev.clockwire.pcie {
    requires static transitive org.jspecify;
    requires transitive dev.clockwire.sim;

    exports dev.clockwire.pcie.tlp;
    exports dev.clockwire.pcie.link;
    exports dev.clockwire.pcie.config;
    exports dev.clockwire.pcie.endpoint;
    exports dev.clockwire.pcie.host;
    exports dev.clockwire.pcie.iommu;
    exports dev.clockwire.pcie.fabric;
}
