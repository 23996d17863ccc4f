/** What tests of whole NICs need: connected queue pairs in a lab, and random verbs programs with the oracle that judges them. */
module dev.clockwire.testkit.nic {
    requires transitive dev.clockwire.nic;
    requires transitive dev.clockwire.testkit;
    requires static transitive org.assertj.core;
    requires static transitive net.jqwik.api;
    requires static transitive org.jspecify;

    provides dev.clockwire.testkit.SimParameters with
            dev.clockwire.testkit.nic.LabParameters;

    exports dev.clockwire.testkit.nic;
}
