/**
 * Faults on purpose: a plan of rules, each an action and the one trigger that sets it off. Here is what is the same for every kind
 * of thing that can go wrong; links, devices and storage nodes ask their gates and do the damage themselves.
 */
@NullMarked
package dev.clockwire.sim.fault;

import org.jspecify.annotations.NullMarked;
