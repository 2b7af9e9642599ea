// The SM clock under load, read by a kernel of this program's own: cycles over the global timer.
#pragma once

#include "measure/device/device.h"

namespace forewarp::measure {

class SmClock {
public:
  /// Does nothing on backends without PTX.
  explicit SmClock(Device& device);
  ~SmClock();
  SmClock(const SmClock&) = delete;
  SmClock& operator=(const SmClock&) = delete;

  /// MHz over about 2 ms; 0 where it cannot be read.
  double read_mhz();
  /// Keeps the device busy until two readings agree within 0.5 %, at most `seconds`.
  void warm_up(double seconds);

private:
  Device& device_;
  LoadedKernel kernel_;
  DeviceLaunch launch_;
  BufferHandle buffer_ = 0;
  bool usable_ = false;
};

} // namespace forewarp::measure
