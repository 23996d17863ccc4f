/** Configuration of SPDK: its JSON files, and the command lines of nvmf_tgt and rpc.py. */
@NullMarked
package dev.clockwire.bench.config.spdk;

import org.jspecify.annotations.NullMarked;
