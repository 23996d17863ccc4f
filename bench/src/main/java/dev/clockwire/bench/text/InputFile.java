package dev.clockwire.bench.text;

import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files that a user names: whole, but never more than a text of their kind can be, as devices and pipes have no end. */
public final class InputFile {
    private static final int MOST_BYTES = 64 << 20;

    private static final String UTF_16 =
            " but in UTF-16, as PowerShell writes it: iconv -f UTF-16 -t UTF-8 makes one of it";

    private InputFile() {}

    /** Whether the mark of its byte order stands at the head. */
    private static boolean isUtf16(byte[] text) {
        return text.length >= 2 && ((text[0] == -1 && text[1] == -2) || (text[0] == -2 && text[1] == -1));
    }

    /** Reads a text of at most 64 MiB, see {@link #text(Path, int)}. */
    public static String text(Path file) throws IOException {
        return text(file, MOST_BYTES);
    }

    /**
     * Reads a text in UTF-8.
     *
     * @param most bytes that it may have
     * @throws IOException if the file cannot be read
     * @throws ConfigurationException if it is a directory, longer, or no text
     */
    public static String text(Path file, int most) throws IOException {
        if (Files.isDirectory(file)) {
            throw new ConfigurationException(file + ": is a directory, expected a file");
        }
        byte[] all;
        try (InputStream in = Files.newInputStream(file)) {
            all = in.readNBytes(most + 1);
        }
        if (all.length > most) {
            throw new ConfigurationException(
                    file + ": has more than " + most + " bytes: no file of its kind is so long");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(all))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new ConfigurationException(file + ": is no text in UTF-8" + (isUtf16(all) ? UTF_16 : ""));
        }
    }
}
