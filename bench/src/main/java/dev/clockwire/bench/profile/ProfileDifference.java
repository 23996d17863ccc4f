package dev.clockwire.bench.profile;

import dev.clockwire.nic.profile.Parameters;
import dev.clockwire.nic.profile.Profile;
import java.util.List;
import java.util.Objects;

/**
 * Where two profiles differ.
 *
 * @param a name of the first
 * @param b name of the second
 * @param differences parameters of different value, in the order of the data path
 */
public record ProfileDifference(String a, String b, List<Row> differences) {

    /** One parameter with the value of each profile. */
    public record Row(String path, String unit, Object a, Object b) {}

    /** Compares two profiles; sources do not count. */
    public static ProfileDifference of(Profile a, Profile b) {
        List<Row> rows = Parameters.all().stream()
                .filter(p -> !Objects.equals(a.text(p.path()), b.text(p.path())))
                .map(p -> new Row(
                        p.path(),
                        p.unit(),
                        ProfileReport.typed(a.text(p.path())),
                        ProfileReport.typed(b.text(p.path()))))
                .toList();
        return new ProfileDifference(a.name(), b.name(), rows);
    }

    /** Returns it with other names: two files may be laid over the same profile. */
    public ProfileDifference called(String first, String second) {
        return new ProfileDifference(first, second, differences);
    }
}
