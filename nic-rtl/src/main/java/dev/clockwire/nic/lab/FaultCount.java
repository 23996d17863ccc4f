package dev.clockwire.nic.lab;

import dev.clockwire.sim.fault.FaultRule;

/**
 * How often a rule of a fault plan has struck.
 *
 * @param hits frames or completions it was about, times a link went down or something happened to a host; 0 if the rule never fired
 */
public record FaultCount(FaultRule rule, long hits) {}
