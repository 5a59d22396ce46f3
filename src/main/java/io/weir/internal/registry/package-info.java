/**
 * Schemas, the schema registry, and values with a schema id. {@link
 * io.weir.internal.registry.ValueFormat} is the configured format; {@link
 * io.weir.internal.registry.SchemaRegistry} is the client. Uses {@code time} and {@code wire}.
 */
package io.weir.internal.registry;
