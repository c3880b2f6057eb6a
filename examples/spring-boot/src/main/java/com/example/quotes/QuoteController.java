package com.example.quotes;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Prices of shares, and orders. The controller has no part in limiting. */
@RestController
class QuoteController {

  @GetMapping("/quotes/{symbol}")
  String quote(@PathVariable String symbol) {
    return symbol + " 42.00";
  }

  @PostMapping("/orders")
  String order() {
    return "accepted";
  }
}
