// Cubins put together by hand: a header, sections, one kernel of three instructions.
#include "sass/container.h"
#include "sass/program.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace forewarp;
using namespace forewarp::sass;

namespace {

class Bytes {
public:
  template <class T> void put(T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i)
      bytes_.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xff));
  }
  void text(const std::string& words) {
    for (const char letter : words)
      bytes_.push_back(static_cast<std::byte>(letter));
    bytes_.push_back(std::byte{0});
  }
  std::size_t size() const { return bytes_.size(); }
  std::vector<std::byte> take() { return std::move(bytes_); }
  const std::vector<std::byte>& all() const { return bytes_; }
  void append(const std::vector<std::byte>& more) { bytes_.insert(bytes_.end(), more.begin(), more.end()); }

private:
  std::vector<std::byte> bytes_;
};

struct Part {
  std::string name;
  std::uint32_t type = 1, info = 0;
  std::vector<std::byte> contents;
};

/// An ELF file of 64 bits with these sections; flags and ABI version as nvcc 13 writes them.
std::vector<std::byte> elf_of(std::vector<Part> parts, unsigned sm, std::uint16_t machine = 190) {
  Bytes names;
  names.text("");
  std::vector<std::uint32_t> name_at;
  parts.insert(parts.begin(), Part{"", 0, 0, {}});
  parts.push_back({".shstrtab", 3, 0, {}});
  for (const Part& part : parts) {
    name_at.push_back(static_cast<std::uint32_t>(names.size()));
    names.text(part.name);
  }
  parts.back().contents = names.all();
  Bytes body;
  std::vector<std::uint64_t> at;
  for (const Part& part : parts) {
    at.push_back(64 + body.size());
    body.append(part.contents);
  }
  Bytes file;
  for (const int byte : {0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0x41, 8, 0, 0, 0, 0, 0, 0, 0})
    file.put(static_cast<std::uint8_t>(byte));
  file.put<std::uint16_t>(2);
  file.put<std::uint16_t>(machine);
  file.put<std::uint32_t>(1);
  file.put<std::uint64_t>(0);
  file.put<std::uint64_t>(0);
  file.put<std::uint64_t>(64 + body.size());
  file.put<std::uint32_t>(sm << 8);
  file.put<std::uint16_t>(64);
  file.put<std::uint16_t>(56);
  file.put<std::uint16_t>(0);
  file.put<std::uint16_t>(64);
  file.put<std::uint16_t>(static_cast<std::uint16_t>(parts.size()));
  file.put<std::uint16_t>(static_cast<std::uint16_t>(parts.size() - 1));
  file.append(body.all());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    file.put<std::uint32_t>(name_at[i]);
    file.put<std::uint32_t>(parts[i].type);
    file.put<std::uint64_t>(0);
    file.put<std::uint64_t>(0);
    file.put<std::uint64_t>(at[i]);
    file.put<std::uint64_t>(parts[i].contents.size());
    file.put<std::uint32_t>(0);
    file.put<std::uint32_t>(parts[i].info);
    file.put<std::uint64_t>(1);
    file.put<std::uint64_t>(0);
  }
  return file.take();
}

std::vector<std::byte> code() {
  Bytes bytes;
  for (const std::uint64_t word : {0x00000a0000017a02ULL, 0x000fe40000000f00ULL,  // MOV R1, c[0x0][0x28]
                                   0x000000000000794dULL, 0x000fea0003800000ULL,  // EXIT
                                   0x0000000000007918ULL, 0x000fc00000000000ULL}) // NOP: padding
    bytes.put(word);
  return bytes.take();
}

/// Parameters 0 (8 bytes at 0) and 1 (4 bytes at 8) from 0x160 on.
std::vector<std::byte> attributes() {
  Bytes bytes;
  const auto parameter = [&](std::uint16_t ordinal, std::uint16_t offset, std::uint32_t size) {
    bytes.put<std::uint16_t>(0x1704);
    bytes.put<std::uint16_t>(12);
    bytes.put<std::uint32_t>(0);
    bytes.put<std::uint16_t>(ordinal);
    bytes.put<std::uint16_t>(offset);
    bytes.put<std::uint32_t>(size << 18 | 0x1f000);
  };
  parameter(1, 8, 4);
  parameter(0, 0, 8);
  bytes.put<std::uint16_t>(0x0a04);
  bytes.put<std::uint16_t>(8);
  bytes.put<std::uint32_t>(3);
  bytes.put<std::uint32_t>(0xc0160);
  return bytes.take();
}

