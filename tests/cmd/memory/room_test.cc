// Where small objects lie.
#include "cmd/langsbx/memory/room.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace langsbx::cmd {
namespace {

struct Place {
  alignas(std::max_align_t) char bytes[64] = {};
};

TEST(Room, ObjectsLieSideBySide) {
  Place place;
  Room room(place.bytes, sizeof place.bytes);
  EXPECT_EQ(room.take(1), place.bytes);
  EXPECT_EQ(room.take(16), place.bytes + 16);
  EXPECT_EQ(room.take(17), place.bytes + 32);
  EXPECT_EQ(room.take(1), nullptr);
}

TEST(Room, NoTwoAreTheSame) {
  Place place;
  Room room(place.bytes, sizeof place.bytes);
  void* const first = room.take(0);
  EXPECT_NE(room.take(0), first);
}

TEST(Room, WhatDoesNotFitGoesElsewhere) {
  Place place;
  Room room(place.bytes, sizeof place.bytes);
  EXPECT_EQ(room.take(65), nullptr);
  EXPECT_EQ(room.take(std::numeric_limits<std::size_t>::max()), nullptr);
  EXPECT_EQ(room.take(std::numeric_limits<std::size_t>::max() - 8), nullptr);
  EXPECT_EQ(room.take(64), place.bytes);
  EXPECT_EQ(room.take(0), nullptr);
}

TEST(Room, LargeOnesGoElsewhere) {
  static Place places[Room::kLargest / sizeof(Place) * 2];
  Room room(places[0].bytes, sizeof places);
  EXPECT_EQ(room.take(Room::kLargest + 1), nullptr);
  EXPECT_EQ(room.take(Room::kLargest), places[0].bytes);
}

TEST(Room, OnlyTheLastMakesPlace) {
  Place place;
  Room room(place.bytes, sizeof place.bytes);
  void* const first = room.take(16);
  void* const second = room.take(20);
  room.give_back(first, 16);
  EXPECT_EQ(room.take(16), place.bytes + 48);
  room.give_back(place.bytes + 48, 16);
  room.give_back(second, 20);
  EXPECT_EQ(room.take(16), second);
}

TEST(Room, WithoutAPlaceNothingIsTaken) {
  Place place;
  Room room;
  EXPECT_EQ(room.take(0), nullptr);
  EXPECT_EQ(room.take(1), nullptr);
  room.give_back(place.bytes, 16);
  EXPECT_EQ(room.take(1), nullptr);
}

}  // namespace
}  // namespace langsbx::cmd
