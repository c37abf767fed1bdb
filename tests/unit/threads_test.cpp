// SPDX-License-Identifier: Apache-2.0
// Work that threads share: who does it, what a lack of memory in one of them comes to, and in which order errors come.
// That objects are the same is embedding/threaded.cpp's.
#include <doctest/doctest.h>

#include <atomic>
#include <new>
#include <string>
#include <vector>

#include "asm/context.h"
#include "objwriter/threads.h"

using namespace xas;

TEST_CASE("every job is done once, by any number of threads") {
  for (const u32 threads : {1u, 2u, 7u, 100u}) {
    for (const u32 jobs : {0u, 1u, 3u, 1000u}) {
      std::vector<std::atomic<u32>> done(jobs);
      in_threads(threads, jobs, [&](u32 i) { ++done[i]; });
      for (const auto& times : done) CHECK(times == 1);
    }
  }
}

TEST_CASE("a lack of memory comes to the caller, whoever met it") {
  for (const u32 threads : {1u, 4u}) {
    std::atomic<u32> begun = 0;
    const auto run = [&] {
      in_threads(threads, 1000, [&](u32 i) {
        ++begun;
        if (i == 500) throw std::bad_alloc();
      });
    };
    CHECK_THROWS_AS(run(), std::bad_alloc);
    CHECK(begun > 500);
  }
}

TEST_CASE("as many threads as the work is worth") {
  const Threads four{.most = 4};
  CHECK(four.count(0, 100) == 1);
  CHECK(four.count(199, 100) == 1);
  CHECK(four.count(200, 100) == 2);
  CHECK(four.count(1000, 100) == 4);
  CHECK(Threads{}.count(1000, 100) == 1);
  CHECK(Threads{.most = 4, .any_size = true}.count(0, 100) == 4);
}

TEST_CASE("errors of contents come in the order of sections") {
  std::string text = ".syntax unified\n.thumb\n";
  for (int i = 0; i < 50; ++i) {
    const std::string n = std::to_string(i);
    text += " .section .text." + n + ",\"ax\"\n ldr r0, t" + n + "\n .p2align 2\n .zero 8000\nt" + n + ": nop\n";
  }
  const auto messages = [&](Threads threads) {
    xas_context* context = xas_create();
    xas_set_option(context, "--target=arm-linux-gnueabihf", nullptr);
    context->settings.options.threads = threads;
    CHECK(xas_assemble(context, text.data(), text.size(), "far.s") == XAS_ERRORS);
    CHECK(xas_error_count(context) == 50);
    const std::string all = xas_diagnostics_text(context, 0, nullptr);
    xas_destroy(context);
    return all;
  };
  const std::string one = messages({});
  for (int i = 0; i < 20; ++i) CHECK(messages({.most = 4, .any_size = true}) == one);
}
