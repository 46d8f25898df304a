// Privileges: given up in the order in which each step still allows the next.
#include "cli/privileges.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <optional>

#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/fail.h"

namespace sqmax::cli {
namespace {

struct Identity {
  std::string name;  // empty: not in the table of users, and in no other group
  uid_t user = 0;
  gid_t group = 0;
};

void must(bool is_done, const char* what) {
  if (!is_done) fail(Errc::Io, "Cannot {}: {}.", what, std::strerror(errno));
}

std::optional<Identity> numbered(const std::string& text) {
  Identity identity;
  const char* end = text.data() + text.size();
  const auto user = std::from_chars(text.data(), end, identity.user);
  if (user.ec != std::errc() || user.ptr == end || *user.ptr != ':') return {};
  const auto group = std::from_chars(user.ptr + 1, end, identity.group);
  if (group.ec != std::errc() || group.ptr != end) return {};
  return identity;
}

// All ones: the system takes that for "as it is".
bool changes_nothing(const Identity& identity) {
  return identity.user == static_cast<uid_t>(-1) || identity.group == static_cast<gid_t>(-1);
}

Identity identity_of(const std::string& user) {
  if (user.empty()) {
    fail(Errc::BadOption, "--run-as is empty; to stay who started the server, leave it out.");
  }
  const auto identity = numbered(user);
  if (identity && changes_nothing(*identity)) {
    fail(Errc::BadOption, "--run-as {}: no user or group has the number {}.", user,
         static_cast<uid_t>(-1));
  }
  if (identity) return *identity;
  const passwd* entry = ::getpwnam(user.c_str());  // there is one thread
  if (entry == nullptr) fail(Errc::BadOption, "--run-as {}: there is no such user.", user);
  return {entry->pw_name, entry->pw_uid, entry->pw_gid};
}

// Groups first: afterwards nobody may change them.
void become(const Identity& identity, const std::string& asked) {
  const bool has_groups = identity.name.empty()
                              ? ::setgroups(1, &identity.group) == 0
                              : ::initgroups(identity.name.c_str(), identity.group) == 0;
  if (!has_groups || ::setresgid(identity.group, identity.group, identity.group) != 0 ||
      ::setresuid(identity.user, identity.user, identity.user) != 0) {
    fail(Errc::BadOption, "--run-as {}: cannot become that user: {}.", asked, std::strerror(errno));
  }
  const bool can_return = identity.user != 0 && ::setuid(0) == 0;
  expect(!can_return, "whoever became another user stays it");
}

// What a program started from here could ever have. Only who may set capabilities may take them out
// of this set; for all others it is PR_SET_NO_NEW_PRIVS that keeps programs from them.
void empty_the_bounding_set() {
  for (unsigned long each = 0; ::prctl(PR_CAPBSET_READ, each, 0, 0, 0) >= 0; ++each) {
    if (::prctl(PR_CAPBSET_DROP, each, 0, 0, 0) == 0) continue;
    must(errno == EPERM, "give up what other programs may do");
    return;
  }
}

void drop_capabilities() {
  must(::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0 || errno == EINVAL,
       "give up ambient capabilities");
  __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none = {};
  must(::syscall(SYS_capset, &header, none.data()) == 0, "give up capabilities");
  must(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "forbid new privileges");
}

// Memory holds the token. The system forgets the last of these whenever a process becomes another
// user or loses capabilities, so they come at the end.
void keep_memory_private() {
  const rlimit none = {.rlim_cur = 0, .rlim_max = 0};
  must(::setrlimit(RLIMIT_CORE, &none) == 0, "forbid core files");
  must(::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0, "keep memory private");
}

// ThreadSanitizer has a thread of its own.
#if defined(__SANITIZE_THREAD__)
bool is_the_only_thread() { return true; }
#else
bool is_the_only_thread() {
  const std::filesystem::directory_iterator threads("/proc/self/task");
  return std::distance(begin(threads), end(threads)) == 1;
}
#endif

}  // namespace

void check_user(const std::string& user) { identity_of(user); }

void drop_privileges(const std::string& user) {
  expect(is_the_only_thread(), "privileges are dropped before threads start");
  ::umask(::umask(0) | 0027);
  empty_the_bounding_set();
  if (!user.empty()) become(identity_of(user), user);
  drop_capabilities();
  keep_memory_private();
}

bool is_root() { return ::geteuid() == 0; }

}  // namespace sqmax::cli
