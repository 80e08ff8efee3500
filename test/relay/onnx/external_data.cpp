#include <tutti/relay/onnx/external_data.hpp>

#include <tutti/relay/ir/tensor_value.hpp>

#include "made_model.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <sys/stat.h>

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

namespace {

wire entry(std::string_view key, std::string_view value) { return wire().text(1, key).text(2, value); }

wire external(std::string_view location, std::string_view offset = {}, std::string_view length = {}) {
    wire t = wire().number(1, 2).number(2, 1).text(8, "w").number(14, 1).message(13, entry("location", location));
    if (!offset.empty()) t.message(13, entry("offset", offset));
    if (!length.empty()) t.message(13, entry("length", length));
    return t;
}

std::string said(const wire& t, std::string_view path = "/tmp/m.onnx") {
    return refused([&] {
        external_files(path).value_of(
            tensor_view(message({reinterpret_cast<const unsigned char*>(t.bytes.data()), t.bytes.size(), 0})));
    });
}

} // namespace

TEST_CASE("external_data: files in the model's folder only", "[relay][onnx][external_data]") {
    for (const std::string_view outside : {"../w", "a/../../w", "/etc/passwd", "a\\..\\b", ".."})
        CHECK(said(external(outside)) == "tensor `w`: external data at `" + std::string(outside) +
                                             "`; expected a file in the model's folder, named without `..`");
    CHECK(said(external("no-such-file")).find("tensor `w`: external data: /tmp/no-such-file: cannot be opened") == 0);
}

TEST_CASE("external_data: no link leads out of the folder, and no pipe is opened", "[relay][onnx][external_data]") {
    namespace fs = std::filesystem;
    const temporary_folder folder;
    const auto numbers = [&](const char* name) {
        std::ofstream(folder.path(name), std::ios::binary) << std::string("\0\0\x80\x3F\0\0\0\x40", 8);
    };
    fs::create_directories(folder.path("models/shared"));
    fs::create_directories(folder.path("cache"));
    const std::string model = folder.path("models/m.onnx");
    std::ofstream{model} << "model";
    numbers("outside");
    numbers("models/shared/w");
    numbers("cache/w");
    fs::create_symlink("../outside", folder.path("models/away"));
    fs::create_directory_symlink("..", folder.path("models/up"));
    fs::create_symlink("shared/w", folder.path("models/within"));
    REQUIRE(::mkfifo(folder.path("models/pipe").c_str(), 0600) == 0);
    for (const char* name : {"away", "up/outside", "pipe", "shared"}) {
        INFO(name);
        CHECK(said(external(name), model).find("a regular file in the model's folder, not behind a link out of it") !=
              std::string::npos);
    }
    CHECK(said(external("within"), model).find("folder") == std::string::npos);
    // As in model caches, the model and its data may be symbolic links into one other folder.
    std::ofstream{folder.path("cache/m")} << "model";
    fs::create_symlink("../cache/m", folder.path("models/linked.onnx"));
    fs::create_symlink("../cache/w", folder.path("models/data"));
    CHECK(said(external("data"), folder.path("models/linked.onnx")).find("folder") == std::string::npos);
    CHECK(said(external("data"), model).find("not behind a link out of it") != std::string::npos);
}

TEST_CASE("external_data: offsets and lengths within the file", "[relay][onnx][external_data]") {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "tutti-external-data";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "w.bin", std::ios::binary) << std::string("\0\0\0\0\0\0\x80\x3F\0\0\0\x40", 12);
    const std::string path = (folder / "m.onnx").string();
    const wire t = external("w.bin", "4", "8");
    const tensor w = external_files(path).value_of(
        tensor_view(message({reinterpret_cast<const unsigned char*>(t.bytes.data()), t.bytes.size(), 0})));
    CHECK(same_value(w, tensor({2}, {1.0F, 2.0F})));
    CHECK(said(external("w.bin", "5"), path).find("7 bytes of data; expected 8 for its shape and type") !=
          std::string::npos);
    CHECK(said(external("w.bin", "13"), path).find("external data from byte 13 of ") != std::string::npos);
    CHECK(said(external("w.bin", "4", "9"), path).find("9 bytes from byte 4 of ") != std::string::npos);
    CHECK(said(external("w.bin", "-4"), path).find("offset `-4` of external data; expected a number of bytes") !=
          std::string::npos);
    CHECK(said(external("w.bin", "99999999999999999999"), path).find("expected a number of bytes") !=
          std::string::npos);
    std::filesystem::remove_all(folder);
}

TEST_CASE("external_data: a function finds the bytes of a model that is not a file", "[relay][onnx][external_data]") {
    const std::string bytes("\0\0\0\0\0\0\x80\x3F\0\0\0\x40", 12);
    std::vector<std::string> asked;
    const auto find = [&](std::string_view location) -> shared_file {
        asked.emplace_back(location);
        if (location != "../anywhere") return nullptr; // the callback need not treat locations as paths
        return std::make_shared<const file::mapped_file>(file::mapped_file::borrowed_bytes{bytes});
    };
    external_files files("no-such-folder/m.onnx", find);
    const auto value = [&](const wire& t) {
        return files.value_of(
            tensor_view(message({reinterpret_cast<const unsigned char*>(t.bytes.data()), t.bytes.size(), 0})));
    };
    for (int i = 0; i < 2; ++i) CHECK(same_value(value(external("../anywhere", "4", "8")), tensor({2}, {1.0F, 2.0F})));
    CHECK(asked == std::vector<std::string>{"../anywhere"});
    CHECK(refused([&] { value(external("other")); }) ==
          "tensor `w`: external data at `other` is not found; expected bytes from import_options::external");
    CHECK(refused([&] { value(external("../anywhere", "5")); }).find("7 bytes of data; expected 8") !=
          std::string::npos);
}
