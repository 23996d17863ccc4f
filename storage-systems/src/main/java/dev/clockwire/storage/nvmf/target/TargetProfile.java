package dev.clockwire.storage.nvmf.target;

/** Whose values a target shows where the specification leaves them open. */
public enum TargetProfile {
    /** SPDK 26.09. */
    SPDK,
    /** Linux 6.1, read from captures. */
    LINUX
}
