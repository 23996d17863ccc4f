/** Ceph's async messenger transport over verbs, {@code ms_type = async+rdma}: registered chunks, SENDs only, copies at both ends. */
@NullMarked
package dev.clockwire.storage.ceph.stream;

import org.jspecify.annotations.NullMarked;
