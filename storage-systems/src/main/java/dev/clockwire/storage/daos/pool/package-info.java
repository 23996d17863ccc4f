/** The pool of DAOS: which engines are in service, by version, where objects are, and the manager that keeps both. */
@NullMarked
package dev.clockwire.storage.daos.pool;

import org.jspecify.annotations.NullMarked;
