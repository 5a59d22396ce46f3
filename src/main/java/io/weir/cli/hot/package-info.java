/** What weighs most, as {@code weir hot} shows it. Uses the pages of running processes. */
package io.weir.cli.hot;
