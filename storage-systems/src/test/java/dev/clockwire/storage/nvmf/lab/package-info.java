@NullMarked
package dev.clockwire.storage.nvmf.lab;

import org.jspecify.annotations.NullMarked;
