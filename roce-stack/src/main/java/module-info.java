/** All of RoCE that is independent of silicon, in layers: see the packages. */
module dev.clockwire.roce {
    requires static transitive org.jspecify;
    requires transitive dev.clockwire.sim;

    exports dev.clockwire.roce.cm;
    exports dev.clockwire.roce.congestion;
    exports dev.clockwire.roce.fabric;
    exports dev.clockwire.roce.fabric.bridge;
    exports dev.clockwire.roce.fabric.host;
    exports dev.clockwire.roce.fabric.net;
    exports dev.clockwire.roce.soft;
    exports dev.clockwire.roce.rpc;
    exports dev.clockwire.roce.transport;
    exports dev.clockwire.roce.verbs;
    exports dev.clockwire.roce.wire;
}
