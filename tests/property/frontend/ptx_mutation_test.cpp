// PTX that is damaged in every way ends in a module or in an error that says where, never in a crash.
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <sstream>

namespace {

using namespace forewarp;

std::string seed_text() {
  std::ifstream file(FOREWARP_SOURCE_DIR "/fuzz/seeds/ptx_fuzz/mixed.ptx");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// One change: a piece is taken out, doubled, moved, or a character is another one.
std::string damaged(std::string text, std::mt19937& random) {
  const auto place = [&] { return random() % text.size(); };
  const std::size_t at = place(), length = 1 + random() % 24;
  switch (random() % 5) {
  case 0:
    text.erase(at, length);
    break;
  case 1:
    text.insert(place(), text.substr(at, length));
    break;
  case 2:
    text[at] = "{}[]();:.,%@!|+-0179ufsbx \n"[random() % 27];
    break;
  case 3:
    text.resize(at);
    break;
  default:
    std::swap(text[at], text[place()]);
  }
  return text.empty() ? " " : text;
}

TEST(PtxMutations, EndInAModuleOrAnError) {
  const std::string seed = seed_text();
  ASSERT_FALSE(seed.empty());
  const char* asked = std::getenv("FOREWARP_MUTATIONS"); // how many; more for a night
  const int rounds = asked ? std::atoi(asked) : 200;
  std::mt19937 random(1);
  int read = 0;
  for (int i = 0; i < rounds; ++i) {
    std::string text = seed;
    for (unsigned changes = 1 + random() % 3; changes > 0; --changes)
      text = damaged(std::move(text), random);
    test::TemporaryFile file(text, ".ptx");
    frontend::CompileRequest request = test::request_for(ir::TargetFamily::nvidia);
    request.path = file.path();
    request.target = "sm_90";
    const auto module = frontend::compile(request);
    read += module.has_value();
    if (!module) {
      EXPECT_FALSE(module.error().message.empty());
      EXPECT_NE(module.error().code, ErrorCode::internal) << module.error().message << "\n" << text;
    }
  }
  EXPECT_GT(read, 0);
  EXPECT_LT(read, rounds);
}

} // namespace
