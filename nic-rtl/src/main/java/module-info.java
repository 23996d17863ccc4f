/** The silicon of the NIC; folders follow the data path. */
module dev.clockwire.nic {
    requires static transitive org.jspecify;
    requires transitive dev.clockwire.sim;
    requires transitive dev.clockwire.roce;

    exports dev.clockwire.nic.profile;
}
