package dev.clockwire.bench.cli;

import dev.clockwire.bench.perftest.Provider;

/** Reads the name of a provider. */
final class ProviderConverter extends EnumConverter<Provider> {
    ProviderConverter() {
        super("provider", Provider.values());
    }
}
