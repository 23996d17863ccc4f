package dev.clockwire.nic.profile;

/**
 * The value of one parameter in a profile.
 *
 * @param value canonical text of the value
 * @param source where the number comes from
 * @param confidence A = published measurement or specification, B = derived from such, C = assumption
 */
public record Setting(String value, String source, char confidence) {}
