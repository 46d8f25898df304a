// Session: bars, lines, and Ctrl-C.
#include "cli/session.h"

#include <algorithm>
#include <atomic>
#include <csignal>

#include <nlohmann/json.hpp>

namespace sqmax::cli {
namespace {

constexpr int kBarWidth = 28;
constexpr auto kRedraw = std::chrono::milliseconds(80);

std::atomic<bool> was_interrupted = false;

extern "C" void on_interrupt(int signal) {
  was_interrupted = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

bool interrupted() { return was_interrupted; }

void listen_for_interrupt() { std::signal(SIGINT, &on_interrupt); }

void Session::print(const std::string& text) {
  end_bar();
  streams_.out << text;
}

void Session::print(const nlohmann::ordered_json& document) {
  const auto replace = nlohmann::ordered_json::error_handler_t::replace;
  print(document.dump(2, ' ', false, replace) + "\n");
}

void Session::say(const std::string& text) {
  if (common_.quiet) return;
  end_bar();
  streams_.err << text << "\n";
}

OnProgress Session::progress() {
  return [this](const ProgressEvent& event) { return show(event); };
}

Next Session::show(const ProgressEvent& event) {
  if (!common_.quiet) {
    if (streams_.err_is_terminal) {
      draw_bar(event);
    } else if (stage_ != event.stage) {
      streams_.err << event.stage << " …\n";
    }
    stage_ = event.stage;
  }
  return interrupted() ? Next::Stop : Next::Continue;
}

void Session::draw_bar(const ProgressEvent& event) {
  const auto now = std::chrono::steady_clock::now();
  const bool complete = event.total > 0 && event.done >= event.total;
  if (stage_ == event.stage && !complete && now - last_drawn_ < kRedraw) return;
  if (stage_ != event.stage) end_bar();
  last_drawn_ = now;
  bar_open_ = true;
  const double share =
      event.total > 0
          ? std::min(1.0, static_cast<double>(event.done) / static_cast<double>(event.total))
          : 0.0;
  std::string bar;
  for (int i = 0; i < kBarWidth; ++i) bar += i < share * kBarWidth ? "█" : "░";
  streams_.err << fmt::format("\r\033[K{:<10} {} {:3.0f} %  {}", event.stage, bar, 100 * share,
                              event.detail)
               << std::flush;
}

void Session::end_bar() {
  if (bar_open_) streams_.err << "\n";
  bar_open_ = false;
}

}  // namespace sqmax::cli
