/**
 * Labs, connected queue pairs and random verbs programs for tests: as parameters of a test ({@link dev.clockwire.testkit.nic.LabParameters}), with
 * assertions about them ({@link dev.clockwire.testkit.nic.NicAssertions}).
 */
@NullMarked
package dev.clockwire.testkit.nic;

import org.jspecify.annotations.NullMarked;
