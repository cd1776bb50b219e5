#include "gingham/io/result_directory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>

#include "gingham/base/function_ref.hpp"
#include "gingham/base/text.hpp"
#include "gingham/engine/item_labels.hpp"
#include "gingham/io/atomic.hpp"
#include "gingham/io/lines.hpp"
#include "gingham/io/read.hpp"
#include "gingham/io/read_labels.hpp"
#include "gingham/io/text_writer.hpp"
#include "gingham/io/whole_file.hpp"
#include "gingham/io/write.hpp"

namespace gingham {
namespace {

constexpr const char* kResultFile = "result.json";
constexpr const char* kStabilityFile = "stability.tsv";
constexpr std::string_view kClustersHeader = "component\tmode\tblock\tindex\tlabel\tvalue";
constexpr std::string_view kStabilityHeader = "component\tmode\tblock\tindex\tlabel\tshare";

// A name that comes from a file must not lead anywhere else.
void check_name(const std::string& name, const std::string& where) {
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
  if (!plain)
    throw Error(ErrorCode::input, where,
                "'" + printable(name, 60) + "' is not a name of an array or mode");
}

void split(std::string_view line, char delimiter, std::vector<std::string_view>& fields) {
  fields.clear();
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(delimiter, begin), line.size());
    fields.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
}

Membership membership_from_key(const std::string& key, Index n_items) {
  Membership membership{key, std::nullopt, n_items, {}};
  const std::size_t bar = key.rfind('_');
  const auto block = bar == std::string::npos ? std::nullopt : parse_integer(key.substr(bar + 1));
  if (block && key.substr(0, bar) != "mode") {
    membership.mode = key.substr(0, bar);
    membership.block = *block;
  }
  return membership;
}

std::vector<Index> read_labels(const std::string& path) {
  std::vector<Index> labels;
  for_each_label(path, [&](std::string_view text) {
    const auto label = parse_integer(text);
    if (!label)
      throw Error(ErrorCode::input, printable(path),
                  "'" + printable(text, 40) + "' is not a whole number");
    labels.push_back(*label);
  });
  return labels;
}

// A line of clusters.tsv or stability.tsv, and where it is.
struct ClusterLine {
  std::string_view text, mode, block;
  const std::string& path;
  Index number;

  std::string where() const { return fmt::format("{}:{}", printable(path), number); }
  [[noreturn]] Membership* report_stranger() const {
    throw Error(ErrorCode::input, where(),
                "'" + printable(text, 80) + "' is not a member of this result");
  }
};

using MembershipsByKey = std::map<std::string, Membership*, std::less<>>;

// `find` gives the membership a line is about, or null where it is to be left out; `take` gets what
// the line says of it.
void read_member_lines(const std::string& path, std::string_view header,
                       FunctionRef<Membership*(const ClusterLine&)> find,
                       FunctionRef<void(const ClusterLine&, Membership&, const Member&)> take) {
  const Limits limits;
  const std::unique_ptr<ByteSource> source = open_bytes(path, limits);
  LineReader lines(*source, limits);
  std::vector<std::string_view> fields;
  while (lines.next()) {
    ClusterLine member{lines.line(), {}, {}, path, lines.number()};
    if (member.number == 1) {
      if (member.text != header)
        throw Error(ErrorCode::input, member.where(),
                    fmt::format("is not the header of {}",
                                header == kClustersHeader ? "clusters.tsv" : kStabilityFile));
      continue;
    }
    split(member.text, '\t', fields);
    if (fields.size() != 6) {
      throw Error(ErrorCode::input, member.where(),
                  fmt::format("{} fields found, expected 6", fields.size()));
    }
    member.mode = fields[1];
    member.block = fields[2];
    Membership* membership = find(member);
    if (membership == nullptr) continue;
    const auto component = parse_integer(fields[0]);
    const auto item = parse_integer(fields[3]);
    const auto value = parse_real(fields[5]);
    if (!component || !item || !value || *component < 0 || *item < 0 ||
        *item >= membership->n_items) {
      member.report_stranger();
    }
    take(member, *membership, {*component, *item, *value});
  }
}

void read_cluster_lines(const std::string& path,
                        FunctionRef<Membership*(const ClusterLine&)> find) {
  read_member_lines(path, kClustersHeader, find,
                    [](const ClusterLine&, Membership& membership, const Member& member) {
                      membership.members.push_back(member);
                    });
}

MembershipsByKey by_key_of(std::vector<Membership>& memberships) {
  MembershipsByKey by_key;
  for (Membership& membership : memberships) by_key[membership.key()] = &membership;
  return by_key;
}

std::string key_of(std::string_view mode, std::string_view block) {
  return block.empty() ? std::string(mode) : fmt::format("{}_{}", mode, block);
}

// rows and columns are modes 0 and 1 of a tensor.
std::string_view tensor_name(std::string_view mode) {
  return mode == "rows" ? "mode_0" : mode == "columns" ? "mode_1" : mode;
}

}  // namespace

