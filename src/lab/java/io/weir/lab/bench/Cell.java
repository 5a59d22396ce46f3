package io.weir.lab.bench;

/**
 * Where figures are in the results.
 *
 * @param group what is compared with each other
 */
public record Cell(String group, Subject subject) {}
