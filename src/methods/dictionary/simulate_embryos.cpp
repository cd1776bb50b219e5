// Embryos.
//
// A gene (a bag) has each term t = 0, 1, ... with probability 0.45 * 0.85^t, and at least one. It
// is seen in 1 to `images-per-bag` pictures, from the side or from the back; a term of the gene
// shows in a picture with probability `shown`, in one at least, and what lies on the belly cannot
// be seen from the back. A pixel is
//
//   background - tissue * inside - depth * stain * grain + shading + noise,
//
// where stain = 1 - prod_t (1 - stain_t) at the pixel's place on the embryo's surface. Place, size,
// turn, brightness and depth vary from picture to picture, where exactly a pattern lies and how
// large it is from gene to gene. Every picture has a random stream of its own.
#include "gingham/methods/dictionary/simulate_embryos.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "gingham/methods/dictionary/embryo_patterns.hpp"

namespace gingham::methods::dictionary {
namespace {

constexpr double kFirstFrequency = 0.45, kDecay = 0.85;

struct Stained {
  const Pattern* pattern;
  Variant variant;
};

struct Picture {
  Index bag = 0;
  Index number = 0;  // within the bag
  bool is_lateral = true;
  std::vector<Index> terms = {};  // of those of the bag
  std::uint64_t seed = 0;
};

struct Bag {
  std::vector<Index> terms = {};
  std::vector<Variant> variants = {};  // one per term
};

struct Study {
  Index height = 0, width = 0;
  double noise = 0.0;
  std::vector<Bag> bags = {};
  std::vector<Picture> pictures = {};
  std::string name_of(Index bag) const {
    const std::string digits = std::to_string(bag), last = std::to_string(bags.size() - 1);
    return "gene_" + std::string(last.size() - digits.size(), '0') + digits;
  }
};

std::vector<Index> draw_terms(Index n_terms, Rng& rng) {
  std::vector<Index> terms;
  double frequency = kFirstFrequency, total = 0.0;
  for (Index t = 0; t < n_terms; ++t, frequency *= kDecay) {
    total += frequency;
    if (rng.uniform() < frequency) terms.push_back(t);
  }
  if (!terms.empty()) return terms;
  double left = rng.uniform(0.0, total);
  Index t = 0;
  for (frequency = kFirstFrequency; t + 1 < n_terms && left >= frequency; ++t, frequency *= kDecay)
    left -= frequency;
  return {t};
}

// The first picture of a bag is from the side, where every pattern can be seen.
void draw_bag(const Options& options, Study& study, Rng& rng) {
  Bag bag{.terms = draw_terms(options.integer("terms"), rng)};
  for (std::size_t k = 0; k < bag.terms.size(); ++k) bag.variants.push_back(draw_variant(rng));
  const Index count = 1 + rng.below(options.integer("images-per-bag"));
  const std::size_t first = study.pictures.size();
  for (Index i = 0; i < count; ++i)
    study.pictures.push_back({.bag = std::ssize(study.bags),
                              .number = i,
                              .is_lateral = i == 0 || rng.uniform() < 0.7,
                              .seed = rng.bits()});
  for (const Index term : bag.terms) {
    bool is_shown = false;
    for (Index i = 0; i < count; ++i) {
      if (rng.uniform() >= options.real("shown")) continue;
      Picture& picture = study.pictures[first + static_cast<std::size_t>(i)];
      picture.terms.push_back(term);
      is_shown = is_shown || picture.is_lateral;
    }
    std::vector<Index>& shown = study.pictures[first].terms;
    if (!is_shown && (shown.empty() || shown.back() != term)) shown.push_back(term);
  }
  study.bags.push_back(std::move(bag));
}

// Values at the corners of square cells, and between them by bilinear interpolation: texture of one
// coarseness.
class Texture {
 public:
  Texture(Index height, Index width, double cell, Rng& rng)
      : cell_(cell),
        stride_(static_cast<Index>(static_cast<double>(width) / cell) + 2),
        values_(static_cast<std::size_t>(
            stride_ * (static_cast<Index>(static_cast<double>(height) / cell) + 2))) {
    for (double& value : values_) value = rng.normal();
  }
  double at(Index y, Index x) const {
    const double down = static_cast<double>(y) / cell_, right = static_cast<double>(x) / cell_;
    const Index i = static_cast<Index>(down), j = static_cast<Index>(right);
    const double p = down - static_cast<double>(i), q = right - static_cast<double>(j);
    const double* corner = values_.data() + i * stride_ + j;
    return (1 - p) * ((1 - q) * corner[0] + q * corner[1]) +
           p * ((1 - q) * corner[stride_] + q * corner[stride_ + 1]);
  }