std::string shown_name(const std::string& name) { return printable(name, kMaxLabelBytes); }

void write_array(AtomicDirectory& directory, const std::string& folder, const NamedArray& array) {
  const ArrayRecord record = record_of(array);
  const std::unique_ptr<ByteSink> sink = directory.open(folder + record.file());
  if (const auto* matrix = std::get_if<Matrix>(&array.values)) {
    write_npy(*sink, *matrix);
  } else if (const auto* vector = std::get_if<std::vector<double>>(&array.values)) {
    write_npy(*sink, std::span<const double>(*vector), record.shape);
  } else {
    write_npz_sparse(*sink, std::get<SparseMatrix>(array.values));
  }
  sink->finish();
}

void read_clusters(const std::string& path, std::vector<Membership>& memberships) {
  const MembershipsByKey by_key = by_key_of(memberships);
  read_cluster_lines(path, [&](const ClusterLine& line) {
    const auto found = by_key.find(key_of(line.mode, line.block));
    return found == by_key.end() ? line.report_stranger() : found->second;
  });
}

void read_clusters_of_modes(const std::string& path, std::vector<Membership>& memberships) {
  MembershipsByKey by_key;
  std::set<std::string, std::less<>> modes;
  for (Membership& membership : memberships) {
    const std::string mode(tensor_name(membership.mode));
    modes.insert(mode);
    by_key[key_of(mode, membership.block ? std::to_string(*membership.block) : "")] = &membership;
  }
  bool has_any = false, has_others = false;
  read_cluster_lines(path, [&](const ClusterLine& line) -> Membership* {
    const std::string_view mode = tensor_name(line.mode);
    const bool is_known = modes.contains(mode);
    (is_known ? has_any : has_others) = true;
    if (!is_known) return nullptr;
    const auto found = by_key.find(key_of(mode, line.block));
    return found == by_key.end() ? line.report_stranger() : found->second;
  });
  if (has_others && !has_any)
    throw Error(ErrorCode::input, printable(path), "has no members of the modes of this result");
}

namespace {

// Places of the members component by component, in their order: that of the list itself where it is
// so already.
class ByComponent {
 public:
  explicit ByComponent(const std::vector<Member>& members) : members_(members) {
    const auto is_before = [](const Member& a, const Member& b) {
      return a.component < b.component;
    };
    if (std::is_sorted(members.begin(), members.end(), is_before)) return;
    order_.resize(members.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      return is_before(members[a], members[b]);
    });
  }
  // Calls visit(place) for the members of the next component. Components are asked for in order.
  template <class Visit>
  void next(Index component, const Visit& visit) {
    for (; at_ < members_.size() && members_[place()].component <= component; ++at_) {
      if (members_[place()].component == component) visit(place());
    }
  }

 private:
  std::size_t place() const { return order_.empty() ? at_ : order_[at_]; }
  const std::vector<Member>& members_;
  std::vector<std::size_t> order_;
  std::size_t at_ = 0;
};

