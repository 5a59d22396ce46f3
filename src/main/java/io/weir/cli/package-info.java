/** The commands. Uses everything: the one package that knows all others. */
package io.weir.cli;
