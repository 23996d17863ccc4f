/** One PCI Express link: its exact rate, one serialiser and one set of credits a direction, and trains of packets. */
@NullMarked
package dev.clockwire.pcie.link;

import org.jspecify.annotations.NullMarked;