std::vector<std::byte> cubin(unsigned sm = 86) {
  return elf_of({{".text.scale", 1, 10U << 24, code()}, {".nv.info.scale", 0x70000000, 0, attributes()}}, sm);
}

struct Entry {
  std::uint16_t kind = 2; ///< 1: PTX
  unsigned sm = 86;
  std::vector<std::byte> payload;
  std::uint64_t flags = 0x11, unpacked = 0;
};

std::vector<std::byte> fat_binary_of(const std::vector<Entry>& parts) {
  Bytes entries;
  for (const Entry& part : parts) {
    const std::uint64_t padded = (part.payload.size() + 7) / 8 * 8;
    entries.put<std::uint16_t>(part.kind);
    entries.put<std::uint16_t>(0x101);
    entries.put<std::uint32_t>(64);
    entries.put<std::uint64_t>(padded);
    entries.put<std::uint32_t>(part.unpacked == 0 ? 0 : static_cast<std::uint32_t>(part.payload.size()));
    entries.put<std::uint32_t>(0);
    entries.put<std::uint32_t>(0x10008);
    entries.put<std::uint32_t>(part.sm);
    entries.put<std::uint64_t>(0);
    entries.put<std::uint64_t>(part.flags);
    entries.put<std::uint64_t>(0);
    entries.put<std::uint64_t>(part.unpacked);
    entries.append(part.payload);
    entries.append(std::vector<std::byte>(padded - part.payload.size()));
  }
  Bytes file;
  file.put<std::uint32_t>(0xba55ed50);
  file.put<std::uint16_t>(1);
  file.put<std::uint16_t>(16);
  file.put<std::uint64_t>(entries.size());
  file.append(entries.all());
  return file.take();
}

std::vector<std::byte> fat_binary(const std::vector<unsigned>& targets) {
  std::vector<Entry> parts;
  for (const unsigned sm : targets)
    parts.push_back({.sm = sm, .payload = cubin(sm)});
  return fat_binary_of(parts);
}

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// All of it as one run of literals (LZ4 Block Format Description).
std::vector<std::byte> lz4_literals(const std::vector<std::byte>& plain) {
  std::vector<std::byte> made = {std::byte{0xf0}};
  std::size_t rest = plain.size() - 15;
  for (; rest >= 255; rest -= 255)
    made.push_back(std::byte{255});
  made.push_back(static_cast<std::byte>(rest));
  made.insert(made.end(), plain.begin(), plain.end());
  return made;
}

} // namespace

TEST(SassCubin, KernelParametersAndRegisters) {
  const auto module = read_cubin(cubin(), "k.cubin");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(module->sm, 86U);
  ASSERT_EQ(module->kernels.size(), 1U);
  const Kernel& kernel = module->kernels[0];
  EXPECT_EQ(kernel.name, "scale");
  EXPECT_EQ(kernel.instructions.size(), 2U); // the padding is left out
  EXPECT_EQ(kernel.registers, 10U);
  EXPECT_EQ(kernel.parameter_base, 0x160U);
  EXPECT_EQ(kernel.parameter_bytes, 12U);
  ASSERT_EQ(kernel.parameters.size(), 2U);
  EXPECT_EQ(kernel.parameters[1].offset, 8);
  EXPECT_EQ(kernel.parameters[1].bytes, 4);
}

TEST(SassCubin, EveryCutIsRefusedOrReadWithoutHarm) {
  const std::vector<std::byte> whole = cubin();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto module = read_cubin(std::span(whole).first(size), "cut.cubin");
    EXPECT_FALSE(module) << size;
  }
}

TEST(SassCubin, OldTargetsAreRefusedByName) {
  const auto module = read_cubin(cubin(61), "old.cubin");
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error().code, ErrorCode::unsupported);
  EXPECT_NE(module.error().message.find("sm_61"), std::string::npos);
}

TEST(SassCubin, AnotherMachineIsRefused) {
  const auto module = read_cubin(elf_of({{".text", 1, 0, code()}}, 0, 62), "a.o");
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error().code, ErrorCode::bad_input);
}

TEST(SassCubin, UnknownInstructionRefusesItsKernelOnly) {
  std::vector<std::byte> broken = code();
  broken[0] = std::byte{0xff};
  broken[1] = std::byte{0x71};
  const auto module =
      read_cubin(elf_of({{".text.good", 1, 0, code()}, {".text.bad", 1, 0, broken}}, 86), "two.cubin");
  ASSERT_TRUE(module) << to_string(module.error());
  ASSERT_EQ(module->kernels.size(), 2U);
  EXPECT_FALSE(module->kernels[0].refused);
  ASSERT_TRUE(module->kernels[1].refused);
  EXPECT_EQ(module->kernels[1].refused->where, "two.cubin:bad");
}

