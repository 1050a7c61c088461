// The seam of the sampler: one worker's handle.
#include "bind.hpp"
#include "sampler.hpp"

#include <memory>
#include <tuple>

namespace niwaki {
namespace {

using namespace nb::literals;

using Answer =
    std::tuple<std::int32_t, int, std::uint32_t, std::uint64_t, int, double, double, double>;

class SamplerHandle {
public:
    SamplerHandle(TrainingArrays arrays, const std::vector<std::uint32_t>& n_values, int n_classes,
                  const GrowthOptions& options)
        : arrays_(std::move(arrays)) {
        Table table = arrays_.table(n_values, n_classes);
        n_rows_ = table.n_rows;
        n_attributes_ = table.columns.size();
        nb::gil_scoped_release released;
        sampler_ = Sampler::make(std::move(table), options);
    }

    std::optional<Answer> judge(const In<std::uint32_t>& rows, const In<std::int32_t>& attributes,
                                std::int32_t remaining) {
        check_rows(rows);
        for (std::size_t i = 0; i < attributes.size(); ++i)
            require(0 <= attributes.data()[i] &&
                        static_cast<std::size_t>(attributes.data()[i]) < n_attributes_,
                    "there is no such attribute");
        std::optional<Judged> judged;
        {
            nb::gil_scoped_release released;
            judged = sampler().judge({rows.data(), rows.size()},
                                     {attributes.data(), attributes.size()}, remaining);
        }
        if (!judged)
            return std::nullopt;
        const Question& question = judged->question;
        return Answer{question.attribute,      static_cast<int>(question.kind),
                      question.code,           question.members,
                      question.missing_branch, judged->threshold,
                      judged->total,           judged->value};
    }

    double draw(const In<std::uint32_t>& rows, std::int32_t remaining, std::uint64_t sample) {
        check_rows(rows);
        nb::gil_scoped_release released;
        return sampler().draw({rows.data(), rows.size()}, remaining, sample);
    }

    std::size_t nbytes() const { return sampler_ ? sampler_->nbytes() : 0; }
    void close() { sampler_.reset(); }

private:
    Sampler& sampler() const {
        require(sampler_ != nullptr, "this sampler is closed");
        return *sampler_;
    }
    void check_rows(const In<std::uint32_t>& rows) const {
        for (std::size_t i = 0; i < rows.size(); ++i)
            require(rows.data()[i] < n_rows_, "a row number is out of range");
    }

    TrainingArrays arrays_;
    std::size_t n_rows_ = 0;
    std::size_t n_attributes_ = 0;
    std::unique_ptr<Sampler> sampler_;
};

} // namespace

void bind_sampler(nb::module_& module) {
    nb::class_<SamplerHandle>(module, "Sampler",
                              "One worker's sampler: judges questions and draws sample trees.")
        .def(
            "__init__",
            [](SamplerHandle* self, std::vector<In<std::uint32_t>> codes,
               const std::vector<std::uint32_t>& n_values,
               std::vector<std::optional<In<double>>> distinct, In<std::int32_t> classes,
               int n_classes, std::optional<In<double>> weights, int measure, int nominal_splits,
               int threshold, double min_leaf, int samples, int numeric_cuts, double drawn_fraction,
               int objective, double confidence, double deviate, bool binomial, std::uint64_t seed,
               bool remember_statistics, bool cut_off, bool known_sizes, bool bits,
               bool count_empty_leaves) {
                require(samples > 0, "a sampler draws at least one sample");
                GrowthOptions options;
                options.greedy.measure = checked<Measure>(measure, 3, "unknown measure");
                options.greedy.nominal_splits =
                    checked<NominalSplits>(nominal_splits, 3, "unknown nominal splits");
                options.greedy.threshold = checked<Threshold>(threshold, 2, "unknown threshold");
                options.greedy.min_leaf = min_leaf;
                options.sampling = {samples,
                                    checked<NumericCuts>(numeric_cuts, 3, "unknown numeric cuts"),
                                    drawn_fraction,
                                    checked<ObjectiveKind>(objective, 1, "unknown objective"),
                                    confidence,
                                    deviate,
                                    binomial,
                                    seed,
                                    remember_statistics,
                                    cut_off,
                                    known_sizes,
                                    bits,
                                    count_empty_leaves};
                new (self) SamplerHandle(
                    {std::move(codes), std::move(distinct), std::move(classes), std::move(weights)},
                    n_values, n_classes, options);
            },
            "codes"_a, "n_values"_a, "distinct"_a, "classes"_a, "n_classes"_a, "weights"_a.none(),
            nb::kw_only(), "measure"_a, "nominal_splits"_a, "threshold"_a, "min_leaf"_a,
            "samples"_a, "numeric_cuts"_a, "drawn_fraction"_a, "objective"_a, "confidence"_a,
            "deviate"_a, "binomial"_a, "seed"_a, "remember_statistics"_a, "cut_off"_a,
            "known_sizes"_a, "bits"_a, "count_empty_leaves"_a)
        .def("judge", &SamplerHandle::judge, "rows"_a, "attributes"_a, "remaining"_a,
             "Best question about some attributes: attribute, kind, code, members, branch of "
             "missing values, threshold, total of the smallest samples, value of the measure.")
        .def("draw", &SamplerHandle::draw, "rows"_a, "remaining"_a, "sample"_a,
             "Value of one sample tree over the rows.")
        .def_prop_ro("nbytes", &SamplerHandle::nbytes)
        .def("close", &SamplerHandle::close, "Free everything now.");
}

} // namespace niwaki
