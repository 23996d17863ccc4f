/** The network of a kernel: TCP through the Ethernet queues of the NIC, paid for by the core. */
@NullMarked
package dev.clockwire.storage.hoststack.net;

import org.jspecify.annotations.NullMarked;
