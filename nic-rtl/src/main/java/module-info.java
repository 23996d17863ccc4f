/** The NIC: its blocks in the order of the data path, the device that wires them, its driver, and labs of hosts with it. */
module dev.clockwire.nic {
    requires static transitive org.jspecify;
    requires transitive dev.clockwire.sim;
    requires transitive dev.clockwire.roce;
    requires transitive dev.clockwire.pcie;

    exports dev.clockwire.nic.cache;
    exports dev.clockwire.nic.chip;
    exports dev.clockwire.nic.complete;
    exports dev.clockwire.nic.context;
    exports dev.clockwire.nic.device;
    exports dev.clockwire.nic.dma;
    exports dev.clockwire.nic.doorbell;
    exports dev.clockwire.nic.driver;
    exports dev.clockwire.nic.encode;
    exports dev.clockwire.nic.ether;
    exports dev.clockwire.nic.fetch;
    exports dev.clockwire.nic.format;
    exports dev.clockwire.nic.lab;
    exports dev.clockwire.nic.lookup;
    exports dev.clockwire.nic.mac;
    exports dev.clockwire.nic.notify;
    exports dev.clockwire.nic.offload;
    exports dev.clockwire.nic.profile;
    exports dev.clockwire.nic.rate;
    exports dev.clockwire.nic.regs;
    exports dev.clockwire.nic.respond;
    exports dev.clockwire.nic.rx;
    exports dev.clockwire.nic.sched;
    exports dev.clockwire.nic.send;
    exports dev.clockwire.nic.stage;
}
