#include "probe/kernel_mounts.h"

#include <gtest/gtest.h>

namespace airlock::probe {
namespace {

constexpr std::string_view kTable =
    "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
    "23 22 0:5 / /proc rw,nosuid - proc proc rw\n"
    "24 22 0:6 / /srv/odd\\040root/proc rw master:3 - proc proc rw\n"
    "25 22 0:7 / /home/ann/data rw - tmpfs none rw\n"
    "broken line\n";

std::string refusal(std::string_view root) {
  const auto result = refuse_kernel_mounts(root, kTable);
  return result ? "" : result.error().message;
}

TEST(KernelMounts, AreNotShownToProbes) {
  EXPECT_EQ(
      refusal("/"),
      "the folder / is no repository: a file system of the kernel (proc) is mounted at /proc");
  EXPECT_NE(refusal("/proc"), "");
  EXPECT_NE(refusal("/proc/self/fd"), "");
  EXPECT_NE(refusal("/srv"), "");
  EXPECT_NE(refusal("/srv/odd root"), "");
}

TEST(KernelMounts, OtherMountsAndNeighboursAreFine) {
  EXPECT_EQ(refusal("/home/ann"), "");
  EXPECT_EQ(refusal("/pro"), "");
  EXPECT_EQ(refusal("/srv/odd"), "");
}

TEST(KernelMounts, OfThisHostAreFound) {
  EXPECT_FALSE(refuse_kernel_mounts("/"));
  EXPECT_TRUE(refuse_kernel_mounts("/usr"));
}

}  // namespace
}  // namespace airlock::probe
