package dev.clockwire.bench.arch;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A rule that cannot fail protects nothing: each one finds the fixture that breaks it. */
class RulesCanFailTest {
    private static final JavaClasses SINNERS = new ClassFileImporter()
            .importPackages(
                    "dev.clockwire.sim.fixture",
                    "dev.clockwire.bench.fixture",
                    "dev.clockwire.roce.wire.fixture",
                    "dev.clockwire.roce.cm.fixture",
                    "dev.clockwire.storage.fixture");

    static Stream<Arguments> rules() {
        return Stream.of(
                Arguments.of(ModuleRules.ARROWS, "Hidden"),
                Arguments.of(ModuleRules.ROCE_ORDER, "Low"),
                Arguments.of(ModuleRules.STORAGE_USES_VERBS, "Shortcut"),
                Arguments.of(ModuleRules.NO_PACKAGE_CYCLES, "Cycle"),
                Arguments.of(ModuleRules.INTERNAL_STAYS_INSIDE, "Hidden"),
                Arguments.of(ModelRules.NO_WALL_CLOCK, "wallClock"),
                Arguments.of(ModelRules.NO_DEFAULT_RANDOMNESS, "randomness"),
                Arguments.of(ModelRules.NO_IDENTITY_HASH, "identity"),
                Arguments.of(ModelRules.NO_HASH_ORDER, "hashOrder"),
                Arguments.of(ModelRules.NO_THREADS, "thread"),
                Arguments.of(ModelRules.NO_STANDARD_STREAMS, "standardStream"),
                Arguments.of(ModelRules.NO_FILES, "file"),
                Arguments.of(ModelRules.STRICT_MATH, "looseMath"),
                Arguments.of(ModelRules.SPECS_ARE_RECORDS, "LooseSpec"),
                Arguments.of(ModelRules.EXCEPTIONS_ARE_OURS, "LooseException"),
                Arguments.of(ModelRules.ONLY_OUR_EXCEPTIONS_ARE_MADE, "foreignException"));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void theRuleFindsItsSinner(ArchRule rule, String sinner) {
        assertThat(rule.evaluate(SINNERS).getFailureReport().getDetails())
                .isNotEmpty()
                .anySatisfy(line -> assertThat(line).contains(sinner));
    }
}
