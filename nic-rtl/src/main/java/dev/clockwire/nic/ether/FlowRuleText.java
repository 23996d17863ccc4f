package dev.clockwire.nic.ether;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.List;

/** Reads the words of an {@code ethtool -N} rule. */
final class FlowRuleText {
    private static final int ANY = -1;
    private static final int QUAD = 4;

    private final String text;
    private final List<String> words;
    private int at;
    private int etherType = ANY;
    private int protocol = ANY;
    private int srcIp;
    private int srcIgnored = ANY;
    private int dstIp;
    private int dstIgnored = ANY;
    private int srcPort = ANY;
    private int dstPort = ANY;
    private int action = Integer.MIN_VALUE;
    private int location = FlowRule.LOCATIONS - 1;

    FlowRuleText(String text) {
        this.text = text;
        words = List.of(text.strip().split("\\s+"));
    }

    FlowRule read() {
        while (at < words.size()) {
            field(words.get(at++));
        }
        if (action == Integer.MIN_VALUE) {
            throw wrong("lacks an action");
        }
        return new FlowRule(
                location, etherType, protocol, srcIp, srcIgnored, dstIp, dstIgnored, srcPort, dstPort, action);
    }

    private void field(String name) {
        switch (name) {
            case "flow-type" -> type(word());
            case "proto" -> etherType = number();
            case "l4proto" -> protocol = number();
            case "src-ip" -> {
                srcIp = address();
                srcIgnored = mask();
            }
            case "dst-ip" -> {
                dstIp = address();
                dstIgnored = mask();
            }
            case "src-port" -> srcPort = number();
            case "dst-port" -> dstPort = number();
            case "action" -> action = number();
            case "loc" -> location = number();
            default -> throw wrong("has the unknown word '" + name + "'");
        }
    }

    private void type(String name) {
        switch (name) {
            case "ether" -> {}
            case "ip4" -> etherType = FrameFields.IPV4;
            case "tcp4" -> {
                etherType = FrameFields.IPV4;
                protocol = FrameFields.TCP;
            }
            case "udp4" -> {
                etherType = FrameFields.IPV4;
                protocol = FrameFields.UDP;
            }
            default -> throw wrong("has the flow type '" + name + "': allowed is ether, ip4, tcp4, udp4");
        }
    }

    private String word() {
        if (at == words.size()) {
            throw wrong("ends behind '" + words.get(at - 1) + "'");
        }
        return words.get(at++);
    }

    private int number() {
        String word = word();
        try {
            return Integer.decode(word);
        } catch (NumberFormatException e) {
            throw wrong("has '" + word + "' where a number is due");
        }
    }

    private int mask() {
        if (at < words.size() && words.get(at).equals("m")) {
            at++;
            return address();
        }
        return 0;
    }

    private int address() {
        String word = word();
        String[] parts = word.split("\\.", -1);
        int x = 0;
        for (String part : parts) {
            if (parts.length != QUAD || !part.matches("\\d{1,3}") || Integer.parseInt(part) > 0xFF) {
                throw wrong("has '" + word + "' where an IPv4 address is due");
            }
            x = x << 8 | Integer.parseInt(part);
        }
        return x;
    }

    private ConfigurationException wrong(String why) {
        return new ConfigurationException("flow rule '" + text + "' " + why);
    }
}
