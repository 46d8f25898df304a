// The state of a fit, in a file.
#include <chrono>
#include <system_error>

#include "core/fail.h"
#include "core/shallow_json.h"
#include "train/state_file.h"
#include "train/trial_json.h"

namespace sqmax {
namespace {

class FileKeeper final : public StateKeeper {
 public:
  FileKeeper(std::filesystem::path path, StateInterval every, int number, CurveRecorder* recorder,
             TellTime now)
      : path_(std::move(path)),
        every_(every),
        number_(number),
        recorder_(recorder),
        now_(std::move(now)),
        kept_(now_()) {}

  bool restore(const ShowState& show) override {
    std::error_code unknown;
    if (!std::filesystem::exists(path_, unknown)) return false;
    try {
      const Json curve = shallow_json<Json>(read_state(path_, show));
      if (!curve.is_array()) throw Json::other_error::create(599, "no curve", nullptr);
      if (recorder_ != nullptr) recorder_->restore(number_, curve_of(curve));
    } catch (const Json::exception&) {
      fail(Errc::BadFile, "{} is damaged; remove it to begin this fit anew.", path_.string());
    } catch (const Error& error) {
      if (error.code() != Errc::BadFile) throw;
      fail(Errc::BadFile, "Cannot go on from {}: {} Remove it to begin this fit anew.",
           path_.string(), error.what());
    }
    return true;
  }

  void offer(int step, const ShowState& show) override {
    const double seconds = std::chrono::duration<double>(now_() - kept_).count();
    if (seconds < every_.seconds && step % every_.sweeps != 0) return;
    const Curve none;
    const Curve& curve = recorder_ != nullptr ? recorder_->of_trial(number_) : none;
    write_state(path_, to_json(curve).dump(), show);
    kept_ = now_();  // writing may take longer than the interval
  }

 private:
  std::filesystem::path path_;
  StateInterval every_;
  int number_;
  CurveRecorder* recorder_;
  TellTime now_;
  std::chrono::steady_clock::time_point kept_;
};

}  // namespace

std::unique_ptr<StateKeeper> file_keeper(std::filesystem::path path, StateInterval every, int trial,
                                         CurveRecorder* recorder, TellTime now) {
  return std::make_unique<FileKeeper>(std::move(path), every, trial, recorder, std::move(now));
}

}  // namespace sqmax