TEST(SassContainer, TheNewestThatTheGpuRuns) {
  const std::vector<std::byte> fat = fat_binary({80, 86, 90});
  const auto newest = read_machine_code(fat, "k.fatbin");
  ASSERT_TRUE(newest) << to_string(newest.error());
  EXPECT_EQ(newest->sm, 90U);
  EXPECT_EQ(read_machine_code(fat, "k.fatbin", 89)->sm, 86U);
  EXPECT_EQ(read_machine_code(fat, "k.fatbin", 80)->sm, 80U);
  const auto none = read_machine_code(fat, "k.fatbin", 75);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("sm_80, sm_86, sm_90"), std::string::npos) << none.error().message;
}

TEST(SassContainer, InsideAnObjectFile) {
  const std::vector<std::byte> object =
      elf_of({{".text", 1, 0, {}}, {".nv_fatbin", 1, 0, fat_binary({86})}}, 0, 62);
  const auto module = read_machine_code(object, "k.o");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(module->kernels[0].name, "scale");
}

TEST(SassContainer, DamagedPackedCodeIsRefusedWithTheWayOut) {
  for (const std::uint64_t flags : {0x2011U, 0x8011U})
    for (const std::uint64_t size : {0ULL, 100ULL, 1ULL << 60}) {
      const auto fat = fat_binary_of({{.payload = cubin(), .flags = flags, .unpacked = size}});
      const auto module = read_machine_code(fat, "k.fatbin");
      ASSERT_FALSE(module);
      EXPECT_NE(module.error().hint.find("cuobjdump"), std::string::npos);
    }
}

TEST(SassContainer, Lz4IsUnpacked) {
  const std::vector<std::byte> plain = cubin();
  const auto fat =
      fat_binary_of({{.payload = lz4_literals(plain), .flags = 0x2011, .unpacked = plain.size()}});
  const auto module = read_machine_code(fat, "k.fatbin");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(module->kernels[0].name, "scale");
}

// By hand: 2 literals "ab", 6 bytes copied from 2 back ("ababab"), then 3 literals "xyz". Cut anywhere, it is
// an error.
TEST(SassContainer, Lz4CopiesMayReadWhatTheyMade) {
  const std::vector<std::byte> packed = bytes_of(std::string("\x22"
                                                             "ab"
                                                             "\x02\x00"
                                                             "\x30"
                                                             "xyz",
                                                             9));
  const auto ptx = [&](const std::vector<std::byte>& bytes, std::uint64_t size) {
    return ptx_in(fat_binary_of({{.kind = 1, .sm = 80, .payload = bytes, .flags = 0x2011, .unpacked = size}}),
                  "k.o", 86);
  };
  EXPECT_EQ(ptx(packed, 11).value(), "ababababxyz");
  EXPECT_FALSE(ptx(packed, 12));
  for (std::size_t cut = 1; cut < packed.size(); ++cut)
    EXPECT_FALSE(ptx({packed.begin(), packed.end() - static_cast<std::ptrdiff_t>(cut)}, 11)) << cut;
  EXPECT_FALSE(ptx(bytes_of(std::string("\x22"
                                        "ab"
                                        "\x03\x00"
                                        "\x30"
                                        "xyz",
                                        9)),
                   11)); // before the begin
}

TEST(SassContainer, PtxWhereNoMachineCodeFits) {
  const auto fat = fat_binary_of({{.sm = 80, .payload = cubin(80)},
                                  {.kind = 1, .sm = 75, .payload = bytes_of(".visible .entry other()")},
                                  {.kind = 1, .sm = 75, .payload = bytes_of(".visible .entry scale()")},
                                  {.kind = 1, .sm = 90, .payload = bytes_of(".visible .entry late()")}});
  EXPECT_TRUE(only_ptx_fits(fat, 75));
  EXPECT_FALSE(only_ptx_fits(fat, 86)); // sm_80's code runs there
  EXPECT_FALSE(only_ptx_fits(fat, 70));
  EXPECT_TRUE(only_ptx_fits(fat, 120));
  EXPECT_EQ(ptx_in(fat, "k.o", 75, "scale").value(), ".visible .entry scale()");
  EXPECT_EQ(ptx_in(fat, "k.o", 75).value(), ".visible .entry other()");
  EXPECT_EQ(ptx_in(fat, "k.o", 120).value(), ".visible .entry late()");
  EXPECT_FALSE(ptx_in(fat, "k.o", 70));
}
