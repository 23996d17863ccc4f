package dev.clockwire.bench.arch;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Who may use whom. */
final class ModuleRules {
    private static final Pattern INTERNAL = Pattern.compile("dev\\.clockwire\\.(\\w+)(?:\\..*)?\\.internal(?:\\..*)?");

    /** The arrows between the modules; a module may use itself. */
    @ArchTest
    static final ArchRule ARROWS = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("dev.clockwire..")
            .withOptionalLayers(true)
            .layer("sim-core")
            .definedBy("dev.clockwire.sim..")
            .layer("testkit")
            .definedBy("dev.clockwire.testkit..")
            .layer("pcie-model")
            .definedBy("dev.clockwire.pcie..")
            .layer("roce-stack")
            .definedBy("dev.clockwire.roce..")
            .layer("nic-rtl")
            .definedBy("dev.clockwire.nic..")
            .layer("nvme-model")
            .definedBy("dev.clockwire.nvme..")
            .layer("storage-systems")
            .definedBy("dev.clockwire.storage..")
            .layer("bench")
            .definedBy("dev.clockwire.bench..")
            .whereLayer("bench")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("testkit")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("storage-systems")
            .mayOnlyBeAccessedByLayers("bench")
            .whereLayer("nvme-model")
            .mayOnlyBeAccessedByLayers("storage-systems", "bench")
            .whereLayer("nic-rtl")
            .mayOnlyBeAccessedByLayers("storage-systems", "bench")
            .whereLayer("roce-stack")
            .mayOnlyBeAccessedByLayers("nic-rtl", "storage-systems", "bench")
            .whereLayer("pcie-model")
            .mayOnlyBeAccessedByLayers("nic-rtl", "nvme-model", "storage-systems", "bench");

    /**
     * Storage systems know RDMA as verbs, the words these use, and the connection manager, so that they run on either provider; and the ends of
     * lines by name, for who observes them.
     */
    @ArchTest
    static final ArchRule STORAGE_USES_VERBS = noClasses()
            .that()
            .resideInAPackage("dev.clockwire.storage..")
            .should()
            .dependOnClassesThat(resideInAPackage("dev.clockwire.roce..")
                    .and(not(resideInAPackage("dev.clockwire.roce.verbs..")))
                    .and(not(resideInAPackage("dev.clockwire.roce.cm")))
                    .and(
                            not(
                                    nameMatching(
                                            "dev\\.clockwire\\.roce\\.transport\\.(AccessFlag|QpState|QpType|WcStatus|WrOpcode)(\\$.*)?")))
                    .and(not(nameMatching("dev\\.clockwire\\.roce\\.fabric\\.LinkEnd"))))
            .allowEmptyShould(true);

    /** One slice per package: no cycle anywhere, so none inside a module either. */
    @ArchTest
    static final ArchRule NO_PACKAGE_CYCLES =
            slices().matching("dev.clockwire.(**)").should().beFreeOfCycles();

    /** The order of roce-stack's packages: each may use those before it only. */
    @ArchTest
    static final ArchRule ROCE_ORDER = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("dev.clockwire.roce..")
            .withOptionalLayers(true)
            .layer("wire")
            .definedBy("dev.clockwire.roce.wire..")
            .layer("congestion")
            .definedBy("dev.clockwire.roce.congestion..")
            .layer("transport")
            .definedBy("dev.clockwire.roce.transport..")
            .layer("fabric")
            .definedBy("dev.clockwire.roce.fabric..")
            .layer("verbs")
            .definedBy("dev.clockwire.roce.verbs..")
            .layer("soft")
            .definedBy("dev.clockwire.roce.soft..")
            .layer("rpc")
            .definedBy("dev.clockwire.roce.rpc..")
            .layer("cm")
            .definedBy("dev.clockwire.roce.cm..")
            .whereLayer("rpc")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("cm")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("soft")
            .mayOnlyBeAccessedByLayers("cm")
            .whereLayer("verbs")
            .mayOnlyBeAccessedByLayers("soft", "cm", "rpc")
            .whereLayer("fabric")
            .mayOnlyBeAccessedByLayers("verbs", "soft", "cm", "rpc")
            .whereLayer("transport")
            .mayOnlyBeAccessedByLayers("fabric", "verbs", "soft", "cm", "rpc")
            .whereLayer("congestion")
            .mayOnlyBeAccessedByLayers("transport", "fabric", "verbs", "soft", "cm", "rpc");

    /** What is called internal stays inside its module. */
    @ArchTest
    static final ArchRule INTERNAL_STAYS_INSIDE = classes()
            .that()
            .resideInAPackage("dev.clockwire..")
            .should(useOnlyTheirOwnInternals())
            .allowEmptyShould(true);

    private ModuleRules() {}

    private static ArchCondition<JavaClass> useOnlyTheirOwnInternals() {
        return new ArchCondition<>("use internal packages of their own module only") {
            @Override
            public void check(JavaClass user, ConditionEvents events) {
                user.getDirectDependenciesFromSelf().forEach(dependency -> {
                    Matcher internal =
                            INTERNAL.matcher(dependency.getTargetClass().getPackageName());
                    if (internal.matches()
                            && !(user.getPackageName() + ".").startsWith("dev.clockwire." + internal.group(1) + ".")) {
                        events.add(SimpleConditionEvent.violated(user, dependency.getDescription()));
                    }
                });
            }
        };
    }
}
