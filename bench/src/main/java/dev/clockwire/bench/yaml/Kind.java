package dev.clockwire.bench.yaml;

import java.util.List;
import java.util.Map;

/**
 * What may stand in a place of a file. A reader takes values by it ({@link YamlValue#as}), and schemas for editors are made from it
 * ({@link FileSchema}), so both say the same.
 */
public sealed interface Kind {
    /** Any number of an unlimited list. */
    int ANY = Integer.MAX_VALUE;

    /** A number between two bounds, both included. */
    record Num(double least, double most) implements Kind {}

    /** An integer between two bounds, both included and not negative; -1 is 2^64 - 1. */
    record Whole(long least, long most) implements Kind {}

    /** A number of bytes between two bounds, both included, with or without a unit. */
    record Size(long least, long most) implements Kind {}

    /** Yes or no. */
    record Flag() implements Kind {}

    /** One of some words. */
    record Choice(List<String> words) implements Kind {}

    /** A single value of any form. */
    record Text() implements Kind {}

    /** A list; where one may stand alone, a single value is a list of one. */
    record Items(Kind item, int least, int most, boolean orOne) implements Kind {}

    /** A mapping with known keys. */
    record Group(Shape shape) implements Kind {}

    /** A mapping whose keys depend on the value of one of them, of which {@code what} says what it is. */
    record Variants(String key, String what, Map<String, Shape> shapes) implements Kind {}

    /** One of several kinds. */
    record Either(List<Kind> kinds) implements Kind {}

    /** Returns a number between two bounds, both included. */
    static Kind number(double least, double most) {
        return new Num(least, most);
    }

    /** Returns an integer between two bounds, both included. */
    static Kind integer(long least, long most) {
        return new Whole(least, most);
    }

    /** Returns a number of bytes between two bounds, both included. */
    static Kind size(long least, long most) {
        return new Size(least, most);
    }

    /** Returns yes or no. */
    static Kind flag() {
        return new Flag();
    }

    /** Returns one of some words. */
    static Kind choice(List<String> words) {
        return new Choice(List.copyOf(words));
    }

    /** Returns a single value of any form. */
    static Kind text() {
        return new Text();
    }

    /** Returns a list. */
    static Kind list(Kind item) {
        return new Items(item, 0, ANY, false);
    }

    /** Returns a list of two. */
    static Kind two(Kind item) {
        return new Items(item, 2, 2, false);
    }

    /** Returns a list, or one value that stands for a list of one. */
    static Kind listOrOne(Kind item) {
        return new Items(item, 0, ANY, true);
    }

    /** Returns a mapping with known keys. */
    static Kind group(Shape shape) {
        return new Group(shape);
    }

    /** Returns a mapping of names that the file chooses. */
    static Kind named(Kind value) {
        return new Group(Shape.of().others(value));
    }

    /** Returns one of several kinds. */
    static Kind either(Kind... kinds) {
        return new Either(List.of(kinds));
    }
}
