/** The scheduler: which send queue's WQEs are fetched next. */
@NullMarked
package dev.clockwire.nic.sched;

import org.jspecify.annotations.NullMarked;
