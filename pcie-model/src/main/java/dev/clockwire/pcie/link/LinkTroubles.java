package dev.clockwire.pcie.link;

import org.jspecify.annotations.Nullable;

/**
 * What may go wrong on a link. Nothing of it is built where nothing may.
 *
 * @param dataLink damaged packets and their repetition, null for a link without bit errors
 */
public record LinkTroubles(@Nullable DataLinkSpec dataLink) {
    /** Nothing goes wrong. */
    public static final LinkTroubles NONE = new LinkTroubles(null);
}
