#include "sass/timing/pipes.h"

namespace forewarp::sass {

std::string_view to_string(Pipe pipe) {
  static constexpr std::string_view names[pipe_count] = {"alu",     "fma",    "fp64",   "special", "memory",
                                                         "uniform", "branch", "tensor", "none"};
  return names[static_cast<std::size_t>(pipe)];
}

Pipe pipe_of(const Instruction& instruction) {
  switch (instruction.opcode) {
  case Opcode::ffma:
  case Opcode::fmul:
  case Opcode::fadd:
  case Opcode::imad:
  case Opcode::hfma2:
  case Opcode::hadd2:
  case Opcode::hmul2:
  case Opcode::idp:
  case Opcode::fadd2:
  case Opcode::fmul2:
  case Opcode::ffma2:
    return Pipe::fma;
  case Opcode::dadd:
  case Opcode::dmul:
  case Opcode::dfma:
  case Opcode::dsetp:
    return Pipe::fp64;
  case Opcode::mufu:
  case Opcode::i2f:
  case Opcode::f2i:
  case Opcode::f2f:
  case Opcode::frnd:
  case Opcode::popc:
  case Opcode::flo:
  case Opcode::brev:
  case Opcode::fchk:
  case Opcode::s2r:
  case Opcode::s2ur:
    return Pipe::special;
  case Opcode::ldg:
  case Opcode::stg:
  case Opcode::lds:
  case Opcode::sts:
  case Opcode::ldl:
  case Opcode::stl:
  case Opcode::ld:
  case Opcode::st:
  case Opcode::ldc:
  case Opcode::ldcu:
  case Opcode::atom:
  case Opcode::atomg:
  case Opcode::atoms:
  case Opcode::red:
  case Opcode::redg:
  case Opcode::ldgsts:
  case Opcode::ldsm:
  case Opcode::stsm:
  case Opcode::syncs:
  case Opcode::arrives:
  case Opcode::shfl:
  case Opcode::match:
    return Pipe::memory;
  case Opcode::bra:
  case Opcode::brx:
  case Opcode::call:
  case Opcode::ret:
  case Opcode::exit:
  case Opcode::bssy:
  case Opcode::bsync:
  case Opcode::break_:
  case Opcode::warpsync:
  case Opcode::yield:
  case Opcode::bmov:
    return Pipe::branch;
  case Opcode::hmma:
  case Opcode::imma:
  case Opcode::dmma:
  case Opcode::hgmma:
  case Opcode::igmma:
  case Opcode::qgmma:
    return Pipe::tensor;
  case Opcode::nop:
  case Opcode::bar:
  case Opcode::depbar:
  case Opcode::ldgdepbar:
  case Opcode::membar:
  case Opcode::errbar:
  case Opcode::warpgroup:
  case Opcode::fence:
    return Pipe::none;
  default:
    return to_string(instruction.opcode).starts_with("U") ? Pipe::uniform : Pipe::alu;
  }
}

facts::OpClass class_of_width(Pipe pipe) {
  using facts::OpClass;
  static constexpr OpClass classes[pipe_count] = {OpClass::int_logic, OpClass::fp32_fma,    OpClass::fp64_fma,
                                                  OpClass::sfu,       OpClass::load_shared, OpClass::move,
                                                  OpClass::branch,    OpClass::tensor_mma,  OpClass::nop};
  return classes[static_cast<std::size_t>(pipe)];
}

Queue queue_of(const Instruction& instruction) {
  switch (instruction.opcode) {
  case Opcode::ldg:
  case Opcode::stg:
  case Opcode::ldl:
  case Opcode::stl:
  case Opcode::ld:
  case Opcode::st:
  case Opcode::atomg:
  case Opcode::atom:
  case Opcode::red:
  case Opcode::redg:
    return Queue::global;
  case Opcode::lds:
  case Opcode::sts:
  case Opcode::atoms:
  case Opcode::ldsm:
  case Opcode::stsm:
  case Opcode::shfl:
    return Queue::shared;
  case Opcode::mufu:
  case Opcode::i2f:
  case Opcode::f2i:
  case Opcode::f2f:
  case Opcode::frnd:
  case Opcode::popc:
  case Opcode::flo:
    return Queue::special;
  case Opcode::ldc:
  case Opcode::ldcu:
    return Queue::constant;
  default:
    return Queue::none;
  }
}

} // namespace forewarp::sass