 private:
  double cell_;
  Index stride_;
  std::vector<double> values_;
};

// How one embryo lies in its picture.
struct Pose {
  double centre_y, centre_x, half_length, half_width, cosine, sine;
};

Pose draw_pose(Index height, Index width, Rng& rng) {
  const double h = static_cast<double>(height), w = static_cast<double>(width);
  const double turn = rng.uniform(-0.09, 0.09);
  return {.centre_y = h * rng.uniform(0.48, 0.52),
          .centre_x = w * rng.uniform(0.48, 0.52),
          .half_length = w * rng.uniform(0.39, 0.43),
          .half_width = h * rng.uniform(0.35, 0.4),
          .cosine = std::cos(turn),
          .sine = std::sin(turn)};
}

// A place on the embryo: on its surface where it is inside.
struct Place {
  double inside = 0.0;  // 0 outside, 1 inside, the outline between
  double rim = 0.0;     // how much of the outline
  double u = 0.0, angle = 0.0;
};

Place place_of(const Pose& pose, bool is_lateral, Index y, Index x) {
  const double dy = static_cast<double>(y) - pose.centre_y;
  const double dx = static_cast<double>(x) - pose.centre_x;
  const double u = (pose.cosine * dx + pose.sine * dy) / pose.half_length;
  const double across = (pose.cosine * dy - pose.sine * dx) / pose.half_width;
  // About the distance to the outline in pixels.
  const double depth = (1.0 - std::hypot(u, across)) * pose.half_width;
  Place place{.inside = 1.0 / (1.0 + std::exp(-depth / 0.8)),
              .rim = std::exp(-0.5 * (depth - 1.5) * (depth - 1.5) / (1.3 * 1.3)),
              .u = u};
  if (depth < -4.0) place.inside = 0.0;
  const double half = std::sqrt(std::max(1.0 - u * u, 1e-6));
  const double v = std::clamp(across / half, -1.0, 1.0);
  place.angle = is_lateral ? std::acos(-v) : std::asin(std::abs(v));
  return place;
}

double stain_at(const Place& place, const std::vector<Stained>& stains) {
  double unstained = 1.0;
  for (const Stained& one : stains)
    unstained *= 1.0 - one.pattern->stain(place.u, place.angle, one.variant);
  return 1.0 - unstained;
}

std::vector<Stained> stains_of(const Study& study, const Picture& picture) {
  std::vector<Stained> stains;
  const Bag& bag = study.bags[static_cast<std::size_t>(picture.bag)];
  for (std::size_t k = 0; k < bag.terms.size(); ++k) {
    if (std::find(picture.terms.begin(), picture.terms.end(), bag.terms[k]) != picture.terms.end())
      stains.push_back({&all_patterns()[static_cast<std::size_t>(bag.terms[k])], bag.variants[k]});
  }
  return stains;
}

Image draw(const Study& study, const Picture& picture) {
  Rng rng = Rng::named(picture.seed, "embryo");
  const std::vector<Stained> stains = stains_of(study, picture);
  const Pose pose = draw_pose(study.height, study.width, rng);
  const double background = rng.uniform(200.0, 225.0), tissue = rng.uniform(25.0, 40.0);
  const double depth = rng.uniform(55.0, 100.0), outline = rng.uniform(12.0, 25.0);
  const Texture cells(study.height, study.width, 3.0, rng);
  const Texture shading(study.height, study.width, 40.0, rng);
  const Texture light(study.height, study.width, 100.0, rng);
  Image image{.height = study.height, .width = study.width};
  image.pixels.reserve(static_cast<std::size_t>(study.height * study.width));
  for (Index y = 0; y < study.height; ++y) {
    for (Index x = 0; x < study.width; ++x) {
      const Place place = place_of(pose, picture.is_lateral, y, x);
      double value = background + 2.0 * light.at(y, x) + study.noise * rng.normal();
      if (place.inside > 0.0) {
        const double stain = depth * stain_at(place, stains) * (1.0 + 0.12 * cells.at(y, x));
        value -= place.inside * (tissue + stain + 3.0 * cells.at(y, x) + 5.0 * shading.at(y, x)) +
                 outline * place.rim;
      }
      image.pixels.push_back(static_cast<std::uint8_t>(std::clamp(std::round(value), 0.0, 255.0)));
    }
  }
  return image;
}

std::string file_of(const Study& study, const Picture& picture) {
  return study.name_of(picture.bag) + "_" + std::to_string(picture.number);
}

NamedLines bag_table(const Study& study) {
  NamedLines table{"bags", {"image\tbag\tterms"}, "tsv"};
  for (const Picture& picture : study.pictures) {
    std::string terms;
    for (const Index t : study.bags[static_cast<std::size_t>(picture.bag)].terms)
      terms += (terms.empty() ? "" : ",") +
               std::string(all_patterns()[static_cast<std::size_t>(t)].term);
    table.lines.push_back("images/" + file_of(study, picture) + ".bmp\t" +
                          study.name_of(picture.bag) + "\t" + terms);
  }
  return table;
}

void check(const Options& options) {
  const double pixels = static_cast<double>(options.integer("height")) *
                        static_cast<double>(options.integer("width"));
  constexpr double kMaxPixels = 1e8;
  if (pixels > kMaxPixels)
    throw Error(ErrorCode::usage, "--width", "a picture has at most 1e8 pixels");
}

Simulation make(const Options& options, Rng rng) {
  check(options);
  auto study = std::make_shared<Study>();
  study->height = options.integer("height");
  study->width = options.integer("width");
  study->noise = options.real("noise");
  for (Index b = 0; b < options.integer("bags"); ++b) draw_bag(options, *study, rng);
  const Index n_terms = options.integer("terms");
  Matrix of_bags(std::ssize(study->bags), n_terms), of_images(std::ssize(study->pictures), n_terms);
  for (Index b = 0; b < of_bags.rows(); ++b) {
    for (const Index t : study->bags[static_cast<std::size_t>(b)].terms) of_bags(b, t) = 1.0;
  }
  for (Index i = 0; i < of_images.rows(); ++i) {
    for (const Index t : study->pictures[static_cast<std::size_t>(i)].terms) of_images(i, t) = 1.0;
  }
  Simulation simulation;
  simulation.lines = {bag_table(*study)};
  simulation.memberships = {membership_of("bags", std::nullopt, of_bags),
                            membership_of("images", std::nullopt, of_images)};
  simulation.images = {.count = std::ssize(study->pictures),
                       .make = [study](Index i) -> NamedImage {
                         const Picture& picture = study->pictures[static_cast<std::size_t>(i)];
                         return {file_of(*study, picture), draw(*study, picture)};
                       }};
  return simulation;
}

}  // namespace

Simulator embryo_simulator() {
  const double n_patterns = static_cast<double>(all_patterns().size());
  return {.name = "embryos",
          .title = "Pictures of stained embryos, several of each gene, and the terms of the genes",
          .options = {integer_option("bags", "200", 1, 1e6, "Genes: bags of pictures."),
                      integer_option("images-per-bag", "4", 1, 1000,
                                     "Pictures of a gene, from one to this many."),
                      integer_option("terms", std::to_string(all_patterns().size()), 1, n_patterns,
                                     "Different terms; each is rarer than the one before it."),
                      real_option("shown", "0.6", 0, 1,
                                  "Probability that a picture shows a term of its gene."),
                      real_option("noise", "3", 0, 255,
                                  "Standard deviation of a pixel's noise in grey levels."),
                      integer_option("height", "128", 16, 1e5, "Pixels of a picture downwards."),
                      integer_option("width", "320", 16, 1e5, "Pixels of a picture across.")},
          .make = make};
}

}  // namespace gingham::methods::dictionary
