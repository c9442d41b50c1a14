#include "cpu/beam/geometry_beam.hpp"

namespace chainshot::cpu::portable {

const BeamKernel kSmallBeam = kernel_of<game::SmallGeometry>();
const BeamKernel kWideBeam = kernel_of<game::WideGeometry>();

}  // namespace chainshot::cpu::portable
