/**
 * Ceph as it really uses RDMA: classic OSDs whose async messenger sends over verbs ({@code ms_type = async+rdma}), primary-copy replication; and, labelled hypothetical, reactors
 * in the manner of Crimson on the same transport.
 */
@NullMarked
package dev.clockwire.storage.ceph;

import org.jspecify.annotations.NullMarked;
