package dev.clockwire.bench.arch;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;

/** The product obeys the rules; {@link RulesCanFailTest} shows that each rule can fail. */
@AnalyzeClasses(packages = "dev.clockwire", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchTests MODULES = ArchTests.in(ModuleRules.class);

    @ArchTest
    static final ArchTests MODELS = ArchTests.in(ModelRules.class);
}
