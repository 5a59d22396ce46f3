package io.weir.cli.doctor;

/**
 * A problem.
 *
 * @param check name of the check
 * @param what the problem, with names and numbers
 * @param why its effect
 * @param remedy an action
 */
public record Finding(Severity severity, String check, String what, String why, String remedy) {}
