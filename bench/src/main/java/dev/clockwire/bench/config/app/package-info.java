/** Options of storage systems that decide how they use RDMA: ceph.conf and the TOML files of 3FS. */
@NullMarked
package dev.clockwire.bench.config.app;

import org.jspecify.annotations.NullMarked;
