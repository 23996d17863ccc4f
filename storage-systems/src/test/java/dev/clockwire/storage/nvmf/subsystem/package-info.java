/** Tests of the target of NVMe over fabrics. */
@NullMarked
package dev.clockwire.storage.nvmf.subsystem;

import org.jspecify.annotations.NullMarked;
