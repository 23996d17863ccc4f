/** Labs, connected queue pairs and random verbs programs for tests. */
@NullMarked
package dev.clockwire.testkit.nic;

import org.jspecify.annotations.NullMarked;
