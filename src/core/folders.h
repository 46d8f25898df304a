// Folders: made so, and synced so, that names in them survive a power cut.
#pragma once

#include <filesystem>

namespace sqmax {

/// The one that a file or folder of this name lies in; "." if none is named.
std::filesystem::path folder_of(const std::filesystem::path& path);

/// Names that were made or changed in it are on disk when it returns. No error if the file system
/// cannot sync folders, or this one may not be opened. Throws Errc::Io, naming the folder.
void sync_folder(const std::filesystem::path& folder);

/// Makes it, and those above that are missing, each synced into its parent; one that could not be
/// is removed again. Whether it was not there yet. Throws Errc::Io, naming the folder.
bool make_folders(const std::filesystem::path& folder);

/// A folder that has something in it stays, and so does a link to one.
void remove_if_empty(const std::filesystem::path& folder);

/// Where the links at the end of a path lead, even if nothing is there; empty: they lead nowhere.
std::filesystem::path without_links(std::filesystem::path path);

}  // namespace sqmax
