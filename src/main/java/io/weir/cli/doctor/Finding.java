package io.weir.cli.doctor;

/**
 * Something that is wrong.
 *
 * @param check that found it
 * @param what was found, with names and numbers
 * @param why it matters
 * @param remedy what to do
 */
public record Finding(Severity severity, String check, String what, String why, String remedy) {}
