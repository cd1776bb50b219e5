#include "report/index.hpp"

#include <nlohmann/json.hpp>

#include "report/html.hpp"
#include "report/picture.hpp"
#include "report/sections.hpp"
#include "report/text.hpp"

namespace gingham {
namespace {

using namespace report;

Json texts(const std::vector<std::string>& all) {
  Json list = Json::array();
  for (const std::string& one : all) list.push_back(clean(one, 600));
  return list;
}

// One picture that stands for the result: the strongest component's mean slice of an array, the
// middle block of a series.
Json picture_of(const IndexEntry& entry, Shared& shared) {
  if (entry.data == nullptr || entry.result == nullptr || entry.data->size() == 0) return nullptr;
  const Block& middle = entry.data->block(entry.data->size() / 2);
  if (middle.row_source() != nullptr) return nullptr;
  if (middle.is_matrix())
    return matrices_json(*entry.data, {entry.data->size() / 2}, *entry.result, shared)[0];
  const Json slices = slices_json(middle, *entry.result, shared);
  const Json& components = slices["component_slices"];
  return components.empty() ? slices["blocks"][0] : components[0]["block"];
}

}  // namespace

std::string index_page(const IndexPage& page) {
  Json json = empty_page("index", page.title, "");
  json["lead"] = clean(page.lead, 600);
  json["next"] = texts(page.next);
  Shared shared(std::ssize(page.entries));
  for (const IndexEntry& entry : page.entries) {
    json["index"].push_back({{"question", clean(entry.question)},
                             {"title", clean(entry.title)},
                             {"sentences", texts(entry.sentences)},
                             {"command", clean(entry.command, 4000)},
                             {"link", clean(entry.link, 400)},
                             {"picture", picture_of(entry, shared)}});
  }
  shared.write(json);
  return html_page(json);
}

}  // namespace gingham
