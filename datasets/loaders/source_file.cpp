#include "datasets/loaders/source_file.hpp"

#include "datasets/input_error.hpp"
#include "datasets/io/digest.hpp"
#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

Kind resolve_file(const std::string& where, const FileSource& file, Options& options) {
  const Format& format = format_named(where, file.format);
  options = resolve_options(where, format.options, file.options);
  if (file.path.empty()) throw InputError(where, 0, "a path", "none");
  if (!file.sha256.empty() &&
      (file.sha256.size() != 64 || file.sha256.find_first_not_of("0123456789abcdef") != std::string::npos)) {
    throw InputError(where, 0, "a sha256 of 64 hex digits, lower case", '"' + file.sha256 + '"');
  }
  return format.kind;
}

void check_sha256(const FileSource& file, const std::filesystem::path& path, const LoadOptions& options) {
  if (file.sha256.empty()) return;
  if (!has_sha256()) {
    if (options.notice) {
      options.notice(path.string() + ": its SHA-256 is not checked: this program was built without OpenSSL");
    }
    return;
  }
  if (const std::string found = sha256_file(path); found != file.sha256) {
    throw InputError(path.string(), 0, "SHA-256 " + file.sha256, found,
                     "the file is not the one described: fetch it again, or correct the entry");
  }
}

Content parse_file(const FileSource& file, const Options& format_options, const std::filesystem::path& path,
                   const LoadOptions& options) {
  check_sha256(file, path, options);
  return parse(format_named(file.path, file.format), read_text(path, file.member, options.max_inflation),
               format_options, options.threads);
}

}  // namespace warpbench::datasets
