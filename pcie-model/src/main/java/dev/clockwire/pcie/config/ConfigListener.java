package dev.clockwire.pcie.config;

/** What a function does when software changes its configuration. */
public interface ConfigListener {
    /** Does nothing. */
    ConfigListener NONE = new ConfigListener() {
        @Override
        public void changed() {}

        @Override
        public void moved(int number, long address) {}
    };

    /** Something that the function may do or how it does it has changed. */
    void changed();

    /** A window is at another address now. */
    void moved(int number, long address);
}
