package io.weir.internal.registry;

/** A registered schema, with its subject, version and id. */
public record Registered(String subject, int version, int id, Schema schema) {}
