/** The completion unit: turns finished work into CQEs in host memory. */
@NullMarked
package dev.clockwire.nic.complete;

import org.jspecify.annotations.NullMarked;
