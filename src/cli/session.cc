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
constexpr auto kNextLine = std::chrono::seconds(30);

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
    estimate(event);
    if (streams_.err_is_terminal) {
      draw_bar(event);
    } else {
      write_line(event);
    }
    stage_ = event.stage;
  }
  return interrupted() ? Next::Stop : Next::Continue;
}

double Session::share_of(const ProgressEvent& event) {
  if (event.total <= 0) return 0.0;
  return std::min(1.0, static_cast<double>(event.done) / static_cast<double>(event.total));
}

void Session::estimate(const ProgressEvent& event) {
  const auto now = std::chrono::steady_clock::now();
  if (stage_ != event.stage) {
    stage_began_ = now;
    time_left_ = {};
  }
  time_left_.hear(std::chrono::duration<double>(now - stage_began_).count(), share_of(event));
}

std::string Session::time_left(const ProgressEvent& event) const {
  const auto seconds = event.seconds_left ? event.seconds_left : time_left_.estimate();
  return seconds && *seconds > 0.0 ? time_left_text(*seconds) : "";
}

// The beginning of each stage, and once in a while how far a long one is.
void Session::write_line(const ProgressEvent& event) {
  const auto now = std::chrono::steady_clock::now();
  if (stage_ != event.stage) {
    streams_.err << event.stage << " …\n";
    last_drawn_ = now;
  } else if (now - last_drawn_ > kNextLine) {
    const std::string share =
        event.total > 0 ? fmt::format("{:.0f} %", 100.0 * share_of(event)) : "";
    const std::string left = time_left(event);
    if (share.empty() && left.empty()) return;
    streams_.err << fmt::format("{} … {}{}{}\n", event.stage, share,
                                share.empty() || left.empty() ? "" : ", ", left);
    last_drawn_ = now;
  }
}

void Session::draw_bar(const ProgressEvent& event) {
  const auto now = std::chrono::steady_clock::now();
  const bool complete = event.total > 0 && event.done >= event.total;
  if (stage_ == event.stage && !complete && now - last_drawn_ < kRedraw) return;
  if (stage_ != event.stage) end_bar();
  last_drawn_ = now;
  bar_open_ = true;
  const double share = share_of(event);
  std::string bar;
  for (int i = 0; i < kBarWidth; ++i) bar += i < share * kBarWidth ? "█" : "░";
  const std::string left = complete ? "" : time_left(event);
  streams_.err << fmt::format("\r\033[K{:<10} {} {:3.0f} %  {}{}{}", event.stage, bar, 100 * share,
                              event.detail, event.detail.empty() || left.empty() ? "" : ", ", left)
               << std::flush;
}

void Session::end_bar() {
  if (bar_open_) streams_.err << "\n";
  bar_open_ = false;
}

}  // namespace sqmax::cli