// A line per member, with a value each: value_of(membership, place in its list).
template <class ValueOf>
void write_members(ByteSink& sink, const Result& result, std::string_view header,
                   const ValueOf& value_of) {
  TextWriter out(sink);
  out.text(header);
  out.character('\n');
  const std::vector<Membership>& memberships = result.model.memberships;
  std::vector<ByComponent> lists;
  std::vector<std::string> places;
  for (const Membership& one : memberships) {
    lists.emplace_back(one.members);
    places.push_back(
        fmt::format("\t{}\t{}\t", one.mode, one.block ? std::to_string(*one.block) : ""));
  }
  for (Index k = 0; k < std::ssize(result.model.components); ++k) {
    for (std::size_t i = 0; i < lists.size(); ++i) {
      const Labels* const labels = labels_of(result, memberships[i]);
      lists[i].next(k, [&](std::size_t at) {
        const Index item = memberships[i].members[at].item;
        out.integer(k);
        out.text(places[i]);
        out.integer(item);
        out.character('\t');
        if (labels != nullptr) out.text(shown_name((*labels)[item]));
        out.character('\t');
        out.text(to_text(value_of(i, at)));
        out.character('\n');
      });
    }
  }
  out.flush();
}

}  // namespace

void write_clusters(ByteSink& sink, const Result& result) {
  write_members(sink, result, kClustersHeader, [&](std::size_t i, std::size_t at) {
    return result.model.memberships[i].members[at].value;
  });
}

void write_stability(ByteSink& sink, const Result& result) {
  write_members(sink, result, kStabilityHeader,
                [&](std::size_t i, std::size_t at) { return result.stability[i][at]; });
}

// In the order of clusters.tsv, so that each line is about the next member of its mode.
std::vector<std::vector<double>> read_stability(const std::string& path,
                                                std::vector<Membership>& memberships) {
  std::vector<std::vector<double>> shares(memberships.size());
  const MembershipsByKey by_key = by_key_of(memberships);
  const auto find = [&](const ClusterLine& line) {
    const auto found = by_key.find(key_of(line.mode, line.block));
    return found == by_key.end() ? line.report_stranger() : found->second;
  };
  const auto take = [&](const ClusterLine& line, Membership& membership, const Member& said) {
    std::vector<double>& own = shares[&membership - memberships.data()];
    if (own.size() == membership.members.size()) line.report_stranger();
    const Member& member = membership.members[own.size()];
    if (said.component != member.component || said.item != member.item) line.report_stranger();
    if (!(said.value >= 0.0 && said.value <= 1.0))
      throw Error(ErrorCode::input, line.where(),
                  fmt::format("{} is not a share from 0 to 1", to_text(said.value)));
    own.push_back(said.value);
  };
  read_member_lines(path, kStabilityHeader, find, take);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const std::size_t expected = memberships[i].members.size();
    if (shares[i].size() == expected) continue;
    throw Error(ErrorCode::input, printable(path),
                fmt::format("has {} members of {}, expected {}", shares[i].size(),
                            memberships[i].key(), expected));
  }
  return shares;
}

void write_labels(ByteSink& sink, const Membership& membership) {
  TextWriter out(sink);
  for (const Index label : strongest(membership)) {
    out.integer(label);
    out.character('\n');
  }
  out.flush();
}

void write_clusters(AtomicDirectory& directory, const Result& result) {
  const std::unique_ptr<ByteSink> sink = directory.open("clusters.tsv");
  write_clusters(*sink, result);
  sink->finish();
}

void write_labels(AtomicDirectory& directory, const std::string& name,
                  const Membership& membership) {
  const std::unique_ptr<ByteSink> sink = directory.open(name);
  write_labels(*sink, membership);
  sink->finish();
}

std::string mode_name(Index mode, Index n_modes) {
  if (n_modes == 2) return mode == 0 ? "rows" : "columns";
  return fmt::format("mode_{}", mode);
}

