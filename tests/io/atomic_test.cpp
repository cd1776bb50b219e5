#include "gingham/io/atomic.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <functional>

#include "gingham/base/error.hpp"
#include "gingham/io/write.hpp"
#include "io/faults.hpp"
#include "io/temporary_folder.hpp"

namespace gingham {
namespace {

using Content = std::map<std::string, std::string>;

const std::string kBig(600000, 'x');  // more than one buffer

void write_result(const std::string& target, bool replace) {
  AtomicDirectory directory(target, replace, "result.json");
  directory.write("result.json", "{\"new\": true}");
  directory.write("labels/rows.txt", "1\n2\n");
  directory.write("labels/columns.txt", "1\n");
  const auto big = directory.open("W.npy");
  big->write(kBig);
  big->finish();
  directory.commit();
}

Content new_result(const std::string& prefix) {
  return {{prefix, "/"},
          {prefix + "/result.json", "{\"new\": true}"},
          {prefix + "/labels", "/"},
          {prefix + "/labels/rows.txt", "1\n2\n"},
          {prefix + "/labels/columns.txt", "1\n"},
          {prefix + "/W.npy", kBig}};
}

Content old_result(const TemporaryFolder& folder) {
  AtomicDirectory directory(folder / "out", true);
  directory.write("result.json", "{\"old\": true}");
  directory.commit();
  return folder.content();
}

// Syncing is what takes the time; one test does it for real.
struct WithoutSync : testing::Test {
  WithoutSync() {
    file_ops().fsync = [](int) { return 0; };
  }
  ~WithoutSync() override { file_ops() = system_file_ops(); }
};
using AtomicDirectoryUnsynced = WithoutSync;
using AtomicFileUnsynced = WithoutSync;

TEST(AtomicDirectory, IsThereWholeAfterCommit) {
  const TemporaryFolder folder;
  write_result(folder / "out", false);
  EXPECT_EQ(folder.content(), new_result("out"));
}

TEST_F(AtomicDirectoryUnsynced, LeavesNothingWithoutCommit) {
  const TemporaryFolder folder;
  {
    AtomicDirectory directory(folder / "out/", false);
    directory.write("a/b/c.txt", "x");
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
  }
  EXPECT_TRUE(folder.content().empty());
}

TEST_F(AtomicDirectoryUnsynced, KeepsAnExistingResultUnlessTold) {
  const TemporaryFolder folder;
  const Content before = old_result(folder);
  EXPECT_THROW(write_result(folder / "out", false), Error);
  EXPECT_EQ(folder.content(), before);
  write_result(folder / "out", true);
  EXPECT_EQ(folder.content(), new_result("out"));
}

TEST_F(AtomicDirectoryUnsynced, NeverReplacesWhatIsNoResult) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "out");
  folder.write("out/thesis.tex", "precious");
  folder.write("file", "precious");
  const Content before = folder.content();
  for (const char* name : {"out", "file", ".", "..", "/", ""}) {
    const std::string target = name[0] == 'o' || name[0] == 'f' ? folder / name : std::string(name);
    try {
      write_result(target, true);
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::output) << name;
    }
  }
  EXPECT_EQ(folder.content(), before);
}

TEST_F(AtomicDirectoryUnsynced, NamesTheTargetWhenTheParentIsMissing) {
  const TemporaryFolder folder;
  try {
    write_result(folder / "no/such/out", false);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::output);
    EXPECT_NE(std::string(error.what()).find("no/such/out"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(std::strerror(ENOENT)), std::string::npos)
        << error.what();
  }
}

// What a failed write must leave: what was there before, and an error that names path and cause.
// The only exception is a disk that fails for good at the very last step, after the rename: then
// the new output stands whole, and the error says so.
void check_every_fault(const TemporaryFolder& folder, const Content& before, const Content& after,
                       const std::string& path, const std::function<void()>& reset,
                       const std::function<void()>& work) {
  for (const Fault fault :
       {Fault{ENOSPC}, Fault{EIO}, Fault{EDQUOT}, Fault{EINTR}, Fault{0}, Fault{ENOSPC, true},
        Fault{EIO, true}, Fault{EINTR, true}, Fault{0, true}}) {
    long n = 0;
    for (bool done = false; !done; ++n) {
      reset();
      ASSERT_EQ(folder.content(), before);
      const FaultyFiles faulty(n, fault);
      const std::string label = "operation " + std::to_string(n) + ", errno " +
                                std::to_string(fault.cause) +
                                (fault.persistent ? ", persistent" : "");
      try {
        work();
        done = !faulty.was_hit();
        // Interruptions and short writes must not hurt; nor does a directory or a finished copy
        // that fails to close.
        EXPECT_EQ(folder.content(), after) << label;
      } catch (const Error& error) {
        const std::string text = error.what();
        EXPECT_EQ(error.code(), ErrorCode::output) << label;
        EXPECT_NE(text.find(path), std::string::npos) << label << ": " << text;
        EXPECT_NE(text.find(std::strerror(fault.cause)), std::string::npos)
            << label << ": " << text;
        const bool in_place = text.find("in place, survives") != std::string::npos;
        EXPECT_EQ(folder.content(), in_place ? after : before) << label << ": " << text;
        EXPECT_TRUE(!in_place || fault.persistent) << label;
        EXPECT_TRUE(fault.cause != EINTR || fault.persistent) << label << ": " << text;
        EXPECT_NE(fault.cause, 0) << label;
      }
      ASSERT_LT(n, 1000);
    }
    EXPECT_GT(n, 5);
  }
}

