// StateKeeper: where a solver's state lives between two steps, for a run that goes on from there.
// docs/checkpoints.md
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace sqmax {

/// Somebody who goes through the named parts of a state: reads them out, or fills them in.
class StateVisitor {
 public:
  virtual ~StateVisitor() = default;
  virtual void visit(const std::string& name, std::span<float> values) = 0;
  virtual void visit(const std::string& name, std::span<std::int64_t> values) = 0;
  virtual void visit(const std::string& name, std::span<double> values) = 0;
  /// Filling in makes them as many as there were.
  virtual void visit_list(const std::string& name, std::vector<float>& values) = 0;
  virtual void visit_list(const std::string& name, std::vector<double>& values) = 0;
};

/// Shows a visitor every part of a state. One function for both ways: what is kept and what is
/// restored cannot differ.
using ShowState = std::function<void(StateVisitor&)>;

class StateKeeper {
 public:
  virtual ~StateKeeper() = default;
  /// Fills in what was kept; false, and nothing is touched, if nothing was.
  virtual bool restore(const ShowState& show) = 0;
  /// A step is done: the state may be kept now.
  virtual void offer(int step, const ShowState& show) = 0;
};

}  // namespace sqmax
