// Growth by exhaustive lookahead: IDX, GOTA and ID3-k.
#pragma once

#include "grow.hpp"

#include <memory>

namespace niwaki {

std::unique_ptr<Growth> horizon_growth(Table table, const GrowthOptions& options,
                                       GrowthState state);

} // namespace niwaki
