// A method whose every number is chosen by a test, and whose state drifts with random numbers so
// that a lost piece of state shows.
#pragma once
#include <cmath>
#include <functional>

#include "gingham/engine/registry.hpp"
#include "support/arrays.hpp"

namespace gingham::test {

struct At {
  Index restart = 0, component = 0, iteration = 0;
};

struct Plan {
  Index components = 1;
  Index steps_per_iteration = 1;
  bool checks_stop = false;  // steps and start are long and ask whether to stop
  std::function<double(const At&)> gap = [](const At& at) {
    return std::exp2(-static_cast<double>(at.iteration));
  };
  std::function<double(const At&)> objective = {};  // instead of what follows from the state
  std::function<double(const At&)> exact_gap = {};  // of the whole model; as `gap` if empty
  std::function<bool(const At&)> cycle = [](const At&) { return false; };
  std::function<void(const At&, Accuracy, Terms&)> change = {};  // of the terms, last
  std::function<std::vector<Membership>(const At&)> memberships = {};
  std::function<void(const At&)> in_step = [](const At&) {};
};

class FakeMethod final : public Method {
 public:
  explicit FakeMethod(const Plan& plan) : plan_(plan) {}

  void start(const Dataset& data, Context& ctx) override {
    ask(ctx);
    attach(data, ctx);
    rng_ = ctx.rng("drift");
    found_.push_back(rng_.normal());
  }
  void attach(const Dataset& data, Context& ctx) override {
    sum_ = data.block(0).summary().sum;
    at_.restart = ctx.restart();
  }
  Done step(Context& ctx) override {
    ctx.phase("work");
    plan_.in_step(at_);
    ask(ctx);
    found_.back() = 0.5 * found_.back() + rng_.normal();
    if (++piece_ < plan_.steps_per_iteration) return Done::nothing;
    piece_ = 0;
    ++at_.iteration;
    return Done::iteration;
  }
  Terms terms(Context&, Accuracy accuracy) override {
    double drift = 0.0;
    for (const double x : found_) drift += x * x;
    const bool exact = accuracy == Accuracy::exact && plan_.exact_gap;
    Terms terms{.loss = plan_.objective ? plan_.objective(at_) : sum_ + drift,
                .penalties = {{"none", 0.0}},
                .gaps = {{"u", 0.0}, {"v", exact ? plan_.exact_gap(at_) : plan_.gap(at_)}}};
    terms.cycle = plan_.cycle(at_);
    if (plan_.change) plan_.change(at_, accuracy, terms);
    return terms;
  }
  bool conclude(Status status, Context&) override {
    ended_.push_back(status);
    if (std::ssize(ended_) == plan_.components) return false;
    ++at_.component;
    at_.iteration = 0;
    found_.push_back(rng_.normal());
    return true;
  }
  Model model(Context&) const override {
    std::vector<double> ended;
    for (const Status status : ended_) ended.push_back(static_cast<double>(status));
    Model model;
    model.arrays = {{"found", found_}, {"ended", ended}, {"sum", std::vector<double>{sum_}}};
    if (plan_.memberships) model.memberships = plan_.memberships(at_);
    return model;
  }
  void state(Archive& ar) override {
    ar("component", at_.component)("iteration", at_.iteration)("piece", piece_)("rng", rng_)(
        "found", found_);
    ar("ended", ended_);
    if (found_.empty()) throw Error(ErrorCode::input, "", "saved state: nothing found");
  }

 private:
  void ask(Context& ctx) const {
    if (!plan_.checks_stop) return;
    for (int piece = 0; piece < 3; ++piece) ctx.check_stop();
  }
  const Plan& plan_;
  At at_;
  Index piece_ = 0;
  Rng rng_;
  double sum_ = 0.0;
  std::vector<double> found_;
  std::vector<Status> ended_;
};

inline MethodInfo fake_info(const Plan& plan, const std::string& name = "fake") {
  MethodInfo info;
  info.name = name;
  info.options = {{.name = "flavour", .type = OptionType::text, .initial = "plain"}};
  info.make = [&plan](const Options&) { return std::make_unique<FakeMethod>(plan); };
  info.peak_bytes = [](const Dataset&, const Options&) { return 1000.0; };
  return info;
}

inline Dataset small_data(double corner = 1.0) {
  Matrix x(2, 3, to_array<double>({corner, 2, 3, 4, 5, 6}));
  return Dataset(Block("small", std::move(x), {{"a", "b"}}));
}

inline Options with(const MethodInfo& info,
                    const std::vector<std::pair<std::string, std::string>>& settings) {
  Options options = info.make_options();
  for (const auto& [name, value] : settings) options.set(name, value);
  return options;
}

}  // namespace gingham::test
