#include "model/line_map.h"

#include <gtest/gtest.h>

namespace airlock {
namespace {

TEST(LineMap, AnEmptyMapMovesNothing) {
  EXPECT_EQ(LineMap{}.to_raw({7, 3, 8, 4}), (Place{7, 3, 8, 4}));
}

TEST(LineMap, LinesGoBackToWhereTheyStood) {
  const LineMap map{{{3, 0}, {4, 0}, {9, 0}}};
  EXPECT_EQ(map.to_raw({1, 2, 3, 5}), (Place{3, 2, 9, 5}));
}

TEST(LineMap, ColumnsMoveByWhatWasCutFromTheirLine) {
  const LineMap map{{{1, 2}, {2, -4}}};
  EXPECT_EQ(map.to_raw({1, 3, 2, 5}), (Place{1, 5, 2, 1}));
}

TEST(LineMap, AColumnNeverGoesBelowZero) {
  const LineMap map{{{1, -4}}};
  EXPECT_EQ(map.to_raw({1, 2, 1, 3}), (Place{1, 0, 1, 0}));
}

TEST(LineMap, ALinePastTheEndIsTheLastOne) {
  const LineMap map{{{3, 0}, {4, 0}}};
  EXPECT_EQ(map.to_raw({9, 0, 9, 1}).line, 4u);
  EXPECT_EQ(map.to_raw({0, 0, 0, 0}).line, 3u) << "and a line before the first is the first";
}

TEST(LineMap, HugePlacesOfAHostileVerdictStayInside) {
  const LineMap map{{{1, 2147483647}}};
  const Place place = map.to_raw({4294967295U, 4294967295U, 4294967295U, 0});
  EXPECT_EQ(place.line, 1u);
  EXPECT_EQ(place.end_column, 2147483647U);
}

}  // namespace
}  // namespace airlock
