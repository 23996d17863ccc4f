/** 3FS's rings in shared memory between an application and the daemon of its machine; not the kernel's io_uring, which they resemble. */
@NullMarked
package dev.clockwire.storage.threefs.usrbio;

import org.jspecify.annotations.NullMarked;