TEST_F(AtomicDirectoryUnsynced, SurvivesAFaultAtEveryOperationWhenNew) {
  const TemporaryFolder folder;
  check_every_fault(
      folder, {}, new_result("out"), folder / "out",
      [&] { std::filesystem::remove_all(folder / "out"); },
      [&] { write_result(folder / "out", false); });
}

TEST_F(AtomicDirectoryUnsynced, SurvivesAFaultAtEveryOperationWhenReplacing) {
  const TemporaryFolder folder;
  const Content before = old_result(folder);
  check_every_fault(
      folder, before, new_result("out"), folder / "out",
      [&] {
        std::filesystem::remove_all(folder / "out");
        old_result(folder);
      },
      [&] { write_result(folder / "out", true); });
}

TEST_F(AtomicFileUnsynced, SurvivesAFaultAtEveryOperation) {
  const TemporaryFolder folder;
  check_every_fault(
      folder, {{"out.bin", "old"}}, {{"out.bin", kBig}}, folder / "out.bin",
      [&] { folder.write("out.bin", "old"); },
      [&] { write_file_atomically(folder / "out.bin", kBig); });
}

TEST_F(AtomicFileUnsynced, SurvivesAFaultAtEveryOperationWhenCompressed) {
  const TemporaryFolder folder;
  const Block block("X", Matrix(20, 3));
  write_block(block, folder / "x.csv.gz");
  const Content after = folder.content();
  check_every_fault(
      folder, {}, after, folder / "x.csv.gz", [&] { std::filesystem::remove(folder / "x.csv.gz"); },
      [&] { write_block(block, folder / "x.csv.gz"); });
}

TEST_F(AtomicFileUnsynced, ReplacesOnlyFilesAndOnlyWhenTold) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a", "one");
  write_file_atomically(folder / "a", "two");
  EXPECT_EQ(TemporaryFolder::read(folder / "a"), "two");
  EXPECT_THROW(write_file_atomically(folder / "a", "three", false), Error);
  std::filesystem::create_directory(folder / "d");
  EXPECT_THROW(write_file_atomically(folder / "d", "x"), Error);
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THROW(write_file_atomically(folder / "pipe", "x"), Error);
  EXPECT_EQ(TemporaryFolder::read(folder / "a"), "two");
}

// Where the file system cannot swap two names in one step.
TEST_F(AtomicDirectoryUnsynced, ReplacesWithoutSwapping) {
  const TemporaryFolder folder;
  old_result(folder);
  file_ops().rename = [](const char* from, const char* to, unsigned flags) {
    if (flags != 0) {
      errno = EINVAL;
      return -1;
    }
    return system_file_ops().rename(from, to, 0);
  };
  write_result(folder / "out", true);
  write_result(folder / "other", false);
  file_ops() = system_file_ops();
  Content expected = new_result("out");
  expected.merge(new_result("other"));
  EXPECT_EQ(folder.content(), expected);
}

TEST_F(AtomicDirectoryUnsynced, OneOfTwoWritersWinsWhole) {
  const TemporaryFolder folder;
  for (const bool replace : {false, true}) {
    for (int trial = 0; trial < 10; ++trial) {
      std::filesystem::remove_all(folder / "out");
      if (replace) old_result(folder);
      // Both have started before either commits.
      AtomicDirectory first(folder / "out", replace);
      AtomicDirectory second(folder / "out", replace);
      first.write("result.json", "first");
      second.write("result.json", "second");
      second.commit();
      try {
        first.commit();
        ADD_FAILURE() << "both won";
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::output);
        EXPECT_NE(std::string(error.what()).find("another process"), std::string::npos)
            << error.what();
      }
      EXPECT_EQ(TemporaryFolder::read(folder / "out/result.json"), "second");
    }
  }
}

TEST_F(AtomicDirectoryUnsynced, RacingProcessesLeaveOneWholeResult) {
  const TemporaryFolder folder;
  for (int trial = 0; trial < 40; ++trial) {
    std::filesystem::remove_all(folder / "out");
    int winners = 0;
    std::vector<pid_t> children;
    for (int k = 0; k < 4; ++k) {
      const pid_t child = fork();
      ASSERT_GE(child, 0);
      if (child == 0) {
        int code = 3;
        try {
          write_result(folder / "out", false);
          code = 0;
        } catch (const Error& error) {
          code = error.code() == ErrorCode::output ? 1 : 2;
        }
        _exit(code);
      }
      children.push_back(child);
    }
    for (const pid_t child : children) {
      int status = 0;
      ASSERT_EQ(waitpid(child, &status, 0), child);
      ASSERT_TRUE(WIFEXITED(status));
      ASSERT_LE(WEXITSTATUS(status), 1);
      winners += WEXITSTATUS(status) == 0 ? 1 : 0;
    }
    EXPECT_EQ(winners, 1);
    EXPECT_EQ(folder.content(), new_result("out"));
  }
}

}  // namespace
}  // namespace gingham
