/**
 * Traffic endpoints without verbs, for fabrics of many hosts: flows of packets, acknowledgements, rates that obey congestion, and nothing of
 * a NIC's inside.
 */
@NullMarked
package dev.clockwire.roce.fabric.host;

import org.jspecify.annotations.NullMarked;
