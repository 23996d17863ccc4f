/**
 * Writers of the files a run leaves behind, in formats that strangers read: waves (VCD), timelines (Perfetto), JSON and CSV. Equal
 * runs leave equal files: no date, host or path gets in. A file has its name only when it is complete.
 */
@NullMarked
package dev.clockwire.sim.export;

import org.jspecify.annotations.NullMarked;
