package io.tidegate.benchmarks.application;

import io.github.resilience4j.ratelimiter.RequestNotPermitted;
import io.github.resilience4j.ratelimiter.annotation.RateLimiter;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** An endpoint like that of {@link HelloController}, with one limit for all clients. */
@RestController
class LimitedController {

  @GetMapping("/limited")
  @RateLimiter(name = "hello")
  String hello() {
    return "Hello";
  }

  @ExceptionHandler(RequestNotPermitted.class)
  @ResponseStatus(HttpStatus.TOO_MANY_REQUESTS)
  String denied() {
    return "Too many requests";
  }
}
