/** Storage software on simulated cores: reactors with threads and pollers, and block devices on them. */
module dev.clockwire.storage {
    requires static transitive org.jspecify;
    requires transitive dev.clockwire.sim;
    requires transitive dev.clockwire.pcie;
    requires transitive dev.clockwire.roce;
    requires transitive dev.clockwire.nic;
    requires transitive dev.clockwire.nvme;

    exports dev.clockwire.storage.app;
    exports dev.clockwire.storage.bdev;
    exports dev.clockwire.storage.ceph;
    exports dev.clockwire.storage.ceph.check;
    exports dev.clockwire.storage.ceph.client;
    exports dev.clockwire.storage.ceph.msgr2;
    exports dev.clockwire.storage.ceph.osd;
    exports dev.clockwire.storage.ceph.store;
    exports dev.clockwire.storage.ceph.stream;
    exports dev.clockwire.storage.check;
    exports dev.clockwire.storage.check.monitor;
    exports dev.clockwire.storage.cluster;
    exports dev.clockwire.storage.hoststack;
    exports dev.clockwire.storage.hoststack.block;
    exports dev.clockwire.storage.hoststack.kernel;
    exports dev.clockwire.storage.hoststack.net;
    exports dev.clockwire.storage.hoststack.nvmerdma;
    exports dev.clockwire.storage.hoststack.nvmet;
    exports dev.clockwire.storage.hoststack.nvmetcp;
    exports dev.clockwire.storage.hoststack.tcp;
    exports dev.clockwire.storage.load;
    exports dev.clockwire.storage.nvmf.initiator;
    exports dev.clockwire.storage.nvmf.lab;
    exports dev.clockwire.storage.nvmf.offload;
    exports dev.clockwire.storage.nvmf.subsystem;
    exports dev.clockwire.storage.nvmf.target;
    exports dev.clockwire.storage.perf;
    exports dev.clockwire.storage.reactor;
    exports dev.clockwire.storage.rpc;
    exports dev.clockwire.storage.software;
    exports dev.clockwire.storage.threefs;
    exports dev.clockwire.storage.threefs.chunk;
    exports dev.clockwire.storage.threefs.client;
    exports dev.clockwire.storage.threefs.meta;
    exports dev.clockwire.storage.threefs.mgmtd;
    exports dev.clockwire.storage.threefs.net;
    exports dev.clockwire.storage.threefs.rpc;
    exports dev.clockwire.storage.threefs.server;
    exports dev.clockwire.storage.threefs.usrbio;
}
