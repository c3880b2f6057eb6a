package io.tidegate.benchmarks.web;

import io.tidegate.benchmarks.load.Scenario;

/** The applications that are compared, each of a module of its own. */
enum Application {
  PLAIN("no limiter", "plain", "/hello"),
  TIDEGATE("Tidegate", "tidegate", "/hello"),
  BUCKET4J("bucket4j's starter", "bucket4j", "/hello"),
  RESILIENCE4J("resilience4j's annotation", "resilience4j", "/limited");

  final String label;

  /** The name of its folder. */
  final String module;

  /** The endpoint that is limited. */
  final String path;

  Application(String label, String module, String path) {
    this.label = label;
    this.module = module;
    this.path = path;
  }

  /** An annotation of resilience4j has one limit for all clients, and so no keys. */
  boolean supports(Scenario scenario) {
    return this != RESILIENCE4J || scenario.keys() == 1;
  }
}
