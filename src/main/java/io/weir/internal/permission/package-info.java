/**
 * The sensors and keys that each gateway may publish: the file, its reload, and its effect on a
 * batch. Uses {@code reading} and {@code yaml}.
 */
package io.weir.internal.permission;
