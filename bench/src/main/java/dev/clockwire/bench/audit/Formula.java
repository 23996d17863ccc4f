package dev.clockwire.bench.audit;

/** Numbers with {@code + - * /} and brackets. */
final class Formula {
    private final String text;
    private int at;

    private Formula(String text) {
        this.text = text.replace(" ", "");
    }

    /** Returns the value of a formula, NaN if it is none. */
    static double value(String text) {
        Formula f = new Formula(text);
        double value = f.sum();
        return f.at == f.text.length() ? value : Double.NaN;
    }

    private boolean take(char c) {
        boolean here = at < text.length() && text.charAt(at) == c;
        at += here ? 1 : 0;
        return here;
    }

    private double sum() {
        double value = product();
        while (true) {
            if (take('+')) {
                value += product();
            } else if (take('-')) {
                value -= product();
            } else {
                return value;
            }
        }
    }

    private double product() {
        double value = factor();
        while (true) {
            if (take('*')) {
                value *= factor();
            } else if (take('/')) {
                value /= factor();
            } else {
                return value;
            }
        }
    }

    private double factor() {
        if (take('(')) {
            double value = sum();
            return take(')') ? value : Double.NaN;
        }
        int from = at;
        while (at < text.length() && (Character.isDigit(text.charAt(at)) || text.charAt(at) == '.')) {
            at++;
        }
        String number = text.substring(from, at);
        return number.matches("[0-9]+(\\.[0-9]+)?") ? Double.parseDouble(number) : Double.NaN;
    }
}
