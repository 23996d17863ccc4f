@NullMarked
package dev.clockwire.nic.offload;

import org.jspecify.annotations.NullMarked;
