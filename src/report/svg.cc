// Plot: scales, ticks and marks.
#include "report/svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace sqmax {
namespace {

constexpr double kWidth = 760.0;
constexpr double kHeight = 440.0;
constexpr double kLeft = 70.0;
constexpr double kRight = 150.0;  // the legend
constexpr double kTop = 40.0;
constexpr double kBottom = 55.0;
constexpr std::array<const char*, 8> kColours = {"#0072b2", "#d55e00", "#009e73", "#b5489a",
                                                 "#b58900", "#3f7fd6", "#7a5230", "#5f6b76"};

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '<') {
      safe += "&lt;";
    } else if (c == '>') {
      safe += "&gt;";
    } else if (c == '&') {
      safe += "&amp;";
    } else {
      safe += c;
    }
  }
  return safe;
}

/// Numbers to places between `begin` and `end`.
class PlotAxis {
 public:
  PlotAxis(bool is_log, double begin, double end) : is_log_(is_log), begin_(begin), end_(end) {}

  bool can_show(double value) const { return std::isfinite(value) && (!is_log_ || value > 0.0); }
  void include(double value) {
    low_ = std::min(low_, warped(value));
    high_ = std::max(high_, warped(value));
  }
  // Whole powers of ten, or a little air at both ends.
  void settle() {
    if (!(low_ <= high_)) low_ = high_ = 0.0;
    if (is_log_) {
      low_ = std::floor(low_ + 1e-9);
      high_ = std::ceil(high_ - 1e-9);
      if (low_ == high_) high_ += 1.0;
      return;
    }
    const double air = high_ > low_ ? 0.05 * (high_ - low_) : 0.5;
    low_ -= air;
    high_ += air;
  }
  double place(double value) const {
    return begin_ + (warped(value) - low_) / (high_ - low_) * (end_ - begin_);
  }
  // 1, 2 or 5 times a power of ten, about five of them.
  std::vector<double> ticks() const {
    std::vector<double> values;
    const double rough = (high_ - low_) / 5.0;
    const double unit = std::pow(10.0, std::floor(std::log10(rough)));
    const double times = rough / unit;
    double step = unit * (times < 1.5 ? 1.0 : times < 3.5 ? 2.0 : times < 7.5 ? 5.0 : 10.0);
    if (is_log_) step = std::max(std::round(step), 1.0);
    for (double at = std::ceil(low_ / step) * step; at <= high_ + 1e-9 * step; at += step) {
      values.push_back(is_log_ ? std::pow(10.0, std::round(at)) : at);
    }
    return values;
  }

 private:
  double warped(double value) const { return is_log_ ? std::log10(value) : value; }

  bool is_log_ = false;
  double begin_ = 0.0;
  double end_ = 0.0;
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
};

std::string tick_text(double value) {
  return fmt::format("{:.4g}", std::abs(value) < 1e-12 ? 0.0 : value);
}

std::string frame(const Plot& plot, const PlotAxis& x, const PlotAxis& y) {
  std::string svg;
  const double right = kWidth - kRight;
  const double bottom = kHeight - kBottom;
  for (const double value : x.ticks()) {
    const double at = x.place(value);
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\"/>"
        "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4}</text>\n",
        at, kTop, bottom, bottom + 18.0, tick_text(value));
  }
  for (const double value : y.ticks()) {
    const double at = y.place(value);
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{0}\" y1=\"{1:.1f}\" x2=\"{2}\" y2=\"{1:.1f}\"/>"
        "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
        kLeft, at, right, kLeft - 8.0, at + 4.0, tick_text(value));
  }
  svg += fmt::format("<text class=\"title\" x=\"{}\" y=\"24\">{}</text>\n", kLeft,
                     escaped(plot.title));
  svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                     (kLeft + right) / 2.0, kHeight - 14.0, escaped(plot.x_title));
  return svg + fmt::format(
                   "<text transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\">{}"
                   "</text>\n",
                   (kTop + bottom) / 2.0, escaped(plot.y_title));
}

std::string drawn(const PlotSeries& series, std::size_t number, const PlotAxis& x,
                  const PlotAxis& y) {
  const char* colour = kColours[number % kColours.size()];
  const char* dash = number < kColours.size() ? "" : " stroke-dasharray=\"6 4\"";
  std::string path;
  std::string marks;
  for (const PlotPoint& point : series.points) {
    if (!x.can_show(point.x) || !y.can_show(point.y)) continue;
    const double at_x = x.place(point.x);
    const double at_y = y.place(point.y);
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : " L", at_x, at_y);
    marks += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"/>", at_x, at_y,
                         series.points.size() == 1 ? 5 : 2, colour);
  }
  const double row = kTop + 10.0 + 18.0 * static_cast<double>(number);
  const double left = kWidth - kRight + 16.0;
  return fmt::format(
      "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"{}/>{}\n"
      "<circle cx=\"{}\" cy=\"{}\" r=\"5\" fill=\"{}\"/><text x=\"{}\" y=\"{}\">{}</text>\n",
      path.empty() ? "M0 0" : path, colour, dash, marks, left, row, colour, left + 12.0, row + 4.0,
      escaped(series.name));
}

}  // namespace

std::string to_svg(const Plot& plot) {
  PlotAxis x(plot.log_x, kLeft, kWidth - kRight);
  PlotAxis y(plot.log_y, kHeight - kBottom, kTop);
  for (const PlotSeries& series : plot.series) {
    for (const PlotPoint& point : series.points) {
      if (!x.can_show(point.x) || !y.can_show(point.y)) continue;
      x.include(point.x);
      y.include(point.y);
    }
  }
  x.settle();
  y.settle();
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\">\n<style>text{{font:12px sans-serif;fill:#333}}.title{{font-size:15px}}"
      ".grid{{stroke:#ddd}}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      kWidth, kHeight);
  svg += frame(plot, x, y);
  for (std::size_t s = 0; s < plot.series.size(); ++s) svg += drawn(plot.series[s], s, x, y);
  return svg + "</svg>\n";
}

}  // namespace sqmax
