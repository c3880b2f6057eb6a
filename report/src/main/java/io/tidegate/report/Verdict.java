package io.tidegate.report;

/** One target, whether it was met, and the figure that says so. */
public record Verdict(String target, boolean met, String figure) {}
