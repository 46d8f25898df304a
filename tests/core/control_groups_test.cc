// Control groups: limits as systems write them, in folders that look like theirs.
#include "core/control_groups.h"

#include <gtest/gtest.h>

#include "sqmax/core/parallel.h"

#include "tests/support/temporary_folder.h"

namespace sqmax {
namespace {

class ControlGroups : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    folder_.file(name, text + "\n");
  }
  GroupLimits limits() const { return group_limits(folder_.path()); }
  int threads(int cores) const { return usable_threads(cores, limits()); }

  TemporaryFolder folder_;
};

TEST_F(ControlGroups, WithoutAnyThereIsNoLimit) {
  EXPECT_EQ(limits().memory_bytes, kNoLimit);
  EXPECT_EQ(threads(8), 8);
  EXPECT_EQ(threads(0), 1);
}

TEST_F(ControlGroups, OfVersion2) {
  write("proc/self/cgroup", "0::/");
  write("sys/fs/cgroup/cpu.max", "250000 100000");
  write("sys/fs/cgroup/memory.max", "536870912");
  EXPECT_EQ(limits().memory_bytes, 536870912);
  EXPECT_DOUBLE_EQ(limits().processors, 2.5);
  EXPECT_EQ(threads(8), 3);
  EXPECT_EQ(threads(2), 2);
  write("sys/fs/cgroup/cpu.max", "50000 100000");
  EXPECT_EQ(threads(8), 1);
  write("sys/fs/cgroup/cpu.max", "max 100000");
  write("sys/fs/cgroup/memory.max", "max");
  EXPECT_EQ(threads(8), 8);
  EXPECT_EQ(limits().memory_bytes, kNoLimit);
}

TEST_F(ControlGroups, TheTightestOfAllAboveHolds) {
  write("proc/self/cgroup", "0::/user/box/job");
  write("sys/fs/cgroup/user/box/job/cpu.max", "max 100000");
  write("sys/fs/cgroup/user/box/cpu.max", "400000 100000");
  write("sys/fs/cgroup/user/cpu.max", "200000 50000");
  write("sys/fs/cgroup/user/box/memory.max", "1000000");
  write("sys/fs/cgroup/user/memory.max", "900000");
  write("sys/fs/cgroup/user/box/job/memory.max", "950000");
  EXPECT_EQ(threads(16), 4);
  EXPECT_EQ(limits().memory_bytes, 900000);
  write("sys/fs/cgroup/user/box/job/cpu.max", "200000 100000");
  EXPECT_EQ(threads(16), 2);
}

TEST_F(ControlGroups, OfVersion1) {
  write("proc/self/cgroup", "12:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc\n1:name=systemd:/x");
  write("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us", "300000");
  write("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us", "100000");
  write("sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "700000");
  EXPECT_EQ(threads(8), 3);
  EXPECT_EQ(limits().memory_bytes, 700000);
  write("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us", "-1");
  EXPECT_EQ(threads(8), 8);
  // inside a container its own group is the top, and the name is that outside
  write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "100000");
  write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
  EXPECT_EQ(threads(8), 1);
}

TEST_F(ControlGroups, WhatIsNoLimitIsNone) {
  for (const std::string text : {"", "rubbish", "0::", "::::", "0:/", "7:cpu", "0::/a/../../.."}) {
    write("proc/self/cgroup", text);
    EXPECT_EQ(threads(5), 5) << text;
  }
  write("proc/self/cgroup", "0::/");
  for (const std::string text : {"", "0 100000", "-5 100000", "100000", "100000 0", "x y"}) {
    write("sys/fs/cgroup/cpu.max", text);
    EXPECT_EQ(threads(5), 5) << text;
  }
}

TEST(ThreadCount, IsNotAboveWhatTheGroupMayUse) {
  const double processors = group_limits().processors;
  EXPECT_GE(thread_count(), 1);
  EXPECT_LT(thread_count(), processors + 1.0);
}

}  // namespace
}  // namespace sqmax
