package dev.clockwire.storage.rpc;

import java.util.List;

/**
 * What a method knows of one of its parameters.
 *
 * @param name as it stands in the request
 * @param kind what it is
 * @param required whether it must be there
 * @param least of an integer; shortest of a text
 * @param most of an integer; longest of a text, or of a list
 * @param choices texts that are possible, none = all
 * @param members of an object; one that stands for all elements of a list
 * @param idle whether it is taken and changes nothing here
 */
public record RpcParam(
        String name,
        Kind kind,
        boolean required,
        long least,
        long most,
        List<String> choices,
        List<RpcParam> members,
        boolean idle) {
    private static final int LONGEST_TEXT = 1024;
    private static final int LONGEST_LIST = 1024;

    /** What a parameter can be. */
    public enum Kind {
        /** A string. */
        TEXT,
        /** A whole number. */
        INTEGER,
        /** True or false. */
        FLAG,
        /** An object. */
        OBJECT,
        /** An array. */
        LIST
    }

    /** Keeps copies. */
    public RpcParam {
        choices = List.copyOf(choices);
        members = List.copyOf(members);
    }

    /** Returns a text of 1 to 1024 characters. */
    public static RpcParam text(String name) {
        return text(name, LONGEST_TEXT);
    }

    /** Returns a text of at most so many characters. */
    public static RpcParam text(String name, int longest) {
        return new RpcParam(name, Kind.TEXT, true, 1, longest, List.of(), List.of(), false);
    }

    /** Returns a text that is one of some, whatever the case of its letters. */
    public static RpcParam choice(String name, String... choices) {
        return new RpcParam(name, Kind.TEXT, true, 1, LONGEST_TEXT, List.of(choices), List.of(), false);
    }

    /** Returns a whole number in a range. */
    public static RpcParam integer(String name, long least, long most) {
        return new RpcParam(name, Kind.INTEGER, true, least, most, List.of(), List.of(), false);
    }

    /** Returns a boolean. */
    public static RpcParam flag(String name) {
        return new RpcParam(name, Kind.FLAG, true, 0, 0, List.of(), List.of(), false);
    }

    /** Returns an object with members of its own. */
    public static RpcParam object(String name, RpcParam... members) {
        return new RpcParam(name, Kind.OBJECT, true, 0, 0, List.of(), List.of(members), false);
    }

    /** Returns an array whose elements all are as one is. */
    public static RpcParam list(String name, RpcParam element) {
        return new RpcParam(name, Kind.LIST, true, 0, LONGEST_LIST, List.of(), List.of(element), false);
    }

    /** Returns the same, which need not be there. */
    public RpcParam optional() {
        return new RpcParam(name, kind, false, least, most, choices, members, idle);
    }

    /** Returns the same, which need not be there and changes nothing: whoever gives it is told. */
    public RpcParam withoutEffect() {
        return new RpcParam(name, kind, false, least, most, choices, members, true);
    }
}
