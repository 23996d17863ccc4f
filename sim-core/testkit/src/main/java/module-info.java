/** What tests of blocks need: an extension for JUnit, drivers for channels, stall patterns, contract tests, arbitraries. */
module dev.clockwire.testkit {
    requires transitive dev.clockwire.sim;
    requires transitive org.junit.jupiter.api;
    requires static transitive org.assertj.core;
    requires static transitive net.jqwik.api;
    requires static transitive org.jspecify;

    uses dev.clockwire.testkit.SimParameters;

    exports dev.clockwire.testkit;
}
