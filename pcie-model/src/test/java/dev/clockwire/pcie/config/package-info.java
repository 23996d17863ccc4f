@NullMarked
package dev.clockwire.pcie.config;

import org.jspecify.annotations.NullMarked;
