// Privileges: what a server has no need of once its port is bound.                 SECURITY.md
#pragma once

#include <string>

namespace sqmax::cli {

/// Throws Errc::BadOption, naming --run-as, if nobody is called that, or no process can be.
void check_user(const std::string& user);

/// For good: no capabilities, no programs that could give them back, no core files, no reading of
/// this process by others of its user, no files that everybody may read. `user`, a name or UID:GID,
/// is who the process is from then on; empty: who it was. Most of it holds for one thread and those
/// that it starts, so it must be called before there are others. Throws Errc::BadOption for a user
/// that does not exist or cannot be changed to, and Errc::Io if the system refuses the rest.
void drop_privileges(const std::string& user);

/// Whether files of everybody's are this process's own.
bool is_root();

}  // namespace sqmax::cli
