/** Hardware profiles: named parameters with unit, range and meaning, and for each value where it comes from. */
@NullMarked
package dev.clockwire.nic.profile;

import org.jspecify.annotations.NullMarked;
