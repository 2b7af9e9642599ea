// Matrices that the lanes of a warp hold together, or that lie in shared memory: one instruction of a
// program.
#pragma once

#include <cstdint>
#include <vector>

namespace forewarp::simt {

/// Which lane holds what: PTX ISA, "Matrix multiply-accumulate operation using mma", "Asynchronous warpgroup
/// level matrix instructions"; AMD's ISA documents (CDNA 3, RDNA 3, RDNA 4), VALU of matrices.
struct MatrixOp {
  enum class Kind : std::uint8_t {
    product, ///< sums of m by n over k
    take,    ///< of the rows that lanes 8 i + r loaded as row r of matrix i: each lane's word of each matrix
    give,    ///< the other way round
    transpose, ///< of one matrix of 8 by 8 halves
    // Of tensor memory, whose addresses are a lane (upper half) and a column: operands
    allocate,       ///< columns; the result is an address
    release,        ///< address
    tensor_product, ///< sums' address, a (address or descriptor), b, the instruction descriptor, flag: are
                    ///< sums added? {, addresses of scales | masks of lanes that stay}
    tensor_load,    ///< address {, columns between the halves}
    tensor_store,   ///< the same, and what is stored
    tensor_copy,    ///< address, descriptor of rows in shared memory
    forget          ///< address: what a form that is not modelled leaves there is unknown
  } kind = Kind::product;
  /// With suffix _nz: without a negative zero, of gfx940 (OCP's formats have one).
  enum class Element : std::uint8_t {
    f16,
    bf16,
    tf32,
    f32,
    f64,
    e4m3,
    e5m2,
    e4m3_nz,
    e5m2_nz,
    e2m1, ///< in bits 2 to 5 of a byte, as tensor cores take it beside numbers of 8 bits
    e3m2, ///< in bits 0 to 5
    e2m3,
    fp4,   ///< e2m1 two in a byte
    ue8m0, ///< of scales
    s8,
    u8,
    s4,
    u4,
    b1
  };
  enum class Layout : std::uint8_t {
    warp,      ///< mma
    quarters,  ///< m8n8k4 of halves: four products, each of lanes 4 i to 4 i + 3 and those 16 further
    warpgroup, ///< wgmma: 16 rows of 64 a warp
    mfma,
    wmma,      ///< gfx11: each factor's row with two or four lanes
    wmma_split ///< gfx12: parts of a row
  } layout = Layout::warp;
  /// What the product is added to: its sums; nothing; either, as the first operand says.
  enum class Onto : std::uint8_t { sums, nothing, by_flag } onto = Onto::sums;

  struct Factor {
    Element element = Element::f16;
    unsigned slots = 0;      ///< operands: of one descriptor, or of registers
    unsigned slot_bits = 32; ///< of a register
    bool in_memory = false;  ///< behind a descriptor
    bool across_k = false; ///< neighbours are those of a column of A, of a row of B (in memory; of quarters)
    bool negated = false;
    unsigned packed_bits = 0; ///< in memory, of 16 elements in 16 bytes; 0: the element's own
  };
  Factor a, b;
  Element sum = Element::f32; ///< f32 stands for s32 of integers, too
  unsigned sum_slot_bits = 32;
  /// Which lane moves what of tensor memory: (rows of a warp's part) x (bits of a row).
  enum class Spread : std::uint8_t { x32_32, x16_32_twice, x16_64, x16_128, x16_256 } spread = Spread::x32_32;
  bool packs_columns = false; ///< a register holds the lower halves of two neighbouring columns
  /// Of a copy: so many rows (n) of bits, to the lanes of which warps.
  enum class Warps : std::uint8_t { each_its_own, all, halves, neighbours } warps = Warps::each_its_own;
  unsigned row_bits = 128;
  bool has_lane_masks = false;
  unsigned divided_by = 0; ///< power of two, of the sums before
  bool in_pair = false;    ///< two groups multiply together: m is each one's
  bool a_in_tensor_memory = false;
  unsigned factor_bits = 16; ///< of a tensor product: what the instruction descriptor's types are of
  bool upper_half = false, keeps_other_half = false; ///< of 16-bit sums in registers of 32 (gfx11)
  bool transposed = false;                           ///< of take and give
  /// Of take: 16 rows of 16 bytes, transposed; 8 rows of 16. Of give: 8 columns of 16 bytes.
  enum class Bytes : std::uint8_t { none, square, rows, tall } bytes = Bytes::none;
  unsigned packed_bits = 8;                   ///< of these bytes in memory, 16 one behind the other
  bool saturates = false, counts_and = false; ///< integers; bits by and, else by xor
  unsigned m = 0, n = 0, k = 0, blocks = 1;   ///< of one block
  /// Of four neighbours along k of A two are not zero, at places that lanes from `metadata_lane` of each four
  /// on say; A's registers hold those two.
  bool is_sparse = false;
  unsigned metadata_lane = 0;
  /// Factors of each row's parts along k: bytes of the register of a lane of each four, from `byte` on.
  struct Scales {
    unsigned of_row = 0; ///< 0: none
    Element element = Element::ue8m0;
    unsigned byte_a = 0, lane_a = 0, byte_b = 0, lane_b = 0; ///< lane_a: of pairs of lanes
  } scales;
  std::vector<std::int32_t> operands, results; ///< a product's: flag, a, b, sums, metadata, scales

  bool reads_memory() const {
    return a.in_memory || b.in_memory || kind == Kind::tensor_product || kind == Kind::tensor_copy;
  }
  /// What it leaves, loads of tensor memory may see.
  bool changes_tensor_memory() const { return kind >= Kind::allocate && kind != Kind::tensor_load; }
  std::size_t first_of_a() const { return onto == Onto::by_flag ? 1 : 0; }
  std::size_t first_of_b() const { return first_of_a() + a.slots; }
  std::size_t first_sum() const { return first_of_b() + b.slots; }
  std::size_t behind_sums() const { return (is_sparse ? 1 : 0) + (scales.of_row > 0 ? 2 : 0); }
};

constexpr unsigned bits_of(MatrixOp::Element element) {
  using Element = MatrixOp::Element;
  switch (element) {
  case Element::f64:
    return 64;
  case Element::f32:
  case Element::tf32:
    return 32;
  case Element::f16:
  case Element::bf16:
    return 16;
  case Element::s4:
  case Element::u4:
  case Element::fp4:
    return 4;
  case Element::b1:
    return 1;
  default:
    return 8;
  }
}

} // namespace forewarp::simt
