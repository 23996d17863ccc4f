/** The user-space driver: it finds a controller, makes queue pairs, submits and polls. It runs on a core and pays for what it does. */
@NullMarked
package dev.clockwire.nvme.driver;

import org.jspecify.annotations.NullMarked;
