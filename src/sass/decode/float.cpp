// Floating point of 32 and 64 bits.
#include "sass/decode/reader.h"

namespace forewarp::sass {
namespace {

using M = Modifier;

constexpr Words comparisons[] = {M::f,   M::lt,  M::eq,  M::le,  M::gt,  M::ne,  M::ge,  M::num,
                                 M::nan, M::ltu, M::equ, M::leu, M::gtu, M::neu, M::geu, M::t};

void flush(Reader& r) {
  if (r.bit(80) && r.bit(76))
    r.refuse("flush mode");
  r.flag(76, M::fmz);
  r.flag(80, M::ftz);
}

void ffma(Reader& r) {
  flush(r);
  r.round();
  r.flag(77, M::sat);
  r.general(16);
  r.sources();
  r.a(f32_source);
  r.b(f32_source);
  r.c(f32_source);
}

void fadd(Reader& r) {
  r.flag(80, M::ftz);
  r.round();
  r.flag(77, M::sat);
  r.general(16);
  r.sources();
  r.a(f32_source);
  r.wide(f32_source, 2); // the register cache knows it as the third position
}

/// Of the uniform datapath: its second source stands where others have their third.
void ufadd(Reader& r) {
  if (r.form() != 1)
    r.refuse("operand form " + std::to_string(r.form()));
  r.flag(80, M::ftz);
  r.round();
  r.flag(77, M::sat);
  r.general(16);
  r.sources();
  r.a(f32_source);
  r.c(f32_source);
}

void fmul(Reader& r) {
  r.choice(84, 3, {refused, M::d8, M::d4, M::d2, {}, M::m2, M::m4, M::m8});
  flush(r);
  r.round();
  r.flag(77, M::sat);
  r.general(16);
  r.sources();
  r.a(f32_source);
  r.wide(f32_source);
}

void set_predicates(Reader& r) {
  r.predicate(81);
  r.predicate(84);
  r.sources();
}

void fsetp(Reader& r) {
  r.choose(r.field(76, 4), comparisons);
  r.flag(80, M::ftz);
  r.choice(74, 2, {M::and_, M::or_, M::xor_, refused});
  set_predicates(r);
  r.a(f32_source);
  r.wide(f32_source);
  r.source_predicate(87);
}

/// One or zero.
void fset(Reader& r) {
  r.word(M::bf);
  r.choose(r.field(76, 4), comparisons);
  r.flag(80, M::ftz);
  r.choice(74, 2, {M::and_, M::or_, M::xor_, refused});
  r.general(16);
  r.sources();
  r.a(f32_source);
  r.wide(f32_source);
  r.source_predicate(87);
}

void fsel(Reader& r) {
  r.flag(80, M::ftz);
  r.general(16);
  r.sources();
  r.a(f32_source);
  r.wide(f32_source);
  r.source_predicate(87);
}

void fmnmx(Reader& r) {
  r.flag(80, M::ftz);
  r.flag(81, M::nan);
  r.flag(82, M::xorsign);
  r.general(16);
  r.sources();
  r.a(f32_source);
  r.wide(f32_source);
  r.source_predicate(87);
}

void fchk(Reader& r) {
  r.predicate(81);
  r.sources();
  r.a(f32_source);
  r.wide(f32_source);
}

void mufu(Reader& r) {
  r.choice(74, 4, {M::cos, M::sin, M::ex2, M::lg2, M::rcp, M::rsq, M::rcp64h, M::rsq64h, M::sqrt, M::tanh});
  r.flag(73, M::f16);
  r.general(16);
  r.sources();
  r.wide(f32_source);
}

void dfma(Reader& r) {
  r.round();
  r.general(16, {2});
  r.sources();
  r.a(f64_source);
  r.b(f64_source);
  r.c(f64_source);
}

void dmul(Reader& r) {
  r.round();
  r.general(16, {2});
  r.sources();
  r.a(f64_source);
  r.wide(f64_source);
}

void dadd(Reader& r) {
  r.round();
  r.general(16, {2});
  r.sources();
  r.a(f64_source);
  r.c(f64_source);
}

void dsetp(Reader& r) {
  r.choice(76, 4,
           {M::min, M::lt, M::eq, M::le, M::gt, M::ne, M::ge, M::num, M::nan, M::ltu, M::equ, M::leu, M::gtu,
            M::neu, M::geu, M::max});
  r.choice(74, 2, {M::and_, M::or_, M::xor_, refused});
  set_predicates(r);
  r.a(f64_source);
  r.wide(f64_source);
  r.source_predicate(87);
}

constexpr Row float_row_list[] = {
    {0x008, Opcode::fsel, fsel},
    {0x009, Opcode::fmnmx, fmnmx},
    {0x00a, Opcode::fset, fset},
    {0x00b, Opcode::fsetp, fsetp},
    {0x020, Opcode::fmul, fmul},
    {0x021, Opcode::fadd, fadd},
    {0x023, Opcode::ffma, ffma},
    {0x054, Opcode::ufadd, in_uniform_files<ufadd>, 100},
    {0x055, Opcode::uffma, in_uniform_files<ffma>, 100},
    {0x056, Opcode::ufmul, in_uniform_files<fmul>, 100},
    {0x028, Opcode::dmul, dmul},
    {0x029, Opcode::dadd, dadd},
    {0x02a, Opcode::dsetp, dsetp},
    {0x02b, Opcode::dfma, dfma},
    {0x102, Opcode::fchk, fchk},
    {0x108, Opcode::mufu, mufu},
};

} // namespace

std::span<const Row> float_rows() {
  return float_row_list;
}

} // namespace forewarp::sass
