/** Schemas, the registry that keeps them, and values with their schema's id before them. */
package io.weir.registry;
