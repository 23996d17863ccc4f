package dev.clockwire.storage.app;

import dev.clockwire.storage.bdev.BdevSpec;

/** What {@code bdev_set_options} has set. */
final class BdevOptions {
    private BdevSpec spec;

    BdevOptions(BdevSpec spec) {
        this.spec = spec;
    }

    /** Sets the pool of I/Os and the share of it that a thread keeps. */
    void pool(int size, int cache) {
        spec = spec.withPool(size, cache);
    }

    BdevSpec spec() {
        return spec;
    }
}
