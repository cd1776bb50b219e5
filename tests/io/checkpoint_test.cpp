#include "gingham/io/checkpoint.hpp"

#include <gtest/gtest.h>

#include "engine/fake_method.hpp"
#include "gingham/engine/session.hpp"
#include "io/faults.hpp"
#include "io/temporary_folder.hpp"

namespace gingham {
namespace {

using test::expect_error;
using test::fake_info;
using test::Plan;
using test::small_data;
using test::with;

class CheckpointTest : public testing::Test {
 protected:
  // Runs until the observers have been asked `n` times, saving each time, from what is there.
  std::vector<double> run(Index n, std::string* warning = nullptr) {
    Checkpoint checkpoint(folder(), 0.0);
    ThreadPool pool(1);
    Session session(info_, data_, options_, pool);
    was_resumed_ = checkpoint.restore(session, warning);
    Index asked = 0;
    Callback stop([&](const Event& event) {
      if (asked < n) checkpoint.save(event.session);
      trouble_ = checkpoint.trouble();
      return ++asked >= n ? Verdict::cancel : Verdict::go_on;
    });
    return session.run({&stop}).vector("found");
  }
  std::string folder() const { return temporary_ / "out.checkpoint"; }
  std::string state() const { return folder() + "/state"; }

  TemporaryFolder temporary_;
  Plan plan_{.gap = [](const test::At&) { return 1.0; }};
  MethodInfo info_ = fake_info(plan_);
  Options options_ = with(info_, {{"max-iterations", "20"}, {"restarts", "2"}});
  Dataset data_ = small_data();
  bool was_resumed_ = false;
  std::string trouble_;
};

TEST_F(CheckpointTest, GoesOnToTheSameBits) {
  Checkpoint(folder(), 0.0).remove();
  const std::vector<double> whole = run(1000);
  EXPECT_FALSE(was_resumed_);
  for (const Index pause : {1, 5, 30}) {
    Checkpoint(folder(), 0.0).remove();
    run(pause);
    EXPECT_EQ(run(1000), whole);
    EXPECT_TRUE(was_resumed_);
  }
}

TEST_F(CheckpointTest, PassesOverADamagedOne) {
  run(7);
  const std::string bytes = TemporaryFolder::read(state());
  std::string warning;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    temporary_.write("out.checkpoint/state", damaged);
    warning.clear();
    run(0, &warning);
    ASSERT_NE(warning.find("is damaged; the one before it is used"), std::string::npos) << at;
  }
  std::filesystem::remove(folder() + "/state.previous");
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, bytes.size() - 1}) {
    temporary_.write("out.checkpoint/state", bytes.substr(0, size));
    expect_error(ErrorCode::input, {"--resume", "is damaged and there is no other"},
                 [&] { run(0); });
  }
  temporary_.write("out.checkpoint/state", bytes);
  run(0);
  EXPECT_TRUE(was_resumed_);
}

TEST_F(CheckpointTest, LeavesTheOneBeforeWhenTheDiskIsFull) {
  run(3);
  const std::string before = TemporaryFolder::read(state());
  {
    const FaultyFiles full(0, {ENOSPC, true});
    run(1);
  }
  EXPECT_FALSE(trouble_.empty());
  EXPECT_EQ(TemporaryFolder::read(folder() + "/state.previous"), before);
  run(0);
  EXPECT_TRUE(was_resumed_);
}

}  // namespace
}  // namespace gingham
