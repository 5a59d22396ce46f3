/**
 * Imports topics that other programs write, each record exactly once. {@link
 * io.weir.internal.imports.ImportJob} is a running import; {@link
 * io.weir.internal.imports.ImportSession} maps records to readings and commits them with the
 * offsets in one transaction. Uses {@code text}, {@code wire}, {@code registry}, {@code time},
 * {@code topic}, {@code reading}, {@code signing}, {@code fetch}, {@code deadletter} and {@code
 * app}.
 */
package io.weir.internal.imports;
