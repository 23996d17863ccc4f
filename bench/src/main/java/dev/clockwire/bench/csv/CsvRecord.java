package dev.clockwire.bench.csv;

import java.util.List;

/**
 * One record of a file.
 *
 * @param line line of the file that it begins in, from 1
 * @param fields its fields as they stand there, quotes removed
 */
record CsvRecord(int line, List<String> fields) {}
