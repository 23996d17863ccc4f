/** The simulation kernel and everything that knows no hardware: see the packages. */
module dev.clockwire.sim {
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports dev.clockwire.sim.capture;
    exports dev.clockwire.sim.error;
    exports dev.clockwire.sim.fault;
    exports dev.clockwire.sim.flow;
    exports dev.clockwire.sim.export;
    exports dev.clockwire.sim.fsm;
    exports dev.clockwire.sim.host;
    exports dev.clockwire.sim.mem;
    exports dev.clockwire.sim.parallel;
    exports dev.clockwire.sim.random;
    exports dev.clockwire.sim.reg;
    exports dev.clockwire.sim.state;
    exports dev.clockwire.sim.stats;
    exports dev.clockwire.sim.trace;
    exports dev.clockwire.sim.wave;
    exports dev.clockwire.sim;
}
