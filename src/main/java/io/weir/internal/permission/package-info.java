/**
 * The sensors and keys that each gateway may publish. {@link
 * io.weir.internal.permission.PermissionWatch} reloads the file; {@link
 * io.weir.internal.permission.Permissions} is one version of it. Uses {@code reading}, {@code time}
 * and {@code yaml}.
 */
package io.weir.internal.permission;
