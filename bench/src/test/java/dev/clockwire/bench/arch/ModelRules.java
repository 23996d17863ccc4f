package dev.clockwire.bench.arch;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.clockwire.sim.error.SimException;
import java.util.regex.Pattern;

/** What a model must not touch: the same inputs give the same trace, on every machine. */
final class ModelRules {
    private static final String[] MODELS = {
        "dev.clockwire.sim..",
        "dev.clockwire.pcie..",
        "dev.clockwire.roce..",
        "dev.clockwire.nic..",
        "dev.clockwire.nvme..",
        "dev.clockwire.storage.."
    };
    private static final String[] FILE_PACKAGES = {"dev.clockwire.sim.export..", "dev.clockwire.sim.capture.."};
    private static final String THREAD_PACKAGE = "dev.clockwire.sim.parallel..";

    @ArchTest
    static final ArchRule NO_WALL_CLOCK = noModel(calls("java\\.lang\\.System", "currentTimeMillis|nanoTime")
            .or(calls("java\\.time\\..*", "now|system.*|tick.*"))
            .or(calls("java\\.util\\.(Date|GregorianCalendar)", "<init>"))
            .or(calls("java\\.util\\.Calendar", "getInstance")));

    @ArchTest
    static final ArchRule NO_DEFAULT_RANDOMNESS =
            noModel(calls("java\\.util\\.(Random|SplittableRandom)|java\\.security\\.SecureRandom", "<init>")
                    .or(calls("java\\.lang\\.(Strict)?Math", "random"))
                    .or(calls("java\\.util\\.concurrent\\.ThreadLocalRandom", ".*"))
                    .or(calls("java\\.util\\.random\\.RandomGenerator(Factory)?", "of|getDefault|all|create"))
                    .or(calls("java\\.util\\.Collections", "shuffle"))
                    .or(calls("java\\.util\\.UUID", "randomUUID")));
    /** The digest of a snapshot tells within one process whether a tick that said so was really idle: nothing else may. */
    @ArchTest
    static final ArchRule NO_IDENTITY_HASH = noClasses()
            .that()
            .resideInAnyPackage(MODELS)
            .and()
            .doNotHaveFullyQualifiedName("dev.clockwire.sim.state.Snapshot")
            .should()
            .accessTargetWhere(calls("java\\.lang\\.System", "identityHashCode"))
            .allowEmptyShould(true);

    /** Their order depends on hash codes, or even on a salt that each JVM draws: use lists, arrays, trees, enum maps. */
    @ArchTest
    static final ArchRule NO_HASH_ORDER = noModel(calls(
                    "java\\.util\\.(HashMap|HashSet|IdentityHashMap|WeakHashMap|Hashtable)"
                            + "|java\\.util\\.concurrent\\.ConcurrentHashMap",
                    "<init>")
            .or(calls("java\\.util\\.(Map|Set)", "of|ofEntries|copyOf"))
            .or(calls("java\\.util\\.stream\\.Collectors", "toSet|toUnmodifiable(Set|Map)")));

    @ArchTest
    static final ArchRule NO_THREADS = noClasses()
            .that()
            .resideInAnyPackage(MODELS)
            .and()
            .resideOutsideOfPackage(THREAD_PACKAGE)
            .should()
            .dependOnClassesThat(named(
                    "java\\.lang\\.(Thread|ThreadLocal|InheritableThreadLocal|ThreadGroup)|java\\.util\\.(Timer|TimerTask)"
                            + "|java\\.util\\.concurrent\\..*"))
            .orShould()
            .accessTargetWhere(calls("java\\.util\\.(Collection|stream\\..*Stream)", "parallel|parallelStream"))
            .orShould()
            .accessTargetWhere(calls("java\\.lang\\.Object", "wait|notify|notifyAll"))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule NO_STANDARD_STREAMS = noClasses()
            .that()
            .resideInAnyPackage(MODELS)
            .should()
            .accessTargetWhere(describe(
                    "System.in, out or err",
                    access -> access instanceof JavaFieldAccess
                            && access.getTargetOwner().isEquivalentTo(System.class)))
            .orShould()
            .accessTargetWhere(calls("java\\.lang\\.Throwable|java\\.lang\\.Thread", "printStackTrace|dumpStack"))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule NO_FILES = noClasses()
            .that()
            .resideInAnyPackage(MODELS)
            .and()
            .resideOutsideOfPackages(FILE_PACKAGES)
            .should()
            .dependOnClassesThat(named("java\\.nio\\.file\\..*|java\\.nio\\.channels\\..*|java\\.net\\..*"
                    + "|java\\.io\\.(File|FileInputStream|FileOutputStream|FileReader|FileWriter|RandomAccessFile)"))
            .allowEmptyShould(true);

    /** Math's transcendental functions may differ in the last bit between machines; StrictMath's do not. */
    @ArchTest
    static final ArchRule STRICT_MATH = noModel(calls(
            "java\\.lang\\.Math", "a?sin|a?cos|a?tan|atan2|sinh|cosh|tanh|exp|expm1|log|log10|log1p|pow|cbrt|hypot"));

    @ArchTest
    static final ArchRule SPECS_ARE_RECORDS = classes()
            .that()
            .resideInAnyPackage(MODELS)
            .and()
            .haveSimpleNameEndingWith("Spec")
            .should()
            .beRecords()
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule EXCEPTIONS_ARE_OURS = classes()
            .that()
            .resideInAnyPackage(MODELS)
            .and()
            .areAssignableTo(Throwable.class)
            .should()
            .beAssignableTo(SimException.class)
            .allowEmptyShould(true);

    /** The compiler puts IncompatibleClassChangeError into a switch over an enum: that is not ours to change. */
    @ArchTest
    static final ArchRule ONLY_OUR_EXCEPTIONS_ARE_MADE = noClasses()
            .that()
            .resideInAnyPackage(MODELS)
            .and()
            .resideOutsideOfPackages(FILE_PACKAGES)
            .and()
            .areNotAssignableTo(Throwable.class)
            .should()
            .callConstructorWhere(describe("it makes an exception that is not of sim.error", call -> {
                JavaClass owner = call.getTargetOwner();
                return assignableTo(Throwable.class).test(owner)
                        && !assignableTo(SimException.class).test(owner)
                        && !owner.isEquivalentTo(IncompatibleClassChangeError.class);
            }))
            .allowEmptyShould(true);

    private ModelRules() {}

    private static ArchRule noModel(DescribedPredicate<JavaAccess<?>> access) {
        return noClasses()
                .that()
                .resideInAnyPackage(MODELS)
                .should()
                .accessTargetWhere(access)
                .allowEmptyShould(true);
    }

    private static DescribedPredicate<JavaAccess<?>> calls(String owner, String method) {
        Pattern owners = Pattern.compile(owner);
        Pattern methods = Pattern.compile(method);
        return describe(
                owner + "." + method,
                access -> owners.matcher(access.getTargetOwner().getName()).matches()
                        && methods.matcher(access.getName()).matches());
    }

    private static DescribedPredicate<JavaClass> named(String pattern) {
        Pattern names = Pattern.compile(pattern);
        return describe(pattern, type -> names.matcher(type.getName()).matches());
    }
}
