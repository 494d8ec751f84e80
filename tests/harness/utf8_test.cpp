// UTF-8: the boundaries of sequences of every length.
#include "harness/spec/utf8.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace warpbench::harness {
namespace {

using std::string_view_literals::operator""sv;

TEST(Utf8, AcceptsTheEndsOfEveryLength) {
  for (const std::string_view text :
       {""sv, "a\tb\r\n~"sv, "\xC2\x80"sv, "\xDF\xBF"sv, "\xE0\xA0\x80"sv, "\xED\x9F\xBF"sv, "\xEE\x80\x80"sv,
        "\xEF\xBF\xBF"sv, "\xF0\x90\x80\x80"sv, "\xF4\x8F\xBF\xBF"sv})
    EXPECT_FALSE(first_bad_byte(text)) << text;
}

TEST(Utf8, RefusesOverlongCutAndForbiddenForms) {
  for (const std::string_view text : {"\x80"sv, "\xC0\x80"sv, "\xC1\xBF"sv, "\xC2"sv, "\xC2\x41"sv, "\xE0\x9F\xBF"sv,
                                      "\xED\xA0\x80"sv, "\xE1\x80"sv, "\xF0\x8F\xBF\xBF"sv, "\xF4\x90\x80\x80"sv,
                                      "\xF5\x80\x80\x80"sv, "\xFF"sv, "\0"sv, "\x04"sv, "\x1F"sv, "\x7F"sv}) {
    EXPECT_EQ(first_bad_byte(text), 0U) << text;
  }
  EXPECT_EQ(first_bad_byte("ab\xC3\xA9\xC3"), 4U);
}

}  // namespace
}  // namespace warpbench::harness
