package io.weir.registry;

/** A schema under the subject, version and id by which a registry knows it. */
public record Registered(String subject, int version, int id, Schema schema) {}
