#include "cpu/beam/geometry_beam.hpp"

namespace chainshot::cpu::avx512 {

const BeamKernel kSmallBeam = kernel_of<game::SmallGeometry>();
const BeamKernel kWideBeam = kernel_of<game::WideGeometry>();

}  // namespace chainshot::cpu::avx512
