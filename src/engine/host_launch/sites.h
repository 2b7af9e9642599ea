// The places of a host program that start a kernel, and which of them is meant.
#pragma once

#include "engine/host_launch/host_launch.h"
#include "frontend/host/host_program.h"

#include <string>
#include <vector>

namespace forewarp::engine {

/// Launches of one kernel that one place makes: with other sizes each.
struct Site {
  std::vector<const frontend::host::FoundLaunch*> launches; ///< that some GPU could take
  const frontend::host::FoundLaunch* largest() const;       ///< by its work-items
};

/// "file:line".
std::string place_of(const frontend::host::FoundLaunch& launch);
/// "grid 4096, block 256, 1024 bytes of dynamic shared memory".
std::string sizes_of(const frontend::host::FoundLaunch& launch);

/// Whether a user's word for a kernel ("" for any) may mean the one that is started.
bool is_meant(const frontend::host::FoundLaunch& launch, const std::string& kernel);
/// A launch that some GPU could take.
bool fits(const frontend::host::FoundLaunch& launch);

/// In the order of the program. An instance that nothing starts goes by the launches of others. The program
/// has to outlive them.
std::vector<Site> sites_of(const frontend::host::HostProgram& program, const std::string& kernel);
/// For people; of two in one line with their columns.
std::vector<LaunchSite> described(const std::vector<Site>& sites);
/// Errors: not_found where several kernels are started and the request names none.
Result<void> check_one_kernel(const PredictRequest& request, const std::vector<Site>& sites);
/// The one that `source` asks for, once those that the program's start leads to stand first; null: there is
/// none of that number.
const Site* chosen_site(std::vector<Site>& sites, const HostSource& source);

/// As an instance is called where only its symbol tells it from others.
std::string name_of(const frontend::host::FoundLaunch& launch, const std::string& kernel);
/// An instance that is asked for, whose parameters this launch of another one does not say.
bool is_other_instance(const PredictRequest& request, const frontend::host::FoundLaunch& launch);

} // namespace forewarp::engine
