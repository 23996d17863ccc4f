/** Holds the pages of docs/ to the code: tables made from it, snippets, names and links. */
@NullMarked
package dev.clockwire.docs;

import org.jspecify.annotations.NullMarked;
