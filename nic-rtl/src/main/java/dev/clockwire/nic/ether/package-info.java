/** Plain Ethernet beside RDMA: frames, flow rules, receive-side scaling, and the queues that carry them to and from host memory. */
@NullMarked
package dev.clockwire.nic.ether;

import org.jspecify.annotations.NullMarked;
