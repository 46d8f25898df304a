// Workspace: one count for everybody.
#include "sqmax/core/workspace.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "core/fail.h"

namespace sqmax {

struct Workspace::State {
  std::int64_t memory;
  std::filesystem::path folder;
  std::function<void()> on_disk;
  std::atomic<std::int64_t> taken = 0;
  std::atomic<bool> told = false;
};

Workspace::Workspace(std::int64_t memory, std::filesystem::path folder,
                     std::function<void()> on_disk)
    : state_(std::make_shared<State>()) {
  state_->memory = memory;
  state_->folder = std::move(folder);
  state_->on_disk = std::move(on_disk);
}

std::size_t Workspace::share(double part, std::size_t least, std::size_t most) const {
  if (!limited()) return most;
  return std::clamp(static_cast<std::size_t>(part * static_cast<double>(state_->memory)), least,
                    most);
}

MemoryToken Workspace::take(std::size_t bytes, Use use) const {
  static const auto uncounted = std::make_shared<const char>();
  if (!limited()) return uncounted;
  const std::int64_t most = use == Use::InOrder ? state_->memory / 2 : state_->memory / 4 * 3;
  const auto wanted = static_cast<std::int64_t>(bytes);
  if (state_->taken.fetch_add(wanted) + wanted > most) {
    state_->taken -= wanted;
    return nullptr;
  }
  const auto give_back = [state = state_, wanted](const char*) { state->taken -= wanted; };
  return std::shared_ptr<const char>(uncounted.get(), give_back);
}

const std::filesystem::path& Workspace::folder() const {
  expect(limited(), "only a limited workspace has a folder");
  return state_->folder;
}

void Workspace::tell_on_disk() const {
  if (!state_->told.exchange(true) && state_->on_disk) state_->on_disk();
}

}  // namespace sqmax