namespace {

std::string names_file(Index mode, Index n_modes, std::size_t input, std::size_t n_inputs) {
  return fmt::format("names/{}{}.txt", mode_name(mode, n_modes),
                     n_inputs > 1 ? fmt::format("_{}", input) : "");
}

void write_names(AtomicDirectory& files, const std::vector<std::vector<Labels>>& inputs) {
  for (std::size_t b = 0; b < inputs.size(); ++b) {
    const std::vector<Labels>& labels = inputs[b];
    for (std::size_t mode = 0; mode < labels.size(); ++mode) {
      std::string text;
      for (const std::string& name : labels[mode]) text += shown_name(name) + "\n";
      if (text.empty()) continue;
      files.write(names_file(static_cast<Index>(mode), std::ssize(labels), b, inputs.size()), text);
    }
  }
}

Labels read_names(const std::string& path) {
  if (!std::filesystem::exists(path)) return {};
  const std::string text = read_whole_file(path);
  Labels names;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    names.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

// Of each input, per mode; none where there are not as many as items.
std::vector<std::vector<Labels>> read_names(const std::string& directory,
                                            const std::vector<InputSummary>& inputs) {
  std::vector<std::vector<Labels>> all(inputs.size());
  for (std::size_t b = 0; b < inputs.size(); ++b) {
    const Shape& shape = inputs[b].shape;
    for (Index mode = 0; mode < std::ssize(shape); ++mode) {
      Labels names =
          read_names(directory + "/" + names_file(mode, std::ssize(shape), b, inputs.size()));
      if (std::ssize(names) != shape[mode]) names.clear();
      all[b].push_back(std::move(names));
    }
  }
  return all;
}

bool has_members(const std::vector<std::vector<double>>& stability) {
  return std::any_of(stability.begin(), stability.end(),
                     [](const std::vector<double>& mode) { return !mode.empty(); });
}

}  // namespace

void write_result(const std::string& directory, const Result& result, const ReadingRecord& reading,
                  bool replace, const std::vector<ExtraFile>& extra) {
  const auto began = std::chrono::steady_clock::now();
  AtomicDirectory files(directory, replace, kResultFile);
  write_clusters(files, result);
  if (has_members(result.stability)) {
    const std::unique_ptr<ByteSink> sink = files.open(kStabilityFile);
    write_stability(*sink, result);
    sink->finish();
  }
  for (const Membership& membership : result.model.memberships)
    write_labels(files, "labels/" + membership.key() + ".txt", membership);
  write_names(files, result.item_labels);
  write_attached(files, result.options);
  for (const NamedArray& array : result.model.arrays) write_array(files, "", array);
  for (const ExtraFile& file : extra) files.write(file.name, file.contents);
  // Last, so that it can say how long the writing of all the others took.
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began;
  files.write(kResultFile, to_json(result, reading, spent.count()));
  files.commit();
}

ResultDirectory read_result(const std::string& directory) {
  if (!std::filesystem::is_directory(directory)) {
    throw Error(ErrorCode::input, printable(directory),
                "is not a result directory: there is no such folder");
  }
  const std::string json_path = directory + "/" + kResultFile;
  ResultDirectory stored;
  stored.json = from_json(read_whole_file(json_path), printable(json_path));
  stored.json.result.item_labels = read_names(directory, stored.json.result.inputs);
  Model& model = stored.json.result.model;
  for (const ArrayRecord& record : stored.json.arrays) {
    check_name(record.name, printable(json_path));
    const std::string path = directory + "/" + record.file();
    Block block = read_block(path);
    if (record.is_sparse) {
      model.arrays.push_back({record.name, std::get<SparseMatrix>(std::move(block).values())});
    } else if (block.dense_matrix() == nullptr) {
      throw Error(ErrorCode::input, printable(path),
                  "has more than two modes, expected one or two");
    } else if (record.shape.size() == 1) {
      const std::span<const double> values = block.dense_matrix()->values();
      model.arrays.push_back({record.name, std::vector<double>(values.begin(), values.end())});
    } else {
      model.arrays.push_back({record.name, std::get<Matrix>(std::move(block).values())});
    }
  }
  for (const std::string& key : stored.json.size_keys) {
    check_name(key, printable(json_path));
    stored.labels.push_back(read_labels(directory + "/labels/" + key + ".txt"));
    model.memberships.push_back(
        membership_from_key(key, static_cast<Index>(stored.labels.back().size())));
  }
  read_clusters(directory + "/clusters.tsv", model.memberships);
  const std::string stability = fmt::format("{}/{}", directory, kStabilityFile);
  if (std::filesystem::exists(stability))
    stored.json.result.stability = read_stability(stability, model.memberships);
  return stored;
}

}  // namespace gingham
