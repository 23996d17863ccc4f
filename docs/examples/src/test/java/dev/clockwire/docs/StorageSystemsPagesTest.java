package dev.clockwire.docs;

import dev.clockwire.storage.check.Rule;
import dev.clockwire.storage.check.monitor.Invariant;
import org.junit.jupiter.api.Test;

/** The tables of docs/storage-systems.md, made from what the checkers know. */
class StorageSystemsPagesTest {
    @Test
    void thePageSaysWhatTheCheckersSay() {
        Table rules = new Table("rule", "asks for");
        for (Rule rule : Rule.values()) {
            rules.row(rule.name(), rule.words());
        }
        Table invariants = new Table("invariant", "must hold");
        for (Invariant invariant : Invariant.values()) {
            invariants.row(invariant.id(), invariant.words());
        }
        Page page = new Page("storage-systems.md");
        page.section("rules", rules.orNone());
        page.section("invariants", invariants.orNone());
        page.assertAgrees();
    }
}
