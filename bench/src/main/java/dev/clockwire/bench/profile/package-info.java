/** Hardware profiles as tables and documents. */
@NullMarked
package dev.clockwire.bench.profile;

import org.jspecify.annotations.NullMarked;
