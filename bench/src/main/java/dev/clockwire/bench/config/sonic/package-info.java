/** The tables of SONiC's config_db.json that decide about priorities, pauses, marks and buffers. */
@NullMarked
package dev.clockwire.bench.config.sonic;

import org.jspecify.annotations.NullMarked;
