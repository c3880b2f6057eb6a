/**
 * The nouns: values that requests, answers and ports are made of. Immutable, checked when made,
 * free of time and I/O.
 */
package io.tidegate.model;
