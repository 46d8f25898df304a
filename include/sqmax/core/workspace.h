// Workspace: how much memory tables may take together, and the folder for what does not fit.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

namespace sqmax {

/// Counted memory; it is given back when the last copy goes. Null: there was not enough.
using MemoryToken = std::shared_ptr<const void>;

/// A handle: copies share the count. Results never depend on it, only where they are made.
class Workspace {
 public:
  /// Everything is kept in memory.
  Workspace() = default;
  /// Past `memory` bytes, tables go to temporary files in `folder`, which have no name and vanish
  /// with the process. `on_disk` hears of the first of them.
  Workspace(std::int64_t memory, std::filesystem::path folder, std::function<void()> on_disk = {});

  bool limited() const { return state_ != nullptr; }
  /// Some share of the limit, between two bounds; `most` without a limit.
  std::size_t share(double part, std::size_t least, std::size_t most) const;

  /// What is read and written in order can be on disk, so it leaves half of the memory to others;
  /// what is looked up must not, and leaves a quarter.
  enum class Use { InOrder, LookUp };
  /// Null if that use would take more than it may.
  MemoryToken take(std::size_t bytes, Use use) const;

  const std::filesystem::path& folder() const;
  void tell_on_disk() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace sqmax
