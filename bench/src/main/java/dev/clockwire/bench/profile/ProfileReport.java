package dev.clockwire.bench.profile;

import dev.clockwire.nic.profile.Parameters;
import dev.clockwire.nic.profile.Profile;
import java.util.List;

/**
 * A profile as a document.
 *
 * @param name of the profile
 * @param title one line that says what hardware it is
 * @param values every parameter, in the order of the data path
 */
public record ProfileReport(String name, String title, List<Value> values) {

    /**
     * One parameter.
     *
     * @param path name as typed after {@code -P}
     * @param value a number, a boolean or a word
     * @param unit empty where the value has none
     * @param source where the number comes from
     * @param confidence A = published or specified, B = derived from such, C = assumed
     * @param allowed the allowed values in words
     * @param meaning one sentence
     */
    public record Value(
            String path, Object value, String unit, String source, String confidence, String allowed, String meaning) {}

    /** Reports on a profile with its overrides. */
    public static ProfileReport of(Profile profile) {
        List<Value> values = Parameters.all().stream()
                .map(p -> {
                    var setting = profile.settings().get(p.path());
                    if (setting == null) {
                        throw new IllegalStateException("profile " + profile.name() + " lacks " + p.path());
                    }
                    return new Value(
                            p.path(),
                            typed(setting.value()),
                            p.unit(),
                            setting.source(),
                            String.valueOf(setting.confidence()),
                            p.allowed(),
                            p.meaning());
                })
                .toList();
        return new ProfileReport(profile.name(), profile.title(), values);
    }

    /** Returns the value as the type that its text looks like: a JSON reader wants numbers as numbers. */
    static Object typed(String text) {
        if (text.equals("true") || text.equals("false")) {
            return Boolean.valueOf(text);
        }
        if (text.matches("-?\\d+")) {
            return Long.valueOf(text);
        }
        return text.matches("-?\\d+\\.\\d+") ? (Object) Double.valueOf(text) : text;
    }
}
