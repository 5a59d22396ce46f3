/**
 * Schemas, the registry that keeps them, and values with their schema's id before them. Uses {@code
 * time} and {@code wire}.
 */
package io.weir.registry;
