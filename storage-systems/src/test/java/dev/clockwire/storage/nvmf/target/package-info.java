/** Tests of the target of NVMe over fabrics. */
@NullMarked
package dev.clockwire.storage.nvmf.target;

import org.jspecify.annotations.NullMarked;
